package report

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/golden"
	"github.com/takt-rt/takt/model"
)

func inferred(t rapid.TB, r *Report) (string, *model.System) {
	t.Helper()
	text, err := Infer(r)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := model.Parse("takt.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return string(text), sys
}

func TestInferLoops(t *testing.T) {
	text, _ := inferred(t, ofLoops(nil, manyLoops(t)...))
	golden.Compare(t, "loops.takt.yaml", []byte(text))
}

// A loop that ran too seldom, without a name, or with another's promises nothing.
func TestInferLeavesOut(t *testing.T) {
	few, twin, other, nameless := baseline(), baseline(), baseline(), baseline()
	few.Name, few.Callbacks, twin.Name, other.Name, nameless.Name = "few", 9, "twin", "twin", ""
	if _, err := Infer(ofLoops(nil, few, twin, other, nameless)); err == nil || !strings.Contains(err.Error(), "or a loop") {
		t.Errorf("%v", err)
	}
}

// Whatever a loop did, the run that promises were inferred from keeps them.
func TestTheRunKeepsWhatIsInferredFromIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loop := anyLoop(t)
		r := ofLoops(nil, loop)
		text, err := Infer(r)
		if err != nil {
			return
		}
		sys, err := model.Parse("takt.yaml", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got := ofLoops(sys, loop); got.Verdict.Result != Pass {
			t.Fatalf("%+v\n%s", got.Verdict.Contracts, text)
		}
	})
}

func anyLoop(t *rapid.T) *analysis.Loop {
	some := func(name string) bool { return rapid.Bool().Draw(t, name) }
	length := func(name string) float64 { return float64(rapid.Int64Range(1, 1e10).Draw(t, name)) / 1e9 }
	values := func(name string, n uint64) *analysis.Series {
		if some("no " + name) {
			return nil
		}
		most := length(name)
		return spread(n, most-length("range of "+name), most, most, 0)
	}
	l := &analysis.Loop{Name: "loop", TimerClock: "steady", Callbacks: rapid.Uint64Range(0, 50).Draw(t, "callbacks"), Anchored: some("anchored")}
	if some("on ROS time") {
		l.TimerClock = "ros"
	}
	period, deadline := length("period"), length("deadline")
	if some("has a period") {
		l.PeriodS, l.Skipped = &period, ptr(rapid.Uint64Max(3).Draw(t, "skipped"))
	}
	if some("has a deadline") {
		l.DeadlineS = &deadline
	}
	l.IntervalS, l.IntervalRosS = values("interval", max(l.Callbacks, 1)-1), values("interval on ROS", max(l.Callbacks, 1)-1)
	l.LatenessS, l.ResponseS = values("lateness", l.Callbacks), values("response", rapid.Uint64Max(l.Callbacks).Draw(t, "ended"))
	if l.ResponseS != nil && l.DeadlineS != nil {
		l.Missed = ptr(rapid.Uint64Max(3).Draw(t, "missed"))
	}
	return l
}
