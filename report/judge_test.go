package report

import (
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/model"
)

// series is a series of n values of which only the judged figures matter.
func series(n uint64, most float64) *analysis.Series {
	return &analysis.Series{Count: n, Mean: most, P50: most, P95: most, P99: most, Max: most}
}

// A judged is one limit as judged.
type judged struct {
	limit  string
	result Result
	why    string // contained in Contract.Why
}

func checkJudged(t *testing.T, got []Contract, want []judged) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d limits judged, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		g := got[i]
		if g.Limit != w.limit || g.Result != w.result || !strings.Contains(g.Why, w.why) || (w.why == "") != (g.Why == "") {
			t.Errorf("%s: %s (%s; %q), want %s: %s (%q)", g.Limit, g.Result, g.Text, g.Why, w.limit, w.result, w.why)
		}
	}
}

// judgeOne judges one topic, /t, of which the figures are f.
func judgeOne(f *analysis.Topic, clock *analysis.Clock, partial bool, c model.TopicContract) []Contract {
	c.Name = "/t"
	figures := &analysis.Figures{Clock: clock}
	if f != nil {
		f.Name = "/t"
		figures.Topics = []*analysis.Topic{f}
	}
	return judge(figures, partial, &model.System{File: "takt.yaml", Topics: []model.TopicContract{c}})
}

