package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// LiveOptions say how a snapshot is laid out. The zero value is plain text of
// 80 columns and as many lines as it takes.
type LiveOptions struct {
	Width  int  // columns; 0 means 80, less than 40 counts as 40
	Height int  // lines; 0 means no limit, less than 10 counts as 10
	Color  bool // whether to mark severities by colour
}

const minHeight = 10

// Live writes a snapshot as a screen: how long it has run, the clock, what is
// wrong, and a table of the topics, cut to the height. Each line ends with a
// newline, and none is longer than the width.
func Live(w io.Writer, s *Snapshot, o LiveOptions) error {
	p := newPrinter(TextOptions{Width: o.Width, Color: o.Color})
	p.cut = true
	height := 0
	if o.Height > 0 {
		height = max(o.Height, minHeight)
	}
	p.item(0, 0, span{}, headWords(s))
	p.atMost(height/4, func() { p.liveClock(s) })
	p.atMost(height/4, func() { p.liveFindings(s.Findings) })
	p.liveTopics(s, height)
	_, err := w.Write(p.out.Bytes())
	return err
}

func headWords(s *Snapshot) string {
	words := fmt.Sprintf("%s: %s, %s", quantity.At(s.ElapsedS), quantity.Count(s.Messages, "message"), quantity.Count(len(s.Topics), "topic"))
	if s.Load != nil {
		words += "; takt: " + s.Load.words()
	}
	return words
}

// lines is how many have been printed.
func (p *printer) lines() int { return bytes.Count(p.out.Bytes(), []byte{'\n'}) }

// atMost prints n lines of what print does, the last a mark if there were more; 0 is no limit.
func (p *printer) atMost(n int, print func()) {
	from, lines := p.out.Len(), p.lines()
	print()
	if n == 0 || p.lines()-lines <= n {
		return
	}
	kept := len(firstLines(p.out.Bytes()[from:], n-1))
	p.out.Truncate(from + kept)
	p.line(span{faint, "..."})
}

// firstLines cuts text to n lines.
func firstLines(text []byte, n int) []byte {
	lines := bytes.SplitAfterN(text, []byte{'\n'}, n+1)
	return bytes.Join(lines[:min(n, len(lines))], nil)
}

func (p *printer) liveClock(s *Snapshot) {
	if s.Clock == nil {
		return
	}
	p.item(0, 7, span{bold, "clock"}, liveClockWords(s.Clock, deadlineNote(s.Findings)))
	if words := liveErrorWords(s.Clock); words != "" {
		p.item(0, 7, span{}, words)
	}
}

// deadlineNote stands beside a real time factor where no deadline was
// measured, since it says nothing of them.
func deadlineNote(findings []timeline.Finding) string {
	if slices.ContainsFunc(findings, func(f timeline.Finding) bool { return f.ID == deadlinesNotMeasured }) {
		return "deadlines not measured"
	}
	return ""
}

