package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/internal/quantity"
)

func gapTable(t *analysis.Topic) *page.Table {
	g := t.Gaps
	table := &page.Table{
		Caption: fmt.Sprintf("The longest of %s over %s nominal intervals of %s", quantity.Count(g.Count, "gap"), plain(g.Factor), quantity.Seconds(g.NominalS)),
		Columns: []page.Column{{Head: "gap at"}, {Head: "length", Number: true}, {Head: "simulated in it", Number: true}},
	}
	for _, gap := range g.Longest {
		table.Rows = append(table.Rows, []page.Cell{{Text: quantity.At(gap.AtS)}, {Text: quantity.Seconds(gap.LengthS)}, {Text: orUnknown(gap.SimulatedS, quantity.Seconds)}})
	}
	return table
}

// shownTransforms bounds the table of a topic's transforms.
const shownTransforms = 100

func transformTable(t *analysis.Topic) *page.Table {
	list := slices.Clone(t.Transforms)
	slices.SortStableFunc(list, func(a, b *analysis.Topic) int { return cmp.Compare(stretched(b), stretched(a)) })
	table := &page.Table{Caption: "Transforms of " + t.Name, Columns: []page.Column{{Head: "transform"}}}
	if n := len(list); n > shownTransforms {
		table.Caption += fmt.Sprintf(": the worst %d of %d", shownTransforms, n)
		list = list[:shownTransforms]
	}
	for _, head := range []string{"count", "rate", "median interval", "longest interval", "at"} {
		table.Columns = append(table.Columns, page.Column{Head: head, Number: true})
	}
	for _, f := range list {
		row := []page.Cell{{Text: f.Name}, {Text: fmt.Sprint(f.Count)}, {Text: orUnknown(f.RateHz, quantity.Hertz)}, {Text: unknown}, {Text: unknown}, {Text: unknown}}
		if s := f.IntervalS; s != nil {
			row[3].Text, row[4].Text, row[5].Text = quantity.Seconds(s.P50), quantity.Seconds(s.Max), quantity.At(s.MaxAtS)
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}
