package bag

import (
	"context"
	"math"

	"github.com/takt-rt/takt/timeline"
)

// A reader reads one file of a recording in blocks. Readers of several files
// take turns: whose next block begins earliest reads next.
type reader interface {
	// bound returns an instant that nothing still unread comes before, as far
	// as the file tells; ok is false at the end.
	bound() (at timeline.Instant, ok bool)
	// load reads the next block onto the queue.
	load(ctx context.Context, to *queue)
	close()
}

// windowSize is how many entries are held back to put a file in order that has
// no index to tell the order: at 200 messages a second, over two minutes.
const windowSize = 32 << 10

// A window reads a file that has no index, in the order of the file, and puts
// in order what is out of it by less than windowSize entries.
type window struct {
	held  queue
	step  func(q *queue) bool // reads a little onto the queue; false at the end
	ended bool
	size  int
}

func newWindow(step func(*queue) bool, size int) *window {
	return &window{step: step, size: size}
}

// fill reads until twice the size is held, so that half of it can go.
func (w *window) fill(ctx context.Context) {
	for !w.ended && len(w.held.events) < 2*w.size && ctx.Err() == nil {
		w.ended = !w.step(&w.held)
	}
	w.held.sort()
}

func (w *window) bound() (timeline.Instant, bool) {
	if len(w.held.events) > 0 {
		return w.held.events[0].At, true
	}
	return math.MinInt64, !w.ended
}

func (w *window) load(ctx context.Context, to *queue) {
	w.fill(ctx)
	n := len(w.held.events)
	if !w.ended {
		n -= w.size
	}
	for i := range max(0, n) {
		to.push(&entry{w.held.events[i], w.held.marks[i]})
	}
	w.held.drop(max(0, n))
}
