package rows

import (
	"context"
	"fmt"
	"io"

	"github.com/takt-rt/takt/timeline"
)

// A survey is what the first reading finds out.
type survey struct {
	rows      int
	callbacks []callback // as first met
	back      int64      // how far a start lies before that of a row above it, at most
	cut       *Error     // what is wrong with a last row that has no newline
	other     []string   // names that are not read

	above  row   // the row last added
	latest int64 // start so far
}

// A callback is what a survey knows of one.
type callback struct {
	name   string
	latest int64 // start so far
	at     int   // the number of that row
	// Whether a scheduled instant is nearer to the one clock or the other.
	onMono, onROS bool
}

// every is after how many rows it is asked whether to go on.
const every = 1024

// survey reads all rows. When ctx is done it ends early.
func (s *Source) survey(ctx context.Context) (*survey, error) {
	in := s.read(0)
	found := &survey{}
	for in.n%every != 0 || ctx.Err() == nil {
		r, err := in.next()
		if err == nil {
			err = found.add(&r, in)
		}
		e, bad := err.(*Error)
		switch {
		case bad && !in.lines.ended: // the recorder was killed
			found.cut, err = e, io.EOF
		case err != nil && err != io.EOF:
			return nil, err
		}
		if err == io.EOF {
			break
		}
	}
	found.other = in.other
	return found, nil
}

// add takes in a row that is right in itself.
func (f *survey) add(r *row, in *reader) error {
	if !in.lines.ended {
		if err := f.doubt(r, in); err != nil {
			return in.here(err)
		}
	}
	if int(r.callback) == len(f.callbacks) {
		f.callbacks = append(f.callbacks, callback{name: in.names[r.callback]})
	}
	if err := f.callbacks[r.callback].add(r, in.n); err != nil {
		return in.here(err)
	}
	f.back = max(f.back, f.latest-r.start)
	f.latest = max(f.latest, r.start)
	f.above = *r
	f.rows++
	return nil
}

// doubt reports whether a last row without a newline may have lost the end of
// its last value: that is empty, a name that no row above has, or an instant
// before that of the row above.
func (f *survey) doubt(r *row, in *reader) error {
	if in.form.json || f.rows == 0 {
		return nil // JSON is closed by a bracket
	}
	last := len(in.fields) - 1
	doubtful := len(in.fields[last]) == 0
	switch c := in.form.header[last]; c {
	case unknown, mark:
	case name:
		doubtful = doubtful || int(r.callback) == len(f.callbacks)
	default:
		doubtful = doubtful || *r.time(c) < *f.above.time(c)
	}
	if !doubtful {
		return nil
	}
	return &Error{Problem: "the last value may lack its end", Remedy: "end every row with a newline"}
}

// add takes in row n of the file. Recorders write a row at the end of a run, so
// of runs that overlap the one that started first may come last. A run that was
// over before one above it began is of another run of the node, or of a clock
// that was set back.
func (c *callback) add(r *row, n int) error {
	if r.end < c.latest {
		return &Error{
			Problem: fmt.Sprintf("%s ended at %d, before its row %d began at %d", c.name, r.end, c.at, c.latest),
			Remedy:  "give each run of the node a file of its own, or sort the rows of one run by start_mono_ns",
		}
	}
	if r.start >= c.latest {
		c.latest, c.at = r.start, n
	}
	if r.given.has(scheduled) {
		c.onMono = c.onMono || r.fromMono() < r.fromROS()
		c.onROS = c.onROS || r.fromROS() < r.fromMono()
	}
	return nil
}

// entity describes the timer that the callback is of. The clock is the one
// that all scheduled instants are nearer to, if there is one.
func (c *callback) entity(id timeline.EntityID) timeline.Entity {
	e := timeline.Entity{ID: id, Kind: timeline.TimerEntity, Name: c.name}
	switch {
	case c.onMono && !c.onROS:
		e.TimerClock = timeline.MonoClock
	case c.onROS && !c.onMono:
		e.TimerClock = timeline.SimClock
	}
	return e
}

// entityID is the entity of the callback with that index.
func entityID(callback uint32) timeline.EntityID { return timeline.EntityID(callback + 1) }
