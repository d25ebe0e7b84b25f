package report

import (
	"fmt"
	"testing"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/model"
)

// judgeLoops judges one loop, /l, of which the figures are l.
func judgeLoops(l *analysis.Loop, partial bool, c model.LoopContract) []Contract {
	c.Name = "/l"
	figures := &analysis.Figures{}
	if l != nil {
		l.Name = "/l"
		figures.Loops = []*analysis.Loop{l}
	}
	return judge(figures, partial, &model.System{File: "takt.yaml", Loops: []model.LoopContract{c}})
}

// counted is a loop of 100 callbacks, period and deadline 10 ms.
func counted(missed, skipped uint64) *analysis.Loop {
	return &analysis.Loop{
		TimerClock: "steady", PeriodS: ptr(0.01), DeadlineS: ptr(0.01), Callbacks: 100,
		GridPeriods: ptr(99 + skipped), Missed: &missed, Skipped: &skipped, Violations: ptr(missed + skipped),
		ResponseS: series(100, 0.009), LatenessS: series(100, 0.0004), IntervalS: series(99, 0.0105),
		OverPeriodPlusJitter: ptr(uint64(0)), JitterS: ptr(0.0005),
	}
}

// changed is a loop after a change.
func changed(l *analysis.Loop, change func(*analysis.Loop)) *analysis.Loop {
	change(l)
	return l
}

