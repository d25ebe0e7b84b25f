package page

import (
	"slices"
	"strings"
	"testing"
)

func wantDrawn(t *testing.T, d Drawing, want ...string) {
	t.Helper()
	got := string(draw(d))
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("no %s in %s", w, got)
		}
	}
}

// The axis of values goes from 0 to 10 plus a twentieth, so on 150 pixels 10
// lies at 150 - 150 x 10/10.5 = 7.1 and 4 at 92.9; 5 s of 10 lie at 500 of 1000.
func TestSeriesPlacesItsBand(t *testing.T) {
	wantDrawn(t, &Series{
		Name: "Interval over time", Length: 10, Zero: true,
		Bands: []Band{{Stretches: []Stretch{{Min: 4, Max: 4, MinAt: 0, MaxAt: 0}, {Min: 4, Max: 10, MinAt: 6, MaxAt: 5}}}},
		Worst: &Point{5, 10},
	},
		`<title>Interval over time; worst 10 s at 5.000 s.</title>`,
		`d="M0 92.9L500 7.1 600 92.9 0 92.9Z"`,
		`cx="50%" cy="7.14"`, `>10 s at 5.000 s</text>`)
}

// 100 lies at the top of the axis of counts and 1 at a share of
// log 2 / log 200 = 0.1308 of 150 pixels above the bottom: at 130.4.
func TestHistogramCountsOnALogarithmicAxis(t *testing.T) {
	wantDrawn(t, &Histogram{Name: "Intervals", Bins: []Bin{{1, 2, 100}, {2, 3, 0}, {3, 4, 1}}},
		`d="M45 150V0H348V150M652 150V130.4H955V150"`, `>100</text>`, `>1</text>`)
}

func TestScheduleTellsWhatBecameOfWork(t *testing.T) {
	s := &Schedule{
		Name: "Timer grid", Due: "release", Runs: "job", Lost: "skipped",
		Work: []Work{{Label: "1", Due: 0, Start: 0, End: 22, Late: true}, {Due: 10, Start: 22, End: 22, Late: true}, {Due: 20, Lost: true, LostAt: 20}, {Label: "3", Due: 30, Start: 30, End: 31}},
	}
	wantDrawn(t, s, `<title>Timer grid: 3 ran, 2 of them after the deadline, 1 skipped.</title>`, `✗`, `>!</text>`, `>skipped</text>`)
	s.Work = s.Work[3:]
	if got := string(draw(s)); strings.Contains(got, ">skipped<") {
		t.Error("nothing is skipped, and there is a lane for it")
	}
}

// Work that overlaps stands beneath each other, in at most four rows.
func TestScheduleRows(t *testing.T) {
	s := &Schedule{Work: []Work{{Start: 0, End: 10}, {Start: 1, End: 3}, {Start: 3, End: 4}, {Start: 3, End: 20}, {Start: 10, End: 11}}}
	rows, n := s.rows()
	if want := []int{0, 1, 1, 2, 0}; !slices.Equal(rows, want) || n != 3 {
		t.Errorf("rows %v of %d, want %v of 3", rows, n, want)
	}
}
