package page

import (
	"strings"
	"testing"
)

// Of the axis from 10 to 20 s, 12 lies at a fifth. The lane begins below its
// heading of 22 pixels; what lies outside is not drawn.
func TestLanesTellsTheStates(t *testing.T) {
	c := &Lanes{
		Name: "Who runs when", From: 10, To: 20,
		Lanes: []Lane{
			{"main", "loop", []Span{{12, 15, Running}, {11, 12, Waiting}, {15, 16, OffCPU}, {1, 9, Running}, {21, 22, Running}}},
			{"main", "log", []Span{{5, 11, Running}}},
		},
	}
	wantDrawn(t, c,
		`<title>Who runs when: 2 lanes, 4 bars.</title>`, `>main</text>`, `>loop</text>`, `>log</text>`,
		`<rect class="run" x="20%" y="37" width="30%" height="12"/>`,
		`<line class="wait" x1="10%" y1="49" x2="20%" y2="49"/>`,
		`<line class="wait gone" x1="50%" y1="43" x2="60%" y2="43"/>`,
		`<rect class="run" x="0%" y="69" width="10%" height="12"/>`)
	if n := strings.Count(string(draw(c)), "<rect"); n != 2 {
		t.Errorf("%d bars drawn, want 2", n)
	}
	if n := strings.Count(string(draw(c)), ">main<"); n != 1 {
		t.Errorf("%d headings, want 1", n)
	}
}

func TestLanesWithoutAny(t *testing.T) {
	wantDrawn(t, &Lanes{Name: "Nothing"}, `<title>Nothing: 0 lanes, 0 bars.</title>`)
}