func TestTopicLimits(t *testing.T) {
	const few, enough = "at least 10 are needed", ""
	wall := &analysis.Stamps{Nonzero: 100, Domain: "wall"}
	for _, test := range []struct {
		name    string
		topic   *analysis.Topic
		partial bool
		c       model.TopicContract
		want    judged
	}{
		// A rate of 200 Hz within 5 % is from 190 to 210 Hz, ends included.
		{"rate at its lower end", &analysis.Topic{Count: 100, RateHz: ptr(190.0)}, false,
			model.TopicContract{Rate: 200, RateTolerance: 0.05}, judged{"rate 200 Hz ± 5 %", Pass, enough}},
		{"rate below it", &analysis.Topic{Count: 100, RateHz: ptr(189.999)}, false,
			model.TopicContract{Rate: 200, RateTolerance: 0.05}, judged{"rate 200 Hz ± 5 %", Fail, ""}},
		{"rate above", &analysis.Topic{Count: 100, RateHz: ptr(210.001)}, false,
			model.TopicContract{Rate: 200, RateTolerance: 0.05}, judged{"rate 200 Hz ± 5 %", Fail, ""}},
		{"a mean of few values breaks nothing", &analysis.Topic{Count: 10, RateHz: ptr(1.0)}, false,
			model.TopicContract{Rate: 200, RateTolerance: 0.05}, judged{"rate 200 Hz ± 5 %", Inconclusive, few}},
		{"ten intervals are enough", &analysis.Topic{Count: 11, RateHz: ptr(1.0)}, false,
			model.TopicContract{Rate: 200, RateTolerance: 0.05}, judged{"rate 200 Hz ± 5 %", Fail, ""}},
		{"rate lowered by a hole", &analysis.Topic{Count: 100, RateHz: ptr(150.0), Unreadable: 1}, true,
			model.TopicContract{Rate: 200, RateTolerance: 0.05}, judged{"rate 200 Hz ± 5 %", Inconclusive, "could not be read"}},
		{"rate too high in spite of a hole", &analysis.Topic{Count: 100, RateHz: ptr(250.0), Unreadable: 1}, true,
			model.TopicContract{Rate: 200, RateTolerance: 0.05}, judged{"rate 200 Hz ± 5 %", Fail, ""}},
		{"no simulated time", &analysis.Topic{Count: 100, RateHz: ptr(200.0)}, false,
			model.TopicContract{Rate: 200, RateTolerance: 0.05, SimRate: true}, judged{"rate 200 Hz ± 5 % in simulated time", Inconclusive, "no simulated time"}},
		{"simulated rate", &analysis.Topic{Count: 100, RateHz: ptr(100.0), RateSimHz: ptr(200.0)}, false,
			model.TopicContract{Rate: 200, RateTolerance: 0.05, SimRate: true}, judged{"rate 200 Hz ± 5 % in simulated time", Pass, ""}},

		{"interval at the limit", &analysis.Topic{Count: 100, IntervalS: series(99, 0.008)}, false,
			model.TopicContract{MaxInterval: ms(8)}, judged{"max_interval 8 ms", Pass, ""}},
		{"a nanosecond over", &analysis.Topic{Count: 100, IntervalS: series(99, 0.008000001)}, false,
			model.TopicContract{MaxInterval: ms(8)}, judged{"max_interval 8 ms", Fail, ""}},
		{"a violation among few", &analysis.Topic{Count: 3, IntervalS: series(2, 0.009)}, false,
			model.TopicContract{MaxInterval: ms(8)}, judged{"max_interval 8 ms", Fail, ""}},
		{"none among few", &analysis.Topic{Count: 10, IntervalS: series(9, 0.001)}, false,
			model.TopicContract{MaxInterval: ms(8)}, judged{"max_interval 8 ms", Inconclusive, few}},
		{"held in what is left of a partial source", &analysis.Topic{Count: 100, IntervalS: series(99, 0.001)}, true,
			model.TopicContract{MaxInterval: ms(8)}, judged{"max_interval 8 ms", Inconclusive, "part of the source"}},
		{"broken in what is left of it", &analysis.Topic{Count: 100, IntervalS: series(99, 0.009)}, true,
			model.TopicContract{MaxInterval: ms(8)}, judged{"max_interval 8 ms", Fail, ""}},
		{"held with an interval unread", &analysis.Topic{Count: 100, IntervalS: series(99, 0.001), Unreadable: 1}, false,
			model.TopicContract{MaxInterval: ms(8)}, judged{"max_interval 8 ms", Inconclusive, "part of the source"}},
		{"one message", &analysis.Topic{Count: 1}, false,
			model.TopicContract{MaxInterval: ms(8)}, judged{"max_interval 8 ms", Inconclusive, "fewer than two messages"}},
		{"no message", &analysis.Topic{}, false,
			model.TopicContract{MaxGap: ms(8)}, judged{"max_gap 8 ms", Inconclusive, "no message"}},
		{"no topic", nil, false,
			model.TopicContract{MaxGap: ms(8)}, judged{"max_gap 8 ms", Inconclusive, "does not have it"}},

		{"gap between messages", &analysis.Topic{Count: 100, IntervalS: series(99, 2), StartSilenceS: ptr(0.5), EndSilenceS: ptr(0.5)}, false,
			model.TopicContract{MaxGap: time.Second}, judged{"max_gap 1 s", Fail, ""}},
		{"silence before the first", &analysis.Topic{Count: 100, IntervalS: series(99, 0.1), StartSilenceS: ptr(1.5), EndSilenceS: ptr(0.5)}, false,
			model.TopicContract{MaxGap: time.Second}, judged{"max_gap 1 s", Fail, ""}},
		{"silence after the last", &analysis.Topic{Count: 1, StartSilenceS: ptr(0.5), EndSilenceS: ptr(1.5)}, false,
			model.TopicContract{MaxGap: time.Second}, judged{"max_gap 1 s", Fail, ""}},
		{"no long silence", &analysis.Topic{Count: 100, IntervalS: series(99, 0.1), StartSilenceS: ptr(0.5), EndSilenceS: ptr(1.0)}, false,
			model.TopicContract{MaxGap: time.Second}, judged{"max_gap 1 s", Pass, ""}},

		{"soft within its share", &analysis.Topic{Count: 101, IntervalS: series(100, 0.02), OverInterval: &analysis.Over{LimitS: 0.008, Of: 100, Count: 5}}, false,
			model.TopicContract{Kind: model.Soft, MaxInterval: ms(8), Allowed: 0.05}, judged{"max_interval 8 ms for all but 5 %", Pass, ""}},
		{"soft over its share", &analysis.Topic{Count: 101, IntervalS: series(100, 0.02), OverInterval: &analysis.Over{LimitS: 0.008, Of: 100, Count: 6}}, false,
			model.TopicContract{Kind: model.Soft, MaxInterval: ms(8), Allowed: 0.05}, judged{"max_interval 8 ms for all but 5 %", Fail, ""}},
		{"soft with none over it, uncounted", &analysis.Topic{Count: 101, IntervalS: series(100, 0.008)}, false,
			model.TopicContract{Kind: model.Soft, MaxInterval: ms(8), Allowed: 0.05}, judged{"max_interval 8 ms for all but 5 %", Pass, ""}},
		{"soft with some over it, uncounted", &analysis.Topic{Count: 101, IntervalS: series(100, 0.009)}, false,
			model.TopicContract{Kind: model.Soft, MaxInterval: ms(8), Allowed: 0.05}, judged{"max_interval 8 ms for all but 5 %", Inconclusive, "did not count"}},
		{"soft, counted by another limit", &analysis.Topic{Count: 101, IntervalS: series(100, 0.02), OverInterval: &analysis.Over{LimitS: 0.01, Of: 100, Count: 1}}, false,
			model.TopicContract{Kind: model.Soft, MaxInterval: ms(8), Allowed: 0.05}, judged{"max_interval 8 ms for all but 5 %", Inconclusive, "did not count"}},
		{"a share of few breaks nothing", &analysis.Topic{Count: 10, IntervalS: series(9, 0.02), OverInterval: &analysis.Over{LimitS: 0.008, Of: 9, Count: 9}}, false,
			model.TopicContract{Kind: model.Soft, MaxInterval: ms(8), Allowed: 0.05}, judged{"max_interval 8 ms for all but 5 %", Inconclusive, few}},

		{"age on the wall", &analysis.Topic{Count: 100, Stamps: wall, AgeS: &analysis.Age{Clock: "wall", Series: *series(100, 0.02)}}, false,
			model.TopicContract{MaxAge: ms(20)}, judged{"max_age 20 ms", Pass, ""}},
		{"too old", &analysis.Topic{Count: 100, Stamps: wall, AgeS: &analysis.Age{Clock: "wall", Series: *series(100, 0.021)}}, false,
			model.TopicContract{MaxAge: ms(20)}, judged{"max_age 20 ms", Fail, ""}},
		{"no stamps", &analysis.Topic{Count: 100}, false,
			model.TopicContract{MaxAge: ms(20)}, judged{"max_age 20 ms", Inconclusive, "no stamp"}},
		{"zero stamps", &analysis.Topic{Count: 100, Stamps: &analysis.Stamps{Zero: 100, Domain: "zero"}}, false,
			model.TopicContract{MaxAge: ms(20)}, judged{"max_age 20 ms", Inconclusive, "zero"}},
		{"stamps of two clocks", &analysis.Topic{Count: 100, Stamps: &analysis.Stamps{Nonzero: 100, Domain: "mixed", Wall: 60, Sim: 40},
			AgeS: &analysis.Age{Clock: "wall", Series: *series(60, 1)}}, false,
			model.TopicContract{MaxAge: ms(20)}, judged{"max_age 20 ms", Inconclusive, "60 wall, 40 simulated"}},
		{"stamps of a simulator without its clock", &analysis.Topic{Count: 100, Stamps: &analysis.Stamps{Nonzero: 100, Domain: "not-wall"}}, false,
			model.TopicContract{MaxAge: ms(20)}, judged{"max_age 20 ms", Inconclusive, "no /clock"}},
		{"a stamp far behind", &analysis.Topic{Count: 100, Stamps: wall, AgeS: &analysis.Age{Clock: "wall", Series: *series(100, 0.02)}, BehindS: &analysis.Extreme{Max: 0.3}}, false,
			model.TopicContract{MaxBehind: ms(200)}, judged{"max_behind 200 ms", Fail, ""}},
		{"behind without stamps", &analysis.Topic{Count: 100}, false,
			model.TopicContract{MaxBehind: ms(200)}, judged{"max_behind 200 ms", Inconclusive, "no stamp"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkJudged(t, judgeOne(test.topic, nil, test.partial, test.c), []judged{test.want})
		})
	}
}

