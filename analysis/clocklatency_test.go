package analysis

import (
	"fmt"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/timeline"
)

// sentTick brings a value of /clock that was sent a while ago.
func (p *tape) sentTick(at, ago, sim time.Duration) {
	p.add(timeline.Event{Kind: timeline.TickArrived, Flags: timeline.HasSent, At: epoch + timeline.Instant(at), Entity: p.id("/clock"),
		Sent: epoch + timeline.Instant(at-ago), Value: int64(sim)})
}

// Rates, factors and latencies of real nodes, and RTF x (L + 1/(2f)) and
// RTF x (L + 1/f) of them in milliseconds, by hand. The crossover is 1/L, which
// for 5 ms is the published 200 Hz.
func TestClockError(t *testing.T) {
	for _, test := range []struct {
		rtf, hz               float64
		latency               time.Duration
		mean, bound, crossing float64
		knob                  string
	}{
		{1, 40, 203 * us, 12.703, 25.203, 4926.1084, KnobRate},
		{1, 100, 114 * us, 5.114, 10.114, 8771.9298, KnobRate},
		{2, 40, 164 * us, 25.328, 50.328, 6097.5610, KnobRate},
		{10, 1000, 38 * us, 5.380, 10.380, 26315.7895, KnobRate},
		{1, 1000, 5 * ms, 5.5, 6, 200, KnobPath},
		{1, 125, 5 * ms, 9, 13, 200, KnobRate},
		{1, 200, 5 * ms, 7.5, 10, 200, KnobPath}, // at the crossover more ticks gain no more than a shorter path
	} {
		t.Run(fmt.Sprintf("rtf=%v/hz=%v", test.rtf, test.hz), func(t *testing.T) {
			p := newTape(t, Options{})
			period := time.Duration(1e9 / test.hz)
			for i := range 201 {
				at := time.Duration(i) * period
				p.sentTick(at, test.latency, time.Second+time.Duration(test.rtf*float64(at)))
			}
			f, _, _ := p.end()
			e := f.Clock.Error
			p.want("L", &f.Clock.LatencyS.Mean, test.latency.Seconds())
			p.want("mean", e.TotalMeanS, test.mean/1e3)
			p.want("bound", e.TotalBoundS, test.bound/1e3)
			p.want("latency term", e.LatencyMeanS, test.rtf*test.latency.Seconds())
			p.want("crossover", e.CrossoverHz, test.crossing)
			if e.Knob != test.knob || e.Advice == "" {
				t.Errorf("knob %q (%s), want %q", e.Knob, e.Advice, test.knob)
			}
		})
	}
}

// Clocks of two hosts that disagree give a latency below zero, from which nothing follows.
func TestNegativeLatencySaysNothing(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 100 {
		p.sentTick(time.Duration(i)*10*ms, -3*ms, time.Second+time.Duration(i)*10*ms)
	}
	f, _, _ := p.end()
	if e := f.Clock.Error; e.TotalMeanS != nil || e.Knob != "" {
		t.Errorf("%+v", e)
	}
	p.want("L", &f.Clock.LatencyS.Mean, -0.003)
}

func TestClockPublishersByNode(t *testing.T) {
	p := newTape(t, Options{})
	p.writer("/clock", "/gazebo", "01", qos.Policies{})
	p.writer("/clock", "/player", "02", qos.Policies{})
	p.tick(0, time.Second)
	p.tick(10*ms, time.Second+10*ms)
	f, _, found := p.end()
	if f.Clock.Publishers != 2 || fmt.Sprint(f.Clock.PublishersBy) != "[/gazebo /player]" {
		t.Errorf("%d: %v", f.Clock.Publishers, f.Clock.PublishersBy)
	}
	p.wantFinding(found, "clock clock-publishers")
}

func TestLastWindow(t *testing.T) {
	p := newTape(t, Options{Window: 100 * ms})
	sim := time.Second
	for i := range 21 { // the first second at 1, the last at a half
		p.tick(time.Duration(i)*100*ms, sim)
		if i < 10 {
			sim += 100 * ms
		} else {
			sim += 50 * ms
		}
	}
	f, _, _ := p.end()
	p.want("last window", f.Clock.Windows.Last, 0.5)
	p.want("RTF", f.Clock.RTF, 0.75)
}
