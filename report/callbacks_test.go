package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/takt-rt/takt/analysis"
)

// pipeline is a report of a timer's callback that feeds a subscription's, with
// more callbacks beside them than are shown.
func pipeline() *Report {
	ms := func(mean, p99, max float64) *analysis.Series {
		return &analysis.Series{Count: 72, Mean: mean / 1e3, P99: p99 / 1e3, Max: max / 1e3, MaxAtS: 1.5}
	}
	f := &analysis.Figures{
		Axis: "mono", SpanS: 10, EndNS: 10e9, Messages: 72,
		Threads: []*analysis.Thread{{Name: "talker 12", Callbacks: 144, RateHz: 14.4, BusyS: 2.5, Utilisation: 0.25, CPUUtilisation: ptr(0.2), LongestBusyS: 0.0502, LongestBusyAtS: 1.5}},
		Callbacks: []*analysis.Callback{
			{Name: "/filter subscription /image", Thread: "talker 12", Jobs: 72, BusyS: 1.5, Utilisation: 0.15, ThreadShare: ptr(0.6), ExecS: ms(20.8, 45, 50.2), FrameAgeS: ms(0.2, 0.9, 1.1), ResultLatencyS: ms(21, 46, 51.3)},
			{Name: "/camera timer 100ms", Thread: "talker 12", Jobs: 72, BusyS: 1, Utilisation: 0.1, ThreadShare: ptr(0.4), ExecS: ms(13.9, 14, 15), ResponseS: ms(14, 14.5, 16)},
		},
		Chains: []*analysis.Chain{{Name: "vision", Callbacks: []string{"/camera timer 100ms", "/filter subscription /image"}, Outputs: 72, ReactionS: ms(135, 160, 165), ReducedAgeS: ms(35, 60, 65), OverwriteAgeS: ms(135, 160, 165)}},
	}
	for i := range 10 {
		f.Callbacks = append(f.Callbacks, &analysis.Callback{Name: fmt.Sprintf("/idle%d service", i), Jobs: 1})
	}
	return ofFigures(f)
}

func TestTextBoundsCallbacks(t *testing.T) {
	got := flat(textOf(t, pipeline(), TextOptions{Width: 120}))
	for _, want := range []string{
		"72 messages, 154 jobs of 12 callbacks", "talker 12 144 14.40 25.00 20.00 50.20", "4 callbacks more; -v shows all",
		"chain vision: /camera timer 100ms → /filter subscription /image", "reduced age mean 35 ms, p99 60 ms, max 65 ms at 1.500 s",
		"reaction time mean 135 ms", "overwrite age mean 135 ms",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if all := textOf(t, pipeline(), TextOptions{Verbose: true}); !strings.Contains(all, "/idle9") || strings.Contains(all, "-v shows all") {
		t.Errorf("not all is shown:\n%s", all)
	}
}

func TestPageHasCallbacks(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, pipeline(), nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`id="threads"`, `id="callbacks"`, `id="chains"`, "/idle9 service", "51.300 ms", "60 %", "reaction time"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

func TestCallbacksSurviveJSON(t *testing.T) {
	var b, again bytes.Buffer
	if err := JSON(&b, pipeline()); err != nil {
		t.Fatal(err)
	}
	first := b.String()
	r, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := JSON(&again, r); err != nil {
		t.Fatal(err)
	}
	if first != again.String() {
		t.Error("reading a report back changes it")
	}
}
