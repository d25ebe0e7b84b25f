package report

import (
	"strings"

	"github.com/takt-rt/takt/analysis"
)

// unknown stands in a table for what is not known.
const unknown = "-"

// topics shows a table of the topics that had messages, and names the others.
func (t *text) topics() {
	var rows []row
	var silent []string
	for _, topic := range t.report.Topics {
		if topic.Count == 0 {
			silent = append(silent, topic.Name)
			continue
		}
		rows = append(rows, t.rows(topic)...)
	}
	if len(rows) > 0 {
		t.line()
		t.table(rows).print(t.printer)
	}
	if len(silent) > 0 {
		t.line()
		const label = "without messages: "
		t.item(0, len(label), span{text: label}, strings.Join(silent, ", "))
	}
}

// A row is one row of the table: a topic or one of its transforms.
type row struct {
	name  string
	topic *analysis.Topic
	notes string
}

func (t *text) rows(topic *analysis.Topic) []row {
	rows := []row{{topic.Name, topic, t.notes(topic)}}
	if t.verbose {
		for _, tf := range topic.Transforms {
			rows = append(rows, row{"  " + tf.Name, tf, t.notes(tf)})
		}
	}
	return rows
}

// table lays out the columns. Columns that no topic fills are left out.
func (t *text) table(rows []row) *table {
	b := &tableBuilder{rows: rows}
	b.add(column{head: "topic", left: true}, func(r row) string { return r.name })
	b.add(column{head: "count"}, func(r row) string { return plain(float64(r.topic.Count)) })
	axis := t.report.Recording.Axis
	if t.report.Clock == nil {
		b.add(column{head: "rate Hz"}, func(r row) string { return cell(r.topic.RateHz, 1) })
	} else {
		b.add(column{group: "rate Hz", head: axis}, func(r row) string { return cell(r.topic.RateHz, 1) })
		b.add(column{group: "rate Hz", head: "sim"}, func(r row) string { return cell(r.topic.RateSimHz, 1) })
	}
	b.series("interval ms", 1, func(r row) *analysis.Series { return r.topic.IntervalS }, mean, p99, maximum)
	b.series("age ms", 2, func(r row) *analysis.Series { return ageSeries(r.topic) }, p50, p99, maximum)
	if b.anyAge() {
		b.add(column{group: "age ms", head: "by", left: true}, func(r row) string {
			if r.topic.AgeS == nil {
				return ""
			}
			return r.topic.AgeS.Clock
		})
	}
	for _, r := range rows {
		b.table.notes = append(b.table.notes, r.notes)
	}
	return &b.table
}

// A tableBuilder fills columns from rows.
type tableBuilder struct {
	rows  []row
	table table
}

func (b *tableBuilder) add(c column, text func(row) string) {
	for _, r := range b.rows {
		c.cells = append(c.cells, text(r))
	}
	b.table.columns = append(b.table.columns, c)
}

func (b *tableBuilder) anyAge() bool {
	for _, r := range b.rows {
		if r.topic.AgeS != nil {
			return true
		}
	}
	return false
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

// series adds figures of a series in milliseconds, if any topic has it. The first can be spared.
func (b *tableBuilder) series(group string, spare int, of func(row) *analysis.Series, figures ...figure) {
	any := false
	for _, r := range b.rows {
		any = any || of(r) != nil
	}
	if !any {
		return
	}
	for i, f := range figures {
		c := column{group: group, head: f.head}
		if i == 0 {
			c.spare = spare
		}
		b.add(c, func(r row) string {
			if s := of(r); s != nil {
				return cell(f.of(s), 1e3)
			}
			return unknown
		})
	}
}

func cell(v *float64, scale float64) string {
	if v == nil {
		return unknown
	}
	return compact(*v * scale)
}
