package report

import (
	"cmp"
	"slices"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/timeline"
)

// deadlinesNotMeasured is the finding without which no real time factor is
// shown: RTF alone says nothing about deadlines.
const deadlinesNotMeasured = "deadlines-not-measured"

// missingDeadlines returns that finding where a real time factor will be shown
// and no callback was held against a deadline.
func missingDeadlines(f *analysis.Figures) []timeline.Finding {
	if f.Clock == nil || f.Clock.RTF == nil || slices.ContainsFunc(f.Loops, hasDeadline) {
		return nil
	}
	why, remedy := "this source has no callback times", "record callback start and end times"
	if len(f.Loops) > 0 {
		why, remedy = "no deadline is known for the callbacks of this source", "give their period or deadline: --period and --deadline, or loops in takt.yaml"
	}
	return []timeline.Finding{{
		ID:       deadlinesNotMeasured,
		Severity: timeline.Info,
		Subject:  "clock",
		Text:     "RTF says how fast simulated time ran, not whether any callback met its deadline; " + why,
		Remedy:   remedy,
	}}
}

// hasDeadline reports whether a loop's callbacks were held against a deadline.
func hasDeadline(l *analysis.Loop) bool { return l.Missed != nil }

// collect puts findings in order, most severe first, each once.
func collect(lists ...[]timeline.Finding) []timeline.Finding {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b timeline.Finding) int {
		return cmp.Or(
			cmp.Compare(rank(a.Severity), rank(b.Severity)),
			clockFirst(a.Subject, b.Subject),
			cmp.Compare(a.Subject, b.Subject),
			cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Text, b.Text),
			cmp.Compare(a.Remedy, b.Remedy),
		)
	})
	return slices.Compact(all)
}

// clockFirst puts the clock before the topics, which all depend on it.
func clockFirst(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == "clock":
		return -1
	case b == "clock":
		return 1
	}
	return 0
}

func rank(s timeline.Severity) int {
	switch s {
	case timeline.Error:
		return 0
	case timeline.Warning:
		return 1
	}
	return 2
}

func texts(findings []timeline.Finding) []string {
	list := make([]string, len(findings))
	for i, f := range findings {
		list[i] = f.Text
	}
	return list
}
