package tap

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

const (
	// stepFloor is how far the wall clock may move against the monotonic one
	// between two readings, errors apart, without having been set. Linux slews
	// both alike; the rest is what virtual clocks do.
	stepFloor = 100 * time.Microsecond
	// maxSkew is the largest difference of source timestamp and arrival that is
	// believed to be one of two readings of one kind of clock.
	maxSkew = time.Hour
)

// A wallClock moves source timestamps to the axis.
type wallClock struct {
	offset Offset
	first  Offset
	known  bool
	steps  int           // how often the clock was set
	step   time.Duration // by how much, the largest
}

func (w *wallClock) read(o Offset) {
	if !w.known {
		w.first, w.offset, w.known = o, o, true
		return
	}
	moved := o.WallMinusMono - w.offset.WallMinusMono
	if moved.Abs() > stepFloor+o.Error+w.offset.Error {
		w.steps++
		if moved.Abs() > w.step.Abs() {
			w.step = moved
		}
	}
	w.offset = o
}

// sent returns a source timestamp on the axis; false if it was read from a
// clock of another kind.
func (w *wallClock) sent(source clock.Wall, arrival clock.Mono) (timeline.Instant, bool) {
	sent := source.Add(-w.offset.WallMinusMono)
	skew := clock.Sub(int64(arrival), int64(sent))
	return timeline.Instant(sent), skew.Abs() <= maxSkew
}
