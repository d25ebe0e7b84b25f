package report

import (
	"fmt"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/internal/quantity"
)

// shownEndpoints bounds each of the tables of a topic's endpoints.
const shownEndpoints = 100

func endpointTables(t *analysis.Topic) (tables []*page.Table) {
	if len(t.Writers) > 0 {
		tables = append(tables, writerTable(t))
	}
	if len(t.Readers) > 0 {
		tables = append(tables, readerTable(t))
	}
	if len(t.Mismatches) > 0 {
		tables = append(tables, mismatchTable(t))
	}
	return tables
}

func writerTable(t *analysis.Topic) *page.Table {
	table := &page.Table{
		Caption: shownOf("Publishers of "+t.Name, len(t.Writers)),
		Columns: []page.Column{{Head: "node"}, {Head: "offers"}, {Head: "samples", Number: true}, {Head: "sent at", Number: true}, {Head: "mean age by source timestamp", Number: true}, {Head: "repaired", Number: true}, {Head: "lost", Number: true}},
	}
	for _, w := range t.Writers[:min(len(t.Writers), shownEndpoints)] {
		age := unknown
		if w.PathS != nil {
			age = quantity.Seconds(w.PathS.Mean)
		}
		table.Rows = append(table.Rows, []page.Cell{
			{Text: nodeCell(&w.Endpoint)}, {Text: qosCell(&w.Endpoint)}, {Text: fmt.Sprint(w.Count)}, {Text: orUnknown(w.SentRateHz, quantity.Hertz)},
			{Text: age}, {Text: fmt.Sprint(w.Repaired)}, {Text: totalCell(w.Losses)},
		})
	}
	return table
}

func readerTable(t *analysis.Topic) *page.Table {
	table := &page.Table{
		Caption: shownOf("Subscribers of "+t.Name, len(t.Readers)),
		Columns: []page.Column{{Head: "node"}, {Head: "wants"}, {Head: "received", Number: true}, {Head: "repaired", Number: true}, {Head: "lost", Number: true}},
	}
	for _, r := range t.Readers[:min(len(t.Readers), shownEndpoints)] {
		received := unknown
		if r.Received != nil {
			received = fmt.Sprint(*r.Received)
		}
		table.Rows = append(table.Rows, []page.Cell{
			{Text: nodeCell(&r.Endpoint)}, {Text: qosCell(&r.Endpoint)}, {Text: received}, {Text: fmt.Sprint(r.Repaired)}, {Text: totalCell(r.Losses)},
		})
	}
	return table
}

func mismatchTable(t *analysis.Topic) *page.Table {
	table := &page.Table{Caption: "Who never connects on " + t.Name, Columns: []page.Column{{Head: "why"}, {Head: "remedy"}}}
	for _, m := range t.Mismatches {
		table.Rows = append(table.Rows, []page.Cell{{Text: m.Text}, {Text: m.Remedy}})
	}
	return table
}

func shownOf(caption string, n int) string {
	if n > shownEndpoints {
		return fmt.Sprintf("%s: %d of %d", caption, shownEndpoints, n)
	}
	return caption
}

func nodeCell(e *analysis.Endpoint) string {
	if e.Left {
		return e.Who() + " (has left)"
	}
	return e.Who()
}

func qosCell(e *analysis.Endpoint) string {
	if e.QoS == nil {
		return unknown
	}
	return e.QoS.String()
}

func totalCell(l *analysis.Losses) string {
	if l == nil {
		return unknown
	}
	return fmt.Sprint(l.Total())
}
