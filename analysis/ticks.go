package analysis

import (
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

const (
	// jumpAtLeast is the least step of simulated time that can be a jump
	// forward, and jumpFactor how many times the clock's own pace it must be;
	// startFactor is that for the step from zero, before any pace is known.
	jumpAtLeast = time.Second
	jumpFactor  = 10
	startFactor = 1000
	// pauseAtLeast is how long simulated time stands still, while ticks
	// come, before that is a pause and not a slow step.
	pauseAtLeast = 200 * time.Millisecond
	// segmentsKept bounds the segments listed; all count in the sums.
	segmentsKept = 100
)

// ticks follow simulated time: every /clock message is a tick.
type ticks struct {
	entity timeline.EntityID
	opt    Options

	n           uint64
	first       tick
	last        tick
	moved       tick // the last tick that brought a new value
	interrupted bool // what came between the last tick and the next could not be read

	segments []segment // closed ones, the first segmentsKept
	closed   int
	now      segment
	sim      time.Duration // sums over closed segments
	wall     time.Duration

	steps, intervals            stats.Summary
	latency                     stats.Summary // from being sent to arriving
	backward, forward, repeated uint64

	windows  windows
	pauses   pauses
	displays displays
	silence  spell // the longest interval between ticks
	fight    fight
}

// A tick is one value of the clock and when it arrived.
type tick struct {
	at timeline.Instant
	t  clock.Sim
}

// A segment is a stretch of the clock without a jump.
type segment struct {
	first, last tick
	n           uint64
	jump        time.Duration // into it, if jumped
	jumped      bool
}

func (s *segment) sim() time.Duration  { return s.last.t.Sub(s.first.t) }
func (s *segment) wall() time.Duration { return s.last.at.Sub(s.first.at) }

func newTicks(p *stats.Pool, opt Options) *ticks {
	c := &ticks{opt: opt}
	c.steps, c.intervals, c.latency = stats.In(p), stats.In(p), stats.In(p)
	c.windows.init(p, opt)
	c.displays.init(p)
	return c
}

// simNow is the clock as a node reads it: the last value received.
func (a *Analyzer) simNow() simInstant {
	if a.clock == nil || a.clock.n == 0 {
		return simInstant{}
	}
	return simInstant{a.clock.last.t, a.clock.closed, true}
}

// interrupt says that ticks may be missing between the last one and the next.
func (c *ticks) interrupt() { c.interrupted = c.n > 0 }

// tick takes the next value of the clock.
func (c *ticks) tick(at timeline.Instant, t clock.Sim) {
	k := tick{at, t}
	c.fight.tick(k)
	c.n++
	if c.n == 1 {
		c.first = k
		c.begin(k)
		return
	}
	step, d := t.Sub(c.last.t), at.Sub(c.last.at)
	switch {
	case c.jumps(step, d):
		c.jump(k, step)
		return
	case c.interrupted: // two readings of the clock all the same, but no interval
		c.windows.begin(k)
		c.displays.begin(k)
		c.pauses.end(c.last)
		c.moved = k
	default:
		c.advance(k, step, d)
	}
	c.interrupted = false
	c.last, c.now.last = k, k
	c.now.n++
}

// advance takes an ordinary step.
func (c *ticks) advance(k tick, step, d time.Duration) {
	c.intervals.Add(seconds(d), int64(c.last.at))
	c.steps.Add(seconds(step), int64(k.at))
	if d > c.silence.length {
		c.silence = spell{at: c.last.at, length: d, sim: step}
	}
	if step == 0 {
		c.repeated++
		c.pauses.still(c.moved)
	} else {
		c.pauses.end(c.last)
		c.moved = k
	}
	c.windows.tick(k)
	c.displays.tick(k, step, d)
}

// jumps reports whether a step is none that the clock's own pace explains.
func (c *ticks) jumps(step, d time.Duration) bool {
	if step < 0 {
		return true
	}
	if step < jumpAtLeast {
		return false
	}
	if c.last.t == 0 { // zero is how an unset clock reads
		return step/startFactor > d
	}
	s := &c.now
	if s.n < 3 || s.wall() <= 0 {
		return false
	}
	// Ticks that were held up come in a burst, so d alone may be next to nothing.
	usual := s.wall() / time.Duration(s.n-1)
	return float64(step) > jumpFactor*max(ratio(s.sim(), s.wall()), 1)*float64(max(d, usual))
}

// jump ends the segment and begins another.
func (c *ticks) jump(k tick, step time.Duration) {
	if step < 0 {
		c.backward++
	} else {
		c.forward++
	}
	c.pauses.end(c.last)
	c.sim += c.now.sim()
	c.wall += c.now.wall()
	if len(c.segments) < segmentsKept {
		c.segments = append(c.segments, c.now)
	}
	c.closed++
	c.begin(k)
	c.now.jump, c.now.jumped = step, true
}

func (c *ticks) begin(k tick) {
	c.now = segment{first: k, last: k, n: 1}
	c.last, c.moved = k, k
	c.interrupted = false
	c.windows.begin(k)
	c.displays.begin(k)
}

// windows are real time factors over consecutive windows. A window ends at
// the first tick not before its length, so its ratio is of two readings and
// nothing is interpolated.
type windows struct {
	length       time.Duration
	from         tick
	rtf          stats.Summary
	last         float64      // of rtf
	track        *stats.Track // of rtf; nil unless Options.Plots
	least, most  float64      // limits, 0: none
	below, above uint64
}

func (w *windows) init(p *stats.Pool, opt Options) {
	w.length, w.least, w.most = opt.Window, opt.MinWindowRTF, opt.MaxWindowRTF
	w.rtf = stats.In(p)
	if opt.Plots {
		w.track = &stats.Track{}
	}
}

func (w *windows) begin(k tick) { w.from = k }

func (w *windows) tick(k tick) {
	d := k.at.Sub(w.from.at)
	if d < w.length {
		return
	}
	r := ratio(k.t.Sub(w.from.t), d)
	w.rtf.Add(r, int64(w.from.at))
	w.last = r
	if w.track != nil {
		w.track.Add(r, int64(w.from.at))
	}
	if w.least > 0 && r < w.least {
		w.below++
	}
	if w.most > 0 && r > w.most {
		w.above++
	}
	w.from = k
}

// pauses are stretches in which ticks came but simulated time stood still.
type pauses struct {
	count   uint64
	total   time.Duration
	longest spell
	from    timeline.Instant
	on      bool
}

// still says that the value of moved was repeated.
func (p *pauses) still(moved tick) {
	if !p.on {
		p.from, p.on = moved.at, true
	}
}

// end says that last was the last tick with the repeated value.
func (p *pauses) end(last tick) {
	if !p.on {
		return
	}
	p.on = false
	d := last.at.Sub(p.from)
	if d < pauseAtLeast {
		return
	}
	p.count++
	p.total += d
	if d > p.longest.length {
		p.longest = spell{at: p.from, length: d}
	}
}

// ratio returns simulated over axis time; NaN if no time passed.
func ratio(sim, wall time.Duration) float64 { return float64(sim) / float64(wall) }