// With a clock that steps by 100 ms, an age read as 30 ms may be 130 ms.
func TestAgeByACoarseClock(t *testing.T) {
	clock := &analysis.Clock{Topic: "/clock", TickSimS: ptr(0.1)}
	ages := &analysis.Age{Clock: "sim", Series: analysis.Series{Count: 100, P50: -0.05, P95: -0.005, P99: 0.01, Max: 0.03}}
	for _, test := range []struct {
		c    model.TopicContract
		want judged
	}{
		{model.TopicContract{MaxAge: ms(130)}, judged{"max_age 130 ms", Pass, ""}},
		{model.TopicContract{MaxAge: ms(129)}, judged{"max_age 129 ms", Inconclusive, "/clock steps by"}},
		{model.TopicContract{MaxAge: ms(29)}, judged{"max_age 29 ms", Fail, ""}}, // too old whatever the step
		// For all but 5 %, the 95th percentile counts: -5 ms may be 95 ms.
		{model.TopicContract{Kind: model.Soft, Allowed: 0.05, MaxAge: ms(95)}, judged{"max_age 95 ms for all but 5 %", Pass, ""}},
		{model.TopicContract{Kind: model.Soft, Allowed: 0.05, MaxAge: ms(94)}, judged{"max_age 94 ms for all but 5 %", Inconclusive, "/clock steps by"}},
		// For all but 2 %, the next that is known, the 99th: 10 ms may be 110 ms.
		{model.TopicContract{Kind: model.Soft, Allowed: 0.02, MaxAge: ms(109)}, judged{"max_age 109 ms for all but 2 %", Inconclusive, "/clock steps by"}},
		// Firm, 100 Hz less 5 %: as soft for all but 5 %.
		{model.TopicContract{Kind: model.Firm, Rate: 100, RateTolerance: 0.05, MaxAge: ms(95)}, judged{"max_age 95 ms", Pass, ""}},
		{model.TopicContract{Kind: model.Firm, Rate: 100, RateTolerance: 0.05, MaxAge: ms(94)}, judged{"max_age 94 ms", Inconclusive, "/clock steps by"}},
	} {
		topic := &analysis.Topic{Count: 101, RateHz: ptr(100.0), Stamps: &analysis.Stamps{Nonzero: 100, Domain: "simulated"}, AgeS: ages}
		got := judgeOne(topic, clock, false, test.c)
		checkJudged(t, got[len(got)-1:], []judged{test.want})
	}
}

