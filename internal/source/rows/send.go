package rows

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// batchSize is how many events the sink is handed at once, at most.
const batchSize = 512

// A sender sends rows as events in order of time.
type sender struct {
	sink  timeline.Sink
	wait  queue
	batch []timeline.Event
	jobs  []uint64 // started so far, by callback
}

// send reads the rows of the survey again and sends them. When ctx is done it
// ends early, with the ends of what has started.
func (s *Source) send(ctx context.Context, found *survey, sink timeline.Sink) error {
	in := s.read(s.size)
	out := &sender{sink: sink, jobs: make([]uint64, len(found.callbacks))}
	var latest int64
	for in.n < found.rows && (in.n%every != 0 || ctx.Err() == nil) {
		r, err := in.next()
		if err == io.EOF || err == nil && int(r.callback) >= len(out.jobs) {
			err = fmt.Errorf("%s changed while it was read; wait until the node has written it", in.file)
		}
		if err != nil {
			return err
		}
		if len(out.wait) == s.most {
			return in.here(&Error{
				Problem: fmt.Sprintf("more than %d rows would have to be held to put them in order of time", s.most),
				Remedy:  "sort the rows by start_mono_ns",
			})
		}
		out.wait.push(pending{at: r.start, n: in.n, row: r})
		latest = max(latest, r.start)
		out.until(latest - found.back) // what comes later starts no earlier
	}
	out.until(math.MaxInt64)
	out.flush()
	return nil
}

// until sends what happened up to the instant t.
func (o *sender) until(t int64) {
	for len(o.wait) > 0 && o.wait[0].at <= t {
		p := &o.wait[0]
		if p.job > 0 {
			o.end(p)
			o.wait.pop()
			continue
		}
		o.start(p)
		p.at = p.row.end
		o.wait.settle()
	}
}

// start sends the release, the start and the mark.
func (o *sender) start(p *pending) {
	o.jobs[p.row.callback]++
	p.job = o.jobs[p.row.callback]
	if p.row.given.has(scheduled) {
		o.event(p, timeline.JobReleased).Value = p.row.scheduled
	}
	e := o.event(p, timeline.JobStarted)
	if p.row.given.has(startROS) {
		e.ROS, e.Flags = clock.Sim(p.row.startROS), timeline.HasROS
	}
	if p.row.marked {
		o.event(p, timeline.Mark).Value = 1
	}
}

func (o *sender) end(p *pending) {
	e := o.event(p, timeline.JobEnded)
	if p.row.given.has(endROS) {
		e.ROS, e.Flags = clock.Sim(p.row.endROS), timeline.HasROS
	}
}

// event adds an event of the row, at the instant that it has come to. What is
// returned is valid until the next one.
func (o *sender) event(p *pending, kind timeline.Kind) *timeline.Event {
	if len(o.batch) == batchSize {
		o.flush()
	}
	o.batch = append(o.batch, timeline.Event{
		At: timeline.Instant(p.at), Kind: kind, Entity: entityID(p.row.callback), Number: p.job,
	})
	return &o.batch[len(o.batch)-1]
}

func (o *sender) flush() {
	if len(o.batch) > 0 {
		o.sink.Events(o.batch)
	}
	o.batch = o.batch[:0]
}