func TestLoopDeadlines(t *testing.T) {
	deadline := model.LoopContract{Deadline: ms(10)}
	atMost := func(n uint64) model.LoopContract { return model.LoopContract{Deadline: ms(10), Violations: &n} }
	soft := model.LoopContract{Kind: model.Soft, Deadline: ms(10), Allowed: 0.05}
	few := changed(counted(1, 0), func(l *analysis.Loop) { l.Callbacks, l.ResponseS = 3, series(3, 0.02) })
	for _, test := range []struct {
		name    string
		loop    *analysis.Loop
		partial bool
		c       model.LoopContract
		want    judged
	}{
		{"none", counted(0, 0), false, deadline, judged{"deadline 10 ms", Pass, ""}},
		{"one missed", counted(1, 0), false, deadline, judged{"deadline 10 ms", Fail, ""}},
		{"one skipped", counted(0, 1), false, deadline, judged{"deadline 10 ms", Fail, ""}},
		{"as many as allowed", counted(2, 1), false, atMost(3), judged{"deadline 10 ms with at most 3 violations", Pass, ""}},
		{"one more", counted(2, 2), false, atMost(3), judged{"deadline 10 ms with at most 3 violations", Fail, ""}},
		{"firm counts the late as lost", counted(2, 2), false, model.LoopContract{Kind: model.Firm, Deadline: ms(10), Violations: ptr(uint64(3))},
			judged{"deadline 10 ms with at most 3 violations", Fail, ""}},
		{"violations of the period", counted(1, 0), false, model.LoopContract{Violations: ptr(uint64(0))}, judged{"violations 0", Fail, ""}},
		{"none of the period", counted(0, 0), false, model.LoopContract{Violations: ptr(uint64(0))}, judged{"violations 0", Pass, ""}},

		// 5 of 100 releases are 5 %; of 96 that ran and 4 skipped likewise.
		{"soft within its share", counted(5, 0), false, soft, judged{"deadline 10 ms for all but 5 %", Pass, ""}},
		{"soft over it", counted(6, 0), false, soft, judged{"deadline 10 ms for all but 5 %", Fail, ""}},
		{"soft with skipped", changed(counted(1, 4), func(l *analysis.Loop) { l.Callbacks, l.ResponseS = 96, series(96, 1) }), false, soft,
			judged{"deadline 10 ms for all but 5 %", Pass, ""}},

		{"a violation among few", few, false, deadline, judged{"deadline 10 ms", Fail, ""}},
		{"none among few", changed(counted(0, 0), func(l *analysis.Loop) { l.Callbacks, l.ResponseS = 9, series(9, 0.001) }), false, deadline,
			judged{"deadline 10 ms", Inconclusive, "9 values measured, at least 10 are needed"}},
		{"a share of few breaks nothing", changed(counted(9, 0), func(l *analysis.Loop) { l.Callbacks, l.ResponseS = 9, series(9, 1) }), false, soft,
			judged{"deadline 10 ms for all but 5 %", Inconclusive, "at least 10"}},
		{"held in what is left of a partial source", counted(0, 0), true, deadline, judged{"deadline 10 ms", Inconclusive, "part of the source"}},
		{"broken in what is left of it", counted(1, 0), true, deadline, judged{"deadline 10 ms", Fail, ""}},
		{"held with an interval unread", changed(counted(0, 0), func(l *analysis.Loop) { l.Unreadable = 1 }), false, deadline,
			judged{"deadline 10 ms", Inconclusive, "part of the source"}},
		{"never seen", nil, false, deadline, judged{"deadline 10 ms", Inconclusive, "does not have it"}},
		{"never ran", &analysis.Loop{}, false, deadline, judged{"deadline 10 ms", Inconclusive, "no callback"}},

		{"by another deadline", changed(counted(0, 0), func(l *analysis.Loop) { l.DeadlineS = ptr(0.02) }), false, deadline,
			judged{"deadline 10 ms", Inconclusive, "by a deadline of 20 ms, not of 10 ms"}},
		{"by another period", counted(0, 0), false, model.LoopContract{Period: ms(20), Deadline: ms(10)},
			judged{"deadline 10 ms", Inconclusive, "with a period of 10 ms, not of 20 ms"}},
		{"by another clock", counted(0, 0), false, model.LoopContract{OnROS: true, Deadline: ms(10)},
			judged{"deadline 10 ms", Inconclusive, "on the steady clock, not on ROS time"}},
		{"on ROS time by the source", changed(counted(0, 0), func(l *analysis.Loop) { l.TimerClock = "ros" }), false, deadline, judged{"deadline 10 ms", Pass, ""}},
		{"without a period", changed(counted(0, 0), func(l *analysis.Loop) { l.PeriodS, l.Skipped, l.Violations = nil, nil, nil }), false, deadline,
			judged{"deadline 10 ms", Inconclusive, "skipped releases are not known"}},
		{"missed without a period", changed(counted(1, 0), func(l *analysis.Loop) { l.PeriodS, l.Skipped, l.Violations = nil, nil, nil }), false, deadline,
			judged{"deadline 10 ms", Fail, ""}},
		{"without ends", changed(counted(0, 0), func(l *analysis.Loop) { l.Missed, l.Violations, l.ResponseS = nil, nil, nil }), false, deadline,
			judged{"deadline 10 ms", Inconclusive, "no response is known"}},
		{"skipped without ends", changed(counted(0, 1), func(l *analysis.Loop) { l.Missed, l.Violations, l.ResponseS = nil, nil, nil }), false, deadline,
			judged{"deadline 10 ms", Fail, ""}},
		{"neither deadline nor period known", changed(counted(0, 0), func(l *analysis.Loop) { l.PeriodS, l.DeadlineS, l.Missed, l.Skipped = nil, nil, nil, nil }), false,
			model.LoopContract{Violations: ptr(uint64(0))}, judged{"violations 0", Inconclusive, "neither a deadline nor its period"}},

		// One callback runs when the source ends; a second without an end may have missed.
		{"one unfinished", changed(counted(0, 0), func(l *analysis.Loop) { l.Callbacks = 101 }), false, deadline, judged{"deadline 10 ms", Pass, ""}},
		{"two unfinished", changed(counted(0, 0), func(l *analysis.Loop) { l.Callbacks = 102 }), false, deadline,
			judged{"deadline 10 ms", Inconclusive, "the response of 2 of 102 callbacks is not known"}},
		{"two unfinished of three allowed", changed(counted(1, 0), func(l *analysis.Loop) { l.Callbacks = 102 }), false, atMost(3),
			judged{"deadline 10 ms with at most 3 violations", Pass, ""}},

		// The longest response is 9 ms from a grid that was laid 1.1 ms late: 10.1 ms.
		{"by a grid laid late", changed(counted(0, 0), func(l *analysis.Loop) { l.Anchored, l.LatenessS.Min = true, -0.0011 }), false, deadline,
			judged{"deadline 10 ms", Inconclusive, "itself late by 1.100 ms"}},
		{"by a grid laid a little late", changed(counted(0, 0), func(l *analysis.Loop) { l.Anchored, l.LatenessS.Min = true, -0.001 }), false, deadline,
			judged{"deadline 10 ms", Pass, ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkJudged(t, judgeLoops(test.loop, test.partial, test.c), []judged{test.want})
		})
	}
}

