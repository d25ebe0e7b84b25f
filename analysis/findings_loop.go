package analysis

import (
	"fmt"
	"math"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// monotonicRemedy is for whoever timed a callback on ROS time.
const monotonicRemedy = "time callbacks with the monotonic clock: time.monotonic_ns(), std::chrono::steady_clock"

// rtfIsOne is how near to 1 a real time factor is not worth a word: as near as
// a few late ticks at either end of a short run may bring it.
const rtfIsOne = 0.05

func (a *Analyzer) loopFindings(f *Figures) (all []timeline.Finding) {
	for i, l := range a.periodicLoops() {
		n := loopNotes{l: l, f: f.Loops[i], tick: l.ros.tick().Seconds()}
		if c := f.Clock; c != nil && c.TickSimS != nil {
			n.tick = *c.TickSimS
		}
		n.misses()
		n.known()
		n.timerClock()
		n.anchor()
		n.rosTime()
		n.wrongClock()
		n.lost()
		all = append(all, n.all...)
	}
	return all
}

// loopNotes gather the findings of one loop.
type loopNotes struct {
	l    *loop
	f    *Loop
	tick float64 // of ROS time, in seconds: the clock's, or a bound by what was read; 0: it was not seen to move
	all  []timeline.Finding
}

func (n *loopNotes) add(id string, s timeline.Severity, remedy, text string, with ...any) {
	n.all = append(n.all, note(id, s, n.f.Name, remedy, text, with...))
}

// misses tells of violations, beside the figures that hide them.
func (n *loopNotes) misses() {
	f := n.f
	var text string
	if f.Missed != nil && *f.Missed > 0 {
		text = fmt.Sprintf("%d of %s missed the deadline of %s (longest response %s)",
			*f.Missed, quantity.Count(f.Callbacks, "callback"), quantity.Seconds(*f.DeadlineS), quantity.Seconds(f.ResponseS.Max))
	}
	if f.Skipped != nil && *f.Skipped > 0 {
		if text != "" {
			text += " and "
		}
		text += quantity.Count(*f.Skipped, "release") + " skipped"
	}
	if text == "" {
		return
	}
	n.add("loop-misses", timeline.Warning, "find what takes long in the callback or keeps its thread; judge by missed and skipped, never by a mean or a real time factor",
		"%s%s", text, n.hidden())
}

// hidden names the figures that do not show violations: a mean interval near
// the period, on the timer's clock, and a real time factor near 1.
func (n *loopNotes) hidden() string {
	f, s, on := n.f, n.f.IntervalS, ""
	if n.l.onROS {
		s, on = f.IntervalRosS, " in ROS time"
	}
	if s == nil || f.PeriodS == nil || s.Mean > 1.05**f.PeriodS {
		return ""
	}
	mean := fmt.Sprintf(", while the mean interval%s is %s", on, quantity.Seconds(s.Mean))
	if f.RTF == nil || math.Abs(*f.RTF-1) > rtfIsOne {
		return mean + ", which does not show it"
	}
	return fmt.Sprintf("%s and the real time factor %s: neither shows it", mean, quantity.Factor(*f.RTF))
}

// known tells what is not.
func (n *loopNotes) known() {
	if n.l.entity.Kind != timeline.TimerEntity {
		return
	}
	if !n.l.begun {
		n.add("loop-never-ran", timeline.Warning, "", "no callback of it was recorded")
		return
	}
	if n.l.period == 0 {
		what := "neither deadlines nor skipped releases"
		if n.l.deadline > 0 {
			what = "no skipped releases"
		}
		n.add("period-unknown", timeline.Info, "give it with --period, such as --period 10ms, or as the loop's period in takt.yaml",
			"its period is not known, so %s can be counted", what)
	}
}

// timerClock tells if the timer was taken as steady but seems to follow ROS
// time: that runs at another rate, and it is there that the starts keep the period.
func (n *loopNotes) timerClock() {
	f, l := n.f, n.l
	if l.onROS || l.entity.TimerClock != timeline.UnknownClock || f.RTF == nil || f.IntervalRosS == nil || l.period == 0 {
		return
	}
	off := func(s *Series) float64 { return math.Abs(s.P50 - *f.PeriodS) }
	if math.Abs(*f.RTF-1) <= rtfIsOne || off(f.IntervalRosS) >= off(f.IntervalS) {
		return
	}
	n.add("timer-clock-assumed", timeline.Warning, "if the timer follows simulated time, say --timer-clock ros, or timer_clock: ros in takt.yaml",
		"taken as a steady timer, but ROS time is simulated (real time factor %s) and it is there that the starts keep the period of %s: median interval %s, on the monotonic clock %s",
		quantity.Factor(*f.RTF), quantity.Seconds(*f.PeriodS), quantity.Seconds(f.IntervalRosS.P50), quantity.Seconds(f.IntervalS.P50))
}

// anchor tells if the grid was laid from a start that was late itself.
func (n *loopNotes) anchor() {
	f := n.f
	if !f.Anchored || f.LatenessS == nil {
		return
	}
	slack := n.l.jitter.Seconds()
	if n.l.onROS {
		slack = max(slack, n.tick)
	}
	if early := -f.LatenessS.Min; early > slack {
		n.add("grid-laid-late", timeline.Warning, "record the scheduled instant of each callback, or begin the recording when the loop runs steadily",
			"the grid was laid from the first start, which was itself late: a start at %s came %s before its release, so lateness and response are short by as much",
			quantity.At(f.LatenessS.MinAtS), quantity.Seconds(early))
	}
}

// rosTime tells what is wrong with ROS time as the callback read it.
func (n *loopNotes) rosTime() {
	f, l := n.f, n.l
	if l.onROS && l.lateness.Count() < l.callbacks {
		n.add("ros-time-missing", timeline.Warning, "record ROS time at the start of every callback",
			"the timer follows ROS time, and %d of %s have none: their lateness and response are not known", l.callbacks-l.lateness.Count(), quantity.Count(l.callbacks, "start"))
	}
	if f.Resets > 0 {
		what := ""
		if l.onROS {
			what = ": the grid of releases begins anew there"
		}
		n.add("ros-time-went-back", timeline.Warning, "expected after a reset, a loop or a seek; else look for a second publisher of /clock",
			"ROS time went back %s%s", quantity.Count(f.Resets, "time"), what)
	}
	if count := n.stoodStill(); count > 0 {
		longest, _ := l.still.Max()
		n.add("ros-time-stood-still", timeline.Warning, monotonicRemedy,
			"ROS time did not move during %s; the longest took %s on the monotonic clock and 0 s in ROS time: a node on one thread takes no /clock while its callback runs",
			quantity.Count(count, "callback"), quantity.Seconds(longest))
	}
}

// stoodStill counts the jobs in which ROS time did not move although it should
// have, twice at least.
func (n *loopNotes) stoodStill() (count uint64) {
	if n.f.RTF == nil || n.tick == 0 {
		return 0
	}
	n.l.still.Each(func(exec float64, times uint64) {
		if exec**n.f.RTF > 2*n.tick {
			count += times
		}
	})
	return count
}

// wrongClock tells if execution in ROS time is the true one times the real
// time factor, which somebody who times with ROS time would not notice.
func (n *loopNotes) wrongClock() {
	f := n.f
	if f.ExecS == nil || f.ExecRosS == nil || f.RTF == nil || f.ExecS.Mean <= 0 {
		return
	}
	rtf, ratio := *f.RTF, f.ExecRosS.Mean/f.ExecS.Mean
	enough := f.ExecRosS.Mean*float64(f.ExecRosS.Count) > 20*n.tick
	if !enough || math.Abs(rtf-1) <= rtfIsOne || math.Abs(ratio-rtf) > rtfIsOne*rtf {
		return
	}
	n.add("timed-on-the-wrong-clock", timeline.Warning, monotonicRemedy,
		"execution in ROS time is %s in the mean and %s at most, on the monotonic clock %s and %s: the ratio of %s is the real time factor, %s, so whoever times with ROS time is wrong by it",
		quantity.Seconds(f.ExecRosS.Mean), quantity.Seconds(f.ExecRosS.Max), quantity.Seconds(f.ExecS.Mean), quantity.Seconds(f.ExecS.Max),
		quantity.Factor(ratio), quantity.Factor(rtf))
}

// lost tells what the source lacks. One job may run when the timeline ends.
func (n *loopNotes) lost() {
	f := n.f
	if f.Unfinished > 1 {
		n.add("jobs-unfinished", timeline.Warning, "",
			"%d of %s have no recorded end: their response is not known, so more may have missed the deadline", f.Unfinished, quantity.Count(f.Callbacks, "callback"))
	}
	if f.Unreadable > 0 {
		n.add("interval-unreadable", timeline.Warning, "",
			"%s left out, because part of the recording between could not be read", quantity.Count(f.Unreadable, "interval"))
	}
}
