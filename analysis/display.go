package analysis

import (
	"time"

	"github.com/takt-rt/takt/stats"
)

// displays compute what tools would have shown for the ticks that arrived.
type displays struct {
	gui, single, perFrame shown

	sampled  tick // the last tick that gz-sim's statistics would have carried
	filter   filter
	standing time.Duration // real time since sampled in which the clock stood still
}

// sampling is the interval of gz-sim's statistics (10 Hz, wall time: the first
// after 100 ms is passed on, the rest dropped).
const sampling = 100 * time.Millisecond

// shown are the values of one display.
type shown struct {
	stats.Summary
	last float64
}

func (s *shown) add(x float64, k tick) {
	s.Add(x, int64(k.at))
	s.last = x
}

func (d *displays) init(p *stats.Pool) {
	for _, s := range []*shown{&d.gui, &d.single, &d.perFrame} {
		s.Summary = stats.In(p)
	}
}

// begin starts afresh after a jump: Gazebo's own figures restart with a reset.
func (d *displays) begin(k tick) {
	d.sampled, d.standing = k, 0
	d.filter = filter{}
}

// tick takes a step of simulated time within d of real time.
func (d *displays) tick(k tick, step, took time.Duration) {
	if step == 0 {
		d.standing += took // Gazebo's real time excludes pauses
	} else if took > 0 {
		d.perFrame.add(ratio(step, took), k)
	}
	passed := k.at.Sub(d.sampled.at)
	if passed < sampling {
		return
	}
	if step != 0 && took > 0 {
		d.single.add(ratio(step, took), k)
	}
	if r, ok := d.filter.next(k.t.Sub(d.sampled.t), passed-d.standing); ok {
		d.gui.add(r, k)
	}
	d.sampled, d.standing = k, 0
}

// A filter is what gz-gui's world statistics show: with x the samples of
// simulated and of real time, (x - mean) of the one over (x - mean) of the
// other, the means exponential with weight 0.9 on the past. x - mean is the
// sum of 0.9^k times the k-th last difference, times 0.9.
type filter struct{ sim, real float64 }

func (f *filter) next(sim, real time.Duration) (rtf float64, ok bool) {
	f.sim = 0.9 * (f.sim + float64(sim))
	f.real = 0.9 * (f.real + float64(real))
	return f.sim / f.real, f.real > 0
}
