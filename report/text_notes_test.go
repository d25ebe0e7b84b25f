package report

import (
	"fmt"
	"testing"

	"github.com/takt-rt/takt/analysis"
)

func TestNotes(t *testing.T) {
	got := notes(&analysis.Topic{
		Gaps:       &analysis.Gaps{Count: 2, Longest: []analysis.Gap{{AtS: 15.294, LengthS: 0.6}}},
		Stamps:     &analysis.Stamps{Missing: 4, Backward: 1, Zero: 2, Domain: "mixed"},
		Bursts:     &analysis.Bursts{Count: 3, MaxSize: 5},
		Late:       &analysis.Late{By: "clock"},
		IntervalS:  &analysis.Series{Max: 0.6},
		Transforms: []*analysis.Topic{{Name: "map -> odom", IntervalS: &analysis.Series{Max: 0.2}}, {Name: "odom -> base", IntervalS: &analysis.Series{Max: 0.3}}},
		Service:    &analysis.Service{Calls: 2, ClientS: &analysis.Series{Mean: 0.000108, Max: 0.00012}},
		OutOfOrder: 1, Unreadable: 1, EndSilenceS: ptr(11.0),
	})
	want := []string{
		"2 gaps, longest 600 ms at 15.294 s", "4 missing by the stamps", "1 stamp backward", "2 stamps zero",
		"stamps of more than one clock", "3 bursts of up to 5", "longest interval is the simulator's: it stood still",
		"silent for the last 11 s", "1 out of order", "1 interval unreadable",
		"2 transforms, longest interval 300 ms of odom -> base", "2 calls, client mean 108 µs max 120 µs",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("notes\n%q, want\n%q", got, want)
	}
}
