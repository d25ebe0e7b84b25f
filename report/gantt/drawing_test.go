package gantt

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-rt/takt/internal/page"
)

// What play's comment says, in seconds from the first event.
func TestDrawing(t *testing.T) {
	got, caption := chart(Options{Spans: 4}).Drawing()
	want := &page.Lanes{Name: "Who runs when", To: 0.0065, Lanes: []page.Lane{
		{Group: "main/fast", Name: "/drive/loop", Spans: []page.Span{{From: 0.002, To: 0.0025, State: page.Waiting}, {From: 0.0025, To: 0.0035, State: page.Running}}},
		{Group: "main/boot", Name: "/log/telemetry", Spans: []page.Span{{From: 0, To: 0.002, State: page.Running}, {From: 0.002, To: 0.0035, State: page.OffCPU}}},
		{Group: "CPUs", Name: "CPU 0", Spans: []page.Span{{From: 0.0025, To: 0.0035, State: page.Running}, {From: 0, To: 0.002, State: page.Running}}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !strings.HasSuffix(caption, "; 3 spans more than are drawn") {
		t.Error(caption)
	}
}