func liveClockWords(c *LiveClock, deadlines string) string {
	var parts []string
	add := func(known bool, format string, args ...any) {
		if known {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(c.RTF == nil, "%s: RTF unknown", c.Topic)
	if c.RTF != nil {
		rtf := "RTF " + quantity.Factor(*c.RTF)
		if c.RTFLast != nil {
			rtf += fmt.Sprintf(" (last %s: %s)", quantity.Seconds(c.WindowS), quantity.Factor(*c.RTFLast))
		}
		parts = append(parts, rtf)
	}
	add(deadlines != "", "%s", deadlines)
	add(c.TickHz != nil, "%s ticks/s", compact(value(c.TickHz)))
	add(c.MaxIntervalS != nil, "longest interval %s", quantity.Seconds(value(c.MaxIntervalS)))
	add(c.Backward > 0, "%d went back", c.Backward)
	add(c.Forward > 0, "%d jumped forward", c.Forward)
	add(c.Publishers > 1, "%d publishers", c.Publishers)
	if c.Publishers > 1 && len(c.PublishersBy) > 0 {
		parts[len(parts)-1] += ": " + strings.Join(c.PublishersBy, ", ")
	}
	return strings.Join(parts, ", ")
}

// liveErrorWords say how far a node's "now" is behind, of what, and what to do.
func liveErrorWords(c *LiveClock) string {
	e := c.Error
	if e == nil {
		return ""
	}
	if e.TotalMeanS == nil || e.LatencyMeanS == nil || c.LatencyS == nil {
		return fmt.Sprintf("\"now\" is behind by %s on average for want of ticks, latency not measured", quantity.Seconds(e.MeanS))
	}
	words := fmt.Sprintf("\"now\" is behind by %s on average: %s for want of ticks, %s for their latency (mean %s, p99 %s)",
		quantity.Seconds(*e.TotalMeanS), quantity.Seconds(e.MeanS), quantity.Seconds(*e.LatencyMeanS), quantity.Seconds(c.LatencyS.Mean), quantity.Seconds(c.LatencyS.P99))
	if e.Advice != "" {
		words += "; " + e.Advice
	}
	return words
}

// liveFindings shows the errors and warnings.
func (p *printer) liveFindings(findings []timeline.Finding) {
	for i := range findings {
		if findings[i].Severity != timeline.Info {
			p.finding(0, &findings[i])
		}
	}
}

// liveTopics shows as many topics as fit the height, by name.
func (p *printer) liveTopics(s *Snapshot, height int) {
	if len(s.Topics) == 0 {
		return
	}
	const heads = 2
	rows := s.Topics
	if room := height - p.lines() - heads; height > 0 && len(rows) > room {
		rows = rows[:max(room-1, 0)]
	}
	if len(rows) > 0 {
		liveTable(s, rows).print(p)
	}
	if n := len(s.Topics) - len(rows); n > 0 {
		p.line(span{faint, fmt.Sprintf("%s more", quantity.Count(n, "topic"))})
	}
}

func liveTable(s *Snapshot, rows []LiveTopic) *table {
	b := &tableBuilder[LiveTopic]{rows: rows}
	b.add(column{head: "topic", left: true}, func(t LiveTopic) string { return t.Name })
	b.some(column{head: "type", left: true, spare: 1}, func(t LiveTopic) string { return t.Type })
	b.some(column{head: "pub/sub", spare: 8}, func(t LiveTopic) string { return bothCounts(t.Publishers, t.Subscribers) })
	b.add(column{group: "rate Hz", head: "last"}, func(t LiveTopic) string { return cell(t.RateLastHz, 1) })
	b.add(column{group: "rate Hz", head: s.Axis, spare: 4}, func(t LiveTopic) string { return cell(t.RateHz, 1) })
	if s.Clock != nil {
		b.add(column{group: "rate Hz", head: "sim", spare: 10}, func(t LiveTopic) string { return cell(t.RateSimHz, 1) })
	}
	interval := func(of func(*LiveSeries) float64) func(LiveTopic) string {
		return func(t LiveTopic) string { return milliseconds(t.IntervalS, of) }
	}
	b.add(column{group: "interval ms", head: "mean", spare: 5}, interval(meanOf))
	b.add(column{group: "interval ms", head: "p99", spare: 7}, interval(p99Of))
	b.add(column{group: "interval ms", head: "max"}, interval(maxOf))
	b.some(column{head: "size B", spare: 2}, func(t LiveTopic) string { return sizeCell(t.SizeBytes) })
	b.some(column{head: "kB/s", spare: 6}, func(t LiveTopic) string { return cell(t.BytesPerS, 1e-3) })
	b.some(column{group: "age ms", head: "sent", spare: 11}, func(t LiveTopic) string { return milliseconds(t.PathS, meanOf) })
	b.some(column{group: "age ms", head: "stamp", spare: 3}, func(t LiveTopic) string { return milliseconds(t.AgeS, meanOf) })
	b.some(column{head: "lost", spare: 12}, func(t LiveTopic) string { return lostCell(t.Losses) })
	b.some(column{head: "by takt", spare: 9}, func(t LiveTopic) string { return lostCell(t.OwnLosses) })
	b.table.notes = make([]string, len(rows))
	return &b.table
}

// some adds a column unless it is empty in every row.
func (b *tableBuilder[R]) some(c column, text func(R) string) {
	empty := func(r R) bool { s := text(r); return s == "" || s == unknown }
	if !slices.ContainsFunc(b.rows, func(r R) bool { return !empty(r) }) {
		return
	}
	b.add(c, func(r R) string {
		if empty(r) {
			return unknown
		}
		return text(r)
	})
}

func meanOf(s *LiveSeries) float64 { return s.Mean }
func p99Of(s *LiveSeries) float64  { return s.P99 }
func maxOf(s *LiveSeries) float64  { return s.Max }

func milliseconds(s *LiveSeries, of func(*LiveSeries) float64) string {
	if s == nil {
		return unknown
	}
	return compact(of(s) * 1e3)
}

func bothCounts(a, b *int) string {
	if a == nil || b == nil {
		return unknown
	}
	return fmt.Sprintf("%d/%d", *a, *b)
}

func sizeCell(s *analysis.Size) string {
	if s == nil {
		return unknown
	}
	return fmt.Sprintf("%.0f", s.Mean)
}

func lostCell(l *analysis.Losses) string {
	if l == nil {
		return unknown
	}
	return fmt.Sprint(l.Total())
}
