package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/takt-rt/takt/analysis"
)

func TestCompareLoops(t *testing.T) {
	calm, slow := baseline(), injected(t)
	calm.TimerClock, calm.Rule = "ros", slow.Rule
	c := Compare(ofLoops(nil, calm), ofLoops(nil, slow))
	for figure, want := range map[string][2]float64{
		"callbacks": {499, 489}, "missed": {0, 20}, "skipped": {0, 10}, "violations": {0, 30},
		"interval_s.mean": {0.01, 0.0102049}, "interval_s.max": {0.010079, 0.022},
		"lateness_s.max": {0.000112, 0.012}, "response_s.max": {0.0002, 0.022}, "exec_s.max": {0.0001, 0.022},
		"over_period": {245, 10}, "over_period_plus_jitter": {0, 10},
	} {
		if d := difference(t, c, "loop loop", figure); !near(d.A, want[0]) || !near(d.B, want[1]) {
			t.Errorf("%s: %g -> %g, want %g -> %g", figure, d.A, d.B, want[0], want[1])
		}
	}
	// The longer intervals are more than noise although their mean moved by 2 % only.
	if d := difference(t, c, "loop loop", "interval_s.mean"); d.Noise != Beyond {
		t.Errorf("%+v", d)
	}
	if len(c.Remarks) != 0 {
		t.Errorf("remarks %q", c.Remarks)
	}
	var b strings.Builder
	if err := c.Text(&b, TextOptions{Width: 200}); err != nil {
		t.Fatal(err)
	}
	if want := "\nloop loop: missed 0 -> 20, skipped 0 -> 10, longest response 200 µs -> 22 ms"; !strings.Contains(b.String(), want) {
		t.Errorf("no %q in\n%s", want, &b)
	}
}

// Only what was counted by the same limits is compared.
func TestWhatWasCountedByOtherLimitsIsNotCompared(t *testing.T) {
	counts := []string{"missed", "skipped", "violations", "over_period", "over_period_plus_jitter"}
	for _, test := range []struct {
		name   string
		change func(*analysis.Loop)
		remark string
		gone   []string
	}{
		{"deadline", func(l *analysis.Loop) { l.DeadlineS = ptr(0.02) }, "its deadline is 10 ms in a, 20 ms in b", []string{"missed", "violations"}},
		{"period", func(l *analysis.Loop) { l.PeriodS = ptr(0.02) }, "its period is 10 ms in a, 20 ms in b", counts[1:]},
		{"jitter", func(l *analysis.Loop) { l.JitterS = ptr(0.001) }, "its jitter is 500 µs in a, 1 ms in b", counts[4:]},
		{"timer", func(l *analysis.Loop) { l.TimerClock = "ros" }, "its timer is on the steady clock in a, on ROS time in b", counts},
		{"rule", func(l *analysis.Loop) { l.Rule = "another" }, "violations were counted by another rule", nil},
		{"no period", func(l *analysis.Loop) { l.PeriodS = nil }, "", counts[1:]},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := Compare(ofLoops(nil, baseline()), ofLoops(nil, changed(baseline(), test.change)))
			if said := strings.Join(c.Remarks, "\n"); !strings.Contains(said, test.remark) || (test.remark == "") != (said == "") {
				t.Errorf("remarks %q, want %q", said, test.remark)
			}
			for _, figure := range counts {
				has := slices.ContainsFunc(c.Differences, func(d Difference) bool { return d.Figure == figure })
				if has == slices.Contains(test.gone, figure) {
					t.Errorf("%s compared: %v", figure, has)
				}
			}
		})
	}
}

func TestLoopsAppearAndVanish(t *testing.T) {
	named := func(name string) *analysis.Loop { return changed(baseline(), func(l *analysis.Loop) { l.Name = name }) }
	c := Compare(ofLoops(nil, named("gone"), named("twin"), named("twin")), ofLoops(nil, named("new"), named("twin"), &analysis.Loop{Name: "gone"}))
	if len(c.Vanished) != 1 || c.Vanished[0] != "loop gone" || len(c.Appeared) != 1 || c.Appeared[0] != "loop new" {
		t.Errorf("vanished %q, appeared %q", c.Vanished, c.Appeared)
	}
	if len(c.Remarks) != 1 || !strings.HasPrefix(c.Remarks[0], "loop twin: several loops have this name") {
		t.Errorf("remarks %q", c.Remarks)
	}
}

// A prediction may be held against a measurement, which is said.
func TestPredictedBesideMeasured(t *testing.T) {
	plan := ofLoops(nil, injected(t))
	plan.Basis = Predicted
	c := Compare(plan, ofLoops(nil, injected(t)))
	if len(c.Remarks) != 1 || c.Remarks[0] != "a is predicted, b is measured" || c.A.Basis != "predicted" {
		t.Errorf("%q, %+v", c.Remarks, c.A)
	}
	if d := difference(t, c, "loop loop", "violations"); d.A != 30 || d.B != 30 {
		t.Errorf("%+v", d)
	}
}

// Loops of two files without a name column are named for the files.
func TestTheOnlyLoopsAreCompared(t *testing.T) {
	renamed := changed(injected(t), func(l *analysis.Loop) { l.Name = "after" })
	c := Compare(ofLoops(nil, injected(t)), ofLoops(nil, renamed))
	if d := difference(t, c, "loop loop", "missed"); d.A != 20 || d.B != 20 {
		t.Errorf("missed %g -> %g", d.A, d.B)
	}
	if len(c.Vanished)+len(c.Appeared) > 0 || len(c.Remarks) != 1 || !strings.Contains(c.Remarks[0], "the only one of b, after") {
		t.Errorf("vanished %q, appeared %q, remarks %q", c.Vanished, c.Appeared, c.Remarks)
	}
}
