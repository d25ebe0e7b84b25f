package report

import (
	"slices"
	"strings"

	"github.com/takt-rt/takt/analysis"
)

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
	b := &tableBuilder[row]{rows: rows}
	b.add(column{head: "topic", left: true}, func(r row) string { return r.name })
	b.add(column{head: "count"}, func(r row) string { return plain(float64(r.topic.Count)) })
	if slices.ContainsFunc(rows, func(r row) bool { return pubSub(r.topic) != "" }) {
		b.add(column{head: "pub/sub", spare: 3}, func(r row) string { return pubSub(r.topic) })
	}
	axis := t.report.Recording.Axis
	if t.report.Clock == nil {
		b.add(column{head: "rate Hz"}, func(r row) string { return cell(r.topic.RateHz, 1) })
	} else {
		b.add(column{group: "rate Hz", head: axis}, func(r row) string { return cell(r.topic.RateHz, 1) })
		b.add(column{group: "rate Hz", head: "sim"}, func(r row) string { return cell(r.topic.RateSimHz, 1) })
	}
	b.series("interval ms", 1, func(r row) *analysis.Series { return r.topic.IntervalS }, mean, p99, maximum)
	b.series("age ms", 2, func(r row) *analysis.Series { return ageSeries(r.topic) }, p50, p99, maximum)
	if slices.ContainsFunc(rows, func(r row) bool { return r.topic.AgeS != nil }) {
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
