package analysis

import (
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// text returns that of the finding with an ID, "" if there is none.
func (p *loopTape) text(id string) string {
	_, found := p.a.Figures()
	for _, n := range found {
		if n.ID == id {
			return n.Text
		}
	}
	return ""
}

func (p *loopTape) wantText(id string, parts ...string) {
	p.t.Helper()
	text := p.text(id)
	if text == "" {
		p.t.Errorf("no finding %s", id)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			p.t.Errorf("%s says %q, want %q in it", id, text, part)
		}
	}
}

func TestMissesAreToldBesideWhatHidesThem(t *testing.T) {
	p := newLoopTape(t, every(10*ms), timeline.Entity{})
	for i := range 201 {
		at := time.Duration(i) * 10 * ms
		exec := ms
		if i%50 == 25 {
			exec = 12 * ms
		}
		p.jobROS(at, exec, at, at+exec)
	}
	p.wantText("loop-misses", "4 of 200 callbacks missed the deadline of 10 ms", "longest response 12 ms", "mean interval is 10 ms and the real time factor 1.0000: neither shows it")
	if strings.Contains(p.text("loop-misses"), "skipped") {
		t.Errorf("skips that were none: %q", p.text("loop-misses"))
	}
}

func TestSkipsWithoutMisses(t *testing.T) {
	o := every(10 * ms)
	o.Loop.Deadline = 30 * ms
	p := newLoopTape(t, o, timeline.Entity{})
	for _, at := range []time.Duration{0, 10, 20, 40, 50} {
		p.job(at*ms, 0)
	}
	p.wantText("loop-misses", "1 release skipped")
	if strings.Contains(p.text("loop-misses"), "while") { // a mean of 13.333 ms shows it
		t.Error(p.text("loop-misses"))
	}
}

// A body of 5 ms at a tick of 1 ms: while it runs, five ticks wait.
func TestROSTimeStoodStill(t *testing.T) {
	for _, c := range []struct {
		exec time.Duration
		want bool
	}{{5 * ms, true}, {100 * us, false}, {1500 * us, false}} {
		p := newLoopTape(t, every(10*ms), timeline.Entity{TimerClock: timeline.SimClock})
		for i := range 100 {
			at := time.Duration(i) * 10 * ms
			ros := at
			if i%3 == 1 {
				ros += ms // read one tick later
			}
			p.jobROS(at, c.exec, ros, ros)
		}
		l, found := p.figures()
		if c.want {
			p.wantText("ros-time-stood-still", "99 callbacks", "5 ms on the monotonic clock", "0 s in ROS time")
			p.want("ROS execution", &l.ExecRosS.Max, 0)
		} else {
			p.wantNoFinding(found, "ros-time-stood-still")
		}
	}
}

// The tick is the clock's if it is in the timeline: 100 ms here, so that it is
// no wonder that a body of 30 ms sees none.
func TestROSTimeMovesByTheTick(t *testing.T) {
	p := newLoopTape(t, every(100*ms), timeline.Entity{TimerClock: timeline.SimClock})
	for i := range 50 {
		at := time.Duration(i) * 100 * ms
		p.a.Describe(timeline.Entity{ID: 1, Kind: timeline.ClockEntity, Name: "/clock"})
		p.add(timeline.Event{Kind: timeline.TickArrived, Entity: 1, At: timeline.Instant(at), Value: int64(at)})
		p.jobROS(at, 30*ms, at, at)
	}
	l, found := p.figures()
	if len(found) != 1 || found[0] != "clock-coarse" { // the clock's own finding
		t.Errorf("findings %q", found)
	}
	if !strings.Contains(l.Rule, "to the clock's tick of 100 ms, + monotonic execution") {
		t.Errorf("rule %q", l.Rule)
	}
}

// A body of 8 ms at a real time factor of 0.5, in a node that takes /clock on
// another thread: ROS time makes 4 ms of it.
func TestTimedOnTheWrongClock(t *testing.T) {
	p := newLoopTape(t, every(10*ms), timeline.Entity{TimerClock: timeline.SimClock})
	for i := range 100 {
		ros := time.Duration(i) * 10 * ms
		p.jobROS(2*ros, 8*ms, ros, ros+4*ms)
	}
	_, found := p.figures()
	p.wantText("timed-on-the-wrong-clock", "4 ms in the mean", "8 ms", "0.5000")
	p.wantNoFinding(found, "ros-time-stood-still")
	p.wantNoFinding(found, "timer-clock-assumed")
}

func TestPeriodIsUnknown(t *testing.T) {
	p := newLoopTape(t, Options{}, timeline.Entity{})
	for i := range 10 {
		p.job(time.Duration(i)*10*ms, ms)
	}
	l, found := p.figures()
	p.wantFinding(found, "period-unknown")
	if l.PeriodS != nil || l.DeadlineS != nil || l.Missed != nil || l.Skipped != nil || l.OverPeriod != nil || l.JitterS != nil || l.Rule != "" || l.Anchored {
		t.Errorf("%+v", l)
	}
	p.want("mean interval", &l.IntervalS.Mean, 0.010)

	// With a deadline and recorded releases responses are known all the same.
	p = newLoopTape(t, Options{Loop: LoopOptions{Deadline: 5 * ms}}, timeline.Entity{})
	for i := range 10 {
		p.released(time.Duration(i) * 10 * ms)
		p.job(time.Duration(i)*10*ms+2*ms, 4*ms)
	}
	l, _ = p.figures()
	p.wantCount("missed", l.Missed, 9)
	if l.Skipped != nil || l.Violations != nil {
		t.Errorf("%+v", l)
	}
	p.wantText("period-unknown", "no skipped releases can be counted")
}

func TestTimerClockIsAssumed(t *testing.T) {
	for _, c := range []struct {
		name   string
		clock  timeline.Clock
		period time.Duration // of the starts, on the monotonic clock
		want   bool
	}{
		{"follows ROS time", timeline.UnknownClock, 20 * ms, true},
		{"a wall timer in a simulation", timeline.UnknownClock, 10 * ms, false},
		{"known", timeline.MonoClock, 20 * ms, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newLoopTape(t, every(10*ms), timeline.Entity{TimerClock: c.clock})
			for i := range 100 {
				at := time.Duration(i) * c.period
				p.jobROS(at, 0, at/2, at/2)
			}
			_, found := p.figures()
			if c.want {
				p.wantText("timer-clock-assumed", "0.5000", "median interval 10 ms, on the monotonic clock 20 ms")
			} else {
				p.wantNoFinding(found, "timer-clock-assumed")
			}
		})
	}
}

// The first start that counts is 4 ms late, so the others seem 4 ms early.
func TestGridIsLaidLate(t *testing.T) {
	p := newLoopTape(t, every(10*ms), timeline.Entity{})
	p.job(0, ms)
	p.job(14*ms, ms)
	for i := range 20 {
		p.job(time.Duration(i+2)*10*ms, ms)
	}
	p.wantText("grid-laid-late", "came 4 ms before its release")
}

// Starts of a healthy loop are some tens of microseconds late, some more: no
// word about it.
func TestNoNoiseOnACleanLoop(t *testing.T) {
	for _, recorded := range []bool{false, true} {
		p := newLoopTape(t, every(10*ms), timeline.Entity{})
		for i := range 500 {
			release := time.Duration(i) * 10 * ms
			at := release + time.Duration(i*7919%300)*us
			if recorded {
				p.released(release)
			}
			p.jobROS(at, 800*us, at, at+800*us)
		}
		if _, found := p.figures(); len(found) != 0 {
			t.Errorf("findings %q", found)
		}
	}
}
