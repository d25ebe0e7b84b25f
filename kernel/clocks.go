package kernel

import (
	"time"

	"github.com/takt-rt/takt/clock"
)

const (
	resample  = time.Second            // how old an offset may become before it is measured again
	readings  = 5                      // of which the narrowest counts
	stepFloor = 100 * time.Microsecond // a smaller change is the clocks' own, as between virtual clocks
)

// Clocks places instants of CLOCK_REALTIME on CLOCK_MONOTONIC. Linux slews both
// alike, so the offset changes by steps only: somebody set the clock, a time
// daemon stepped it, a leap second came. Clocks measures it again about once a
// second of use, and at once when a result is not in the second before now; a
// stamp taken before a step and mapped after it is off by the step.
//
// Not safe for concurrent use.
type Clocks struct {
	read  func() (before clock.Mono, wall clock.Wall, after clock.Mono)
	taken clock.Mono // when the offset was measured
	// wall - mono lies within offset ± err, in nanoseconds.
	offset int64
	err    time.Duration

	steps uint64
	step  time.Duration
}

// NewClocks measures the offset for the first time.
func NewClocks() *Clocks { return newClocks(bracket) }

func newClocks(read func() (clock.Mono, clock.Wall, clock.Mono)) *Clocks {
	c := &Clocks{read: read}
	c.taken, c.offset, c.err = c.measure()
	return c
}

// Past returns the monotonic instant of w, which happened before now. It is
// never after now.
func (c *Clocks) Past(now clock.Mono, w clock.Wall) clock.Mono {
	m := c.place(w)
	if now.Sub(c.taken) >= resample || m > now.Add(c.err) || now.Sub(m) > time.Second {
		c.Measure()
		m = c.place(w)
	}
	return min(m, now)
}

// Measure measures the offset now, and notices a step since it last was.
func (c *Clocks) Measure() {
	taken, offset, err := c.measure()
	if d := time.Duration(offset - c.offset); d.Abs() > max(stepFloor, c.err+err) {
		c.steps, c.step = c.steps+1, d
	}
	c.taken, c.offset, c.err = taken, offset, err
}

// Error returns how far off a mapped instant can be, either way.
func (c *Clocks) Error() time.Duration { return c.err }

// Offset returns CLOCK_REALTIME minus CLOCK_MONOTONIC as it was last measured,
// and how far off that can be, either way.
func (c *Clocks) Offset() (wallMinusMono, err time.Duration) {
	return time.Duration(c.offset), c.err
}

// Steps returns how often CLOCK_REALTIME was found set since NewClocks, and by
// how much it jumped the last time, positive forward.
func (c *Clocks) Steps() (n uint64, last time.Duration) { return c.steps, c.step }

func (c *Clocks) place(w clock.Wall) clock.Mono { return clock.Mono(int64(w) - c.offset) }

// measure returns the offset from the narrowest of several brackets: the wall
// clock was read somewhere between the two readings of the other.
func (c *Clocks) measure() (taken clock.Mono, offset int64, err time.Duration) {
	narrowest := time.Duration(-1)
	for range readings {
		before, wall, after := c.read()
		width := after.Sub(before)
		if narrowest >= 0 && width >= narrowest {
			continue
		}
		narrowest = width
		taken, offset, err = after, int64(wall)-int64(before.Add(width/2)), (width+1)/2
	}
	return taken, offset, err
}

func bracket() (before clock.Mono, wall clock.Wall, after clock.Mono) {
	return Now(), Realtime(), Now()
}
