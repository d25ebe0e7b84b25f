package report

import (
	"fmt"

	"github.com/takt-rt/takt/analysis"
)

// loopTable has the figures of many loops, one to a row. The last to be spared
// are those that tell of deadlines.
func loopTable(loops []*analysis.Loop) *table {
	interval := func(l *analysis.Loop) *analysis.Series { return l.IntervalS }
	lateness := func(l *analysis.Loop) *analysis.Series { return l.LatenessS }
	response := func(l *analysis.Loop) *analysis.Series { return l.ResponseS }
	b := &tableBuilder[*analysis.Loop]{rows: loops}
	b.add(column{head: "loop", left: true}, func(l *analysis.Loop) string { return l.Name })
	b.add(column{head: "runs", spare: 5}, func(l *analysis.Loop) string { return plain(float64(l.Callbacks)) })
	b.add(column{head: "period ms", spare: 6}, func(l *analysis.Loop) string { return cell(l.PeriodS, 1e3) })
	b.add(column{head: "deadline ms", spare: 3}, func(l *analysis.Loop) string { return cell(l.DeadlineS, 1e3) })
	b.add(column{head: "missed"}, func(l *analysis.Loop) string { return number(l.Missed) })
	b.add(column{head: "skipped"}, func(l *analysis.Loop) string { return number(l.Skipped) })
	b.figure(column{group: "response ms", head: "p99", spare: 2}, response, p99)
	b.figure(column{group: "response ms", head: "max"}, response, maximum)
	b.figure(column{group: "late ms", head: "max", spare: 7}, lateness, maximum)
	b.figure(column{group: "interval ms", head: "mean", spare: 1}, interval, mean)
	b.figure(column{group: "interval ms", head: "p99", spare: 4}, interval, p99)
	b.figure(column{group: "interval ms", head: "max", spare: 8}, interval, maximum)
	for _, l := range loops {
		b.table.notes = append(b.table.notes, loopNote(l))
	}
	return &b.table
}

func loopNote(l *analysis.Loop) string {
	switch {
	case l.Callbacks == 0:
		return "never ran"
	case l.PeriodS == nil:
		return "period unknown"
	}
	return ""
}

func number(n *uint64) string {
	if n == nil {
		return unknown
	}
	return fmt.Sprint(*n)
}
