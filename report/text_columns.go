package report

import (
	"slices"

	"github.com/takt-rt/takt/analysis"
)

// unknown stands in a table for what is not known.
const unknown = "-"

// A tableBuilder fills columns from rows.
type tableBuilder[R any] struct {
	rows  []R
	table table
}

func (b *tableBuilder[R]) add(c column, text func(R) string) {
	for _, r := range b.rows {
		c.cells = append(c.cells, text(r))
	}
	b.table.columns = append(b.table.columns, c)
}

// A figure is one figure of a series.
type figure struct {
	head string
	of   func(*analysis.Series) *float64
}

var (
	mean    = figure{"mean", func(s *analysis.Series) *float64 { return &s.Mean }}
	p50     = figure{"p50", func(s *analysis.Series) *float64 { return &s.P50 }}
	p99     = figure{"p99", func(s *analysis.Series) *float64 { return &s.P99 }}
	maximum = figure{"max", func(s *analysis.Series) *float64 { return &s.Max }}
)

// series adds figures of a series in milliseconds, if any row has it. The first can be spared.
func (b *tableBuilder[R]) series(group string, spare int, of func(R) *analysis.Series, figures ...figure) {
	for i, f := range figures {
		if i > 0 {
			spare = 0
		}
		b.figure(column{group: group, head: f.head, spare: spare}, of, f)
	}
}

// figure adds one figure of a series in milliseconds, if any row has it.
func (b *tableBuilder[R]) figure(c column, of func(R) *analysis.Series, f figure) {
	if !slices.ContainsFunc(b.rows, func(r R) bool { return of(r) != nil }) {
		return
	}
	b.add(c, func(r R) string {
		if s := of(r); s != nil {
			return cell(f.of(s), 1e3)
		}
		return unknown
	})
}

func cell(v *float64, scale float64) string {
	if v == nil {
		return unknown
	}
	return compact(*v * scale)
}