// 100 Hz within 5 % must leave 95 Hz: five of a hundred may be late, not six.
func TestFirmCountsWhatIsLateAsLost(t *testing.T) {
	topic := func(byInterval, byAge uint64) *analysis.Topic {
		return &analysis.Topic{
			Count: 101, RateHz: ptr(100.0), IntervalS: series(100, 0.03),
			Stamps:       &analysis.Stamps{Nonzero: 100, Domain: "wall"},
			AgeS:         &analysis.Age{Clock: "wall", Series: *series(100, 0.03)},
			OverInterval: &analysis.Over{LimitS: 0.02, Of: 100, Count: byInterval},
			OverAge:      &analysis.Over{LimitS: 0.02, Of: 100, Count: byAge},
		}
	}
	firm := model.TopicContract{Kind: model.Firm, Rate: 100, RateTolerance: 0.05, MaxInterval: ms(20), MaxAge: ms(20)}
	rate := judged{"rate 100 Hz ± 5 %", Pass, ""}
	for _, test := range []struct {
		name              string
		byInterval, byAge uint64
		interval, age     judged
	}{
		{"none", 0, 0, judged{"max_interval 20 ms", Pass, ""}, judged{"max_age 20 ms", Pass, ""}},
		{"5 by interval", 5, 0, judged{"max_interval 20 ms", Pass, ""}, judged{"max_age 20 ms", Pass, ""}},
		{"6 by interval", 6, 0, judged{"max_interval 20 ms", Fail, ""}, judged{"max_age 20 ms", Fail, ""}},
		{"6 by age", 0, 6, judged{"max_interval 20 ms", Pass, ""}, judged{"max_age 20 ms", Fail, ""}},
		{"3 and 3: 3 to 6 are late", 3, 3, judged{"max_interval 20 ms", Pass, ""}, judged{"max_age 20 ms", Inconclusive, "same messages"}},
		{"2 and 3: at most 5 are late", 2, 3, judged{"max_interval 20 ms", Pass, ""}, judged{"max_age 20 ms", Pass, ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkJudged(t, judgeOne(topic(test.byInterval, test.byAge), nil, false, firm), []judged{rate, test.interval, test.age})
		})
	}
	lines := judgeOne(topic(6, 0), nil, false, firm)
	if got := *lines[1].Measured; !near(got, 94) || lines[1].Bound != 95 || lines[1].Unit != "Hz" {
		t.Errorf("measured %g against %g %s, want 94 against 95 Hz", got, lines[1].Bound, lines[1].Unit)
	}
	checkJudged(t, judgeOne(topic(6, 0), nil, false, model.TopicContract{Kind: model.Firm, MaxInterval: ms(20)}),
		[]judged{{"max_interval 20 ms", Inconclusive, "needs the rate"}})
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

func TestClockLimits(t *testing.T) {
	clock := func(rtf, running float64) *analysis.Clock {
		return &analysis.Clock{
			Topic: "/clock", Ticks: 100, RTF: &rtf, RTFRunning: &running, SpanWallS: 10,
			Windows:  &analysis.Windows{LengthS: 0.1, Count: 100, Min: 0.5, Max: 1.2, Below: 4, Above: 6},
			StepSimS: series(99, 0.1),
		}
	}
	soft := func(c model.ClockContract) model.ClockContract {
		c.Kind, c.Allowed = model.Soft, 0.05
		return c
	}
	for _, test := range []struct {
		name    string
		clock   *analysis.Clock
		partial bool
		c       model.ClockContract
		want    judged
	}{
		{"fast enough", clock(0.95, 0.95), false, model.ClockContract{MinRTF: 0.95}, judged{"min_rtf 0.95", Pass, ""}},
		{"too slow", clock(0.94, 0.94), false, model.ClockContract{MinRTF: 0.95}, judged{"min_rtf 0.95", Fail, ""}},
		{"slow for its pauses only", clock(0.7, 0.99), false, model.ClockContract{MinRTF: 0.95}, judged{"min_rtf 0.95", Inconclusive, "without the pauses"}},
		{"slow without them too", clock(0.7, 0.9), false, model.ClockContract{MinRTF: 0.95}, judged{"min_rtf 0.95", Fail, ""}},
		{"too fast", clock(1.1, 1.1), false, model.ClockContract{MaxRTF: 1.05}, judged{"max_rtf 1.05", Fail, ""}},
		{"partial", clock(1, 1), true, model.ClockContract{MinRTF: 0.95}, judged{"min_rtf 0.95", Inconclusive, "part of the source"}},
		{"no factor", &analysis.Clock{Topic: "/clock", Ticks: 1}, false, model.ClockContract{MinRTF: 0.95}, judged{"min_rtf 0.95", Inconclusive, "too little"}},
		{"few ticks", &analysis.Clock{Topic: "/clock", Ticks: 10, RTF: ptr(0.1)}, false, model.ClockContract{MinRTF: 0.95}, judged{"min_rtf 0.95", Inconclusive, "at least 10"}},
		{"no clock", nil, false, model.ClockContract{MinRTF: 0.95}, judged{"min_rtf 0.95", Inconclusive, "no message"}},
		{"another clock", clock(1, 1), false, model.ClockContract{Topic: "/sim/clock", MinRTF: 0.95}, judged{"min_rtf 0.95", Inconclusive, "is /clock"}},

		{"slow window", clock(1, 1), false, model.ClockContract{MinWindowRTF: 0.6}, judged{"min_window_rtf 0.6 in every 100 ms", Fail, ""}},
		{"no slow window", clock(1, 1), false, model.ClockContract{MinWindowRTF: 0.5}, judged{"min_window_rtf 0.5 in every 100 ms", Pass, ""}},
		{"fast window", clock(1, 1), false, model.ClockContract{MaxWindowRTF: 1.1}, judged{"max_window_rtf 1.1 in every 100 ms", Fail, ""}},
		{"firm is judged as hard", clock(1, 1), false, model.ClockContract{Kind: model.Firm, MinWindowRTF: 0.6}, judged{"min_window_rtf 0.6 in every 100 ms", Fail, ""}},
		{"4 % slow", clock(1, 1), false, soft(model.ClockContract{MinWindowRTF: 0.6}), judged{"min_window_rtf 0.6 in all but 5 % of 100 ms windows", Pass, ""}},
		{"6 % fast", clock(1, 1), false, soft(model.ClockContract{MaxWindowRTF: 1.1}), judged{"max_window_rtf 1.1 in all but 5 % of 100 ms windows", Fail, ""}},
		{"other windows", clock(1, 1), false, model.ClockContract{Window: time.Second, MinWindowRTF: 0.6}, judged{"min_window_rtf 0.6 in every 1 s", Inconclusive, "windows of 100 ms were measured, not of 1 s"}},
		{"no windows", &analysis.Clock{Topic: "/clock"}, false, model.ClockContract{MinWindowRTF: 0.6}, judged{"min_window_rtf 0.6 in every 100 ms", Inconclusive, "as long as one window"}},
		{"windows not counted", &analysis.Clock{Topic: "/clock", Windows: &analysis.Windows{LengthS: 0.1, Count: 100, Min: 0.5}}, false,
			soft(model.ClockContract{MinWindowRTF: 0.6}), judged{"min_window_rtf 0.6 in all but 5 % of 100 ms windows", Inconclusive, "did not count"}},

		{"step at the limit", clock(1, 1), false, model.ClockContract{MaxTick: ms(100)}, judged{"max_tick 100 ms", Pass, ""}},
		{"step over it", clock(1, 1), false, model.ClockContract{MaxTick: ms(99)}, judged{"max_tick 99 ms", Fail, ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			sys := &model.System{File: "takt.yaml", Clock: &test.c}
			checkJudged(t, judge(&analysis.Figures{Clock: test.clock}, test.partial, sys), []judged{test.want})
		})
	}
}

func TestVerdict(t *testing.T) {
	lines := func(results ...Result) []Contract {
		list := make([]Contract, len(results))
		for i, r := range results {
			list[i].Result = r
		}
		return list
	}
	for _, test := range []struct {
		lines []Contract
		want  Result
	}{
		{nil, Unjudged},
		{lines(Pass, Pass), Pass},
		{lines(Pass, Inconclusive, Pass), Inconclusive},
		{lines(Inconclusive, Fail, Pass), Fail},
	} {
		if got := overall(test.lines); got != test.want {
			t.Errorf("%v: %s, want %s", test.lines, got, test.want)
		}
	}
	if got := empty(&model.System{}).Verdict.Result; got != Unjudged {
		t.Errorf("a system file that promises nothing: %s", got)
	}
}

func TestContractsSayWhereTheyStand(t *testing.T) {
	r := startup(t, promises())
	first := r.Verdict.Contracts[0]
	if first.Subject != "clock /clock" || first.Place != "takt.yaml:3" || first.Kind != model.Hard {
		t.Errorf("the clock comes first, with its place: %+v", first)
	}
	if second := r.Verdict.Contracts[2]; second.Subject != "topic /imu" || second.Place != "takt.yaml:8" {
		t.Errorf("then the topics in the order of the file: %+v", second)
	}
}
