package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/model"
)

// The page has what the text has, and names cannot break it.
func TestSystemPage(t *testing.T) {
	sense := timer("sense<b>", 100*ms, 20*ms)
	sense.Publishes, sense.Context.Deadline = []string{"/sensed"}, 10*ms
	s := threaded(sense, subscription("act", "/sensed", 10*ms))
	s.Design.Chains = []model.Chain{{Name: "reflex", Path: []string{"n/sense<b>", "n/act"}, MaxReaction: 120 * ms}}
	s.Loops = []model.LoopContract{{Name: "n/sense<b>", Kind: model.Hard, Period: 100 * ms, Deadline: 10 * ms}}
	a := planSystem(t, SystemSetup{System: s, Length: time.Second, Sets: 3, Explain: "n/act", Gantt: &GanttWindow{}})
	page := pageOf(t, a)
	for _, want := range []string{
		"deadlines broken", "10 violations in the run", "sense&lt;b&gt;", "130 ms BROKEN", "reduced age, worst", "it runs",
		"3 sets of phases", "Who runs when, around the worst response of n/act", "deadline-violations",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "sense<b>") {
		t.Error("a name is not escaped")
	}
	if page := pageOf(t, planSystem(t, SystemSetup{System: mixedRatesAsWritten(), Length: ms})); !strings.Contains(page, "more is demanded than there is") {
		t.Error("the page does not say infeasible")
	}
}

func pageOf(t *testing.T, a *System) string {
	t.Helper()
	var b strings.Builder
	if err := a.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