func TestLoopLimits(t *testing.T) {
	onROS := func(longest float64) *analysis.Loop {
		return changed(counted(0, 0), func(l *analysis.Loop) {
			l.TimerClock, l.IntervalS, l.IntervalRosS = "ros", series(99, 0.02), series(99, longest)
		})
	}
	softly := func(c model.LoopContract) model.LoopContract {
		c.Kind, c.Allowed = model.Soft, 0.05
		return c
	}
	over := func(n uint64) *analysis.Loop {
		return changed(counted(0, 0), func(l *analysis.Loop) {
			l.IntervalS, l.OverPeriodPlusJitter, l.OverBudget, l.BudgetS = series(100, 0.03), &n, &n, ptr(0.025)
		})
	}
	for _, test := range []struct {
		name string
		loop *analysis.Loop
		c    model.LoopContract
		want judged
	}{
		{"late by as much as allowed", counted(0, 0), model.LoopContract{MaxLateness: 400 * time.Microsecond}, judged{"max_lateness 400 µs", Pass, ""}},
		{"a nanosecond later", counted(0, 0), model.LoopContract{MaxLateness: 399_999}, judged{"max_lateness 399.999 µs", Fail, ""}},
		{"a share", counted(0, 0), model.LoopContract{MaxLatenessShare: 0.04}, judged{"max_lateness 4 % of the period (400 µs)", Pass, ""}},
		{"a smaller share", counted(0, 0), model.LoopContract{MaxLatenessShare: 0.03}, judged{"max_lateness 3 % of the period (300 µs)", Fail, ""}},
		{"soft is judged on the maximum too", counted(0, 0), softly(model.LoopContract{MaxLatenessShare: 0.03}), judged{"max_lateness 3 % of the period (300 µs)", Fail, ""}},
		{"a share of nothing known", changed(counted(0, 0), func(l *analysis.Loop) { l.PeriodS = nil }), model.LoopContract{MaxLatenessShare: 0.04},
			judged{"max_lateness 4 % of the period", Inconclusive, "its period is not known"}},
		{"no lateness", changed(counted(0, 0), func(l *analysis.Loop) { l.LatenessS = nil }), model.LoopContract{MaxLateness: ms(1)},
			judged{"max_lateness 1 ms", Inconclusive, "no lateness is known"}},
		{"lateness of some", changed(counted(0, 0), func(l *analysis.Loop) { l.LatenessS.Count = 50 }), model.LoopContract{MaxLateness: ms(1)},
			judged{"max_lateness 1 ms", Inconclusive, "the lateness of 50 of 100 callbacks is not known"}},
		{"from a grid laid late", changed(counted(0, 0), func(l *analysis.Loop) { l.Anchored, l.LatenessS.Min = true, -0.0002 }), model.LoopContract{MaxLateness: 500 * time.Microsecond},
			judged{"max_lateness 500 µs", Inconclusive, "itself late by 200 µs"}},

		// Period 10 ms, longest interval 10.5 ms.
		{"jitter at the limit", counted(0, 0), model.LoopContract{JitterShare: 0.05}, judged{"jitter 5 % of the period (500 µs)", Pass, ""}},
		{"jitter over it", counted(0, 0), model.LoopContract{Jitter: 499_999}, judged{"jitter 499.999 µs", Fail, ""}},
		{"jitter with the period of the contract", changed(counted(0, 0), func(l *analysis.Loop) { l.PeriodS = nil }), model.LoopContract{Period: ms(10), Jitter: ms(1)},
			judged{"jitter 1 ms", Inconclusive, "without its period"}},
		{"jitter of nothing known", changed(counted(0, 0), func(l *analysis.Loop) { l.PeriodS = nil }), model.LoopContract{Jitter: ms(1)},
			judged{"jitter 1 ms", Inconclusive, "its period is not known"}},
		{"jitter of one callback", changed(counted(0, 0), func(l *analysis.Loop) { l.IntervalS = nil }), model.LoopContract{Jitter: ms(1)},
			judged{"jitter 1 ms", Inconclusive, "fewer than two callbacks"}},
		{"soft jitter within its share", over(5), softly(model.LoopContract{JitterShare: 0.05}), judged{"jitter 5 % of the period (500 µs) for all but 5 %", Pass, ""}},
		{"soft jitter over it", over(6), softly(model.LoopContract{JitterShare: 0.05}), judged{"jitter 5 % of the period (500 µs) for all but 5 %", Fail, ""}},
		{"soft jitter counted by another", over(5), softly(model.LoopContract{JitterShare: 0.1}), judged{"jitter 10 % of the period (1 ms) for all but 5 %", Inconclusive, "did not count what is over 11 ms"}},
		// At a real time factor of 0.5 all intervals on the monotonic clock are 20 ms.
		{"jitter on the timer's own clock", onROS(0.0105), model.LoopContract{JitterShare: 0.05}, judged{"jitter 5 % of the period (500 µs) in ROS time", Pass, ""}},
		{"jitter over it there", onROS(0.0106), model.LoopContract{JitterShare: 0.05}, judged{"jitter 5 % of the period (500 µs) in ROS time", Fail, ""}},

		{"within the budget", onROS(0.01), model.LoopContract{Budget: ms(20)}, judged{"budget 20 ms", Pass, ""}},
		{"over the budget", onROS(0.01), model.LoopContract{Budget: ms(19)}, judged{"budget 19 ms", Fail, ""}},
		{"soft budget within its share", over(5), softly(model.LoopContract{Budget: ms(25)}), judged{"budget 25 ms for all but 5 %", Pass, ""}},
		{"soft budget over it", over(6), softly(model.LoopContract{Budget: ms(25)}), judged{"budget 25 ms for all but 5 %", Fail, ""}},
		{"a budget needs no period", changed(counted(0, 0), func(l *analysis.Loop) { l.PeriodS = nil }), model.LoopContract{Budget: ms(25)}, judged{"budget 25 ms", Pass, ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkJudged(t, judgeLoops(test.loop, false, test.c), []judged{test.want})
		})
	}
}

// A published tutorial allows a latency of 5 % of a period of 1 ms, and
// measures 19871.8 ns in the mean and 2752187 ns at most: judged by its mean it
// would pass.
func TestMeanPassesMaximumFails(t *testing.T) {
	p := readExperiment(t).Tutorial
	loop := &analysis.Loop{
		TimerClock: "steady", PeriodS: ptr(p.PeriodUs / 1e6), Callbacks: 1000,
		LatenessS: &analysis.Series{Count: 1000, Mean: p.MeanNs / 1e9, Max: p.MaxNs / 1e9, MaxAtS: 0.25},
	}
	got := judgeLoops(loop, false, model.LoopContract{MaxLatenessShare: p.Percent / 100})
	checkJudged(t, got, []judged{{"max_lateness 5 % of the period (50 µs)", Fail, ""}})
	if want := "at most 2.752 ms, at 0.250 s, mean 19.872 µs: the mean passes, the maximum fails"; got[0].Text != want {
		t.Errorf("%q, want %q", got[0].Text, want)
	}
	if got[0].Unit != "s" || !near(got[0].Bound, p.AllowedUs/1e6) || !near(*got[0].Measured, p.MaxNs/1e9) {
		t.Errorf("%g against %g %s", *got[0].Measured, got[0].Bound, got[0].Unit)
	}
	loop.LatenessS.Max = p.MeanNs / 1e9
	checkJudged(t, judgeLoops(loop, false, model.LoopContract{MaxLatenessShare: p.Percent / 100}), []judged{{"max_lateness 5 % of the period (50 µs)", Pass, ""}})
}

// The published loop: 489 callbacks ran and 10 releases were skipped, of 499.
func TestPublishedLoopIsJudged(t *testing.T) {
	lines := ofLoops(loopPromises(), injected(t)).Verdict.Contracts
	checkJudged(t, lines, []judged{
		{"deadline 10 ms", Fail, ""},
		{"max_lateness 5 % of the period (500 µs)", Fail, ""},
		{"jitter 15 ms in ROS time", Pass, ""},
		{"budget 25 ms", Pass, ""},
		{"deadline 100 ms", Inconclusive, "the source does not have it"},
	})
	first := lines[0]
	if first.Subject != "loop loop" || first.Place != "takt.yaml:3" || *first.Measured != 30 || first.Bound != 0 || first.Unit != "1" {
		t.Errorf("%+v", first)
	}
	if want := "20 missed, 10 skipped: 30 violations of 499 releases (489 callbacks ran); longest response 22 ms, at 0.250 s"; first.Text != want {
		t.Errorf("%q, want %q", first.Text, want)
	}
}

func TestLoopsOfOneNameAreNotJudged(t *testing.T) {
	a, b := counted(0, 0), counted(0, 0)
	a.Name, b.Name = "timer", "timer"
	sys := &model.System{Loops: []model.LoopContract{{Name: "timer", Deadline: ms(10)}}}
	checkJudged(t, judge(&analysis.Figures{Loops: []*analysis.Loop{a, b}}, false, sys), []judged{{"deadline 10 ms", Inconclusive, "2 loops of this name"}})
}

// The clock's limits, the topics', then the loops' come in the order of the file.
func TestLoopsAreJudgedLast(t *testing.T) {
	sys := promises()
	sys.Loops = []model.LoopContract{{Name: "b", Deadline: ms(1)}, {Name: "a", Deadline: ms(1)}}
	lines := startup(t, sys).Verdict.Contracts
	got := fmt.Sprint(lines[len(lines)-2].Subject, ", ", lines[len(lines)-1].Subject)
	if got != "loop b, loop a" {
		t.Error(got)
	}
}
