package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// LiveLines writes a snapshot as plain lines, for a log or a pipe: the clock,
// then a line for each topic that has had messages. Errors and warnings that
// were not in the snapshot before, which may be nil, come last.
func LiveLines(w io.Writer, s, before *Snapshot) error {
	p := &printer{width: 1 << 20} // a line is never wrapped
	at := quantity.At(s.ElapsedS)
	if s.Clock != nil {
		p.line(span{text: fmt.Sprintf("%s clock: %s", at, liveClockWords(s.Clock, deadlineNote(s.Findings)))})
	}
	for i := range s.Topics {
		if t := &s.Topics[i]; t.Count > 0 {
			p.line(span{text: fmt.Sprintf("%s %s: %s", at, t.Name, topicLine(t, s.Axis))})
		}
	}
	for _, f := range missingFrom(findingsOf(before), s.Findings) {
		if f.Severity != timeline.Info {
			p.line(span{text: fmt.Sprintf("%s %s: %s", at, f.Severity, findingLine(&f))})
		}
	}
	_, err := w.Write(p.out.Bytes())
	return err
}

func findingsOf(s *Snapshot) []timeline.Finding {
	if s == nil {
		return nil
	}
	return s.Findings
}

func findingLine(f *timeline.Finding) string {
	words := f.Subject + ": " + f.Text
	if f.Remedy != "" {
		words += " -> " + f.Remedy
	}
	return words
}

func topicLine(t *LiveTopic, axis string) string {
	parts := []string{quantity.Count(t.Count, "message")}
	add := func(known bool, format string, args ...any) {
		if known {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(t.Publishers != nil && t.Subscribers != nil, "%d publishing, %d subscribed", value(t.Publishers), value(t.Subscribers))
	add(t.RateLastHz != nil, "last %s Hz", cell(t.RateLastHz, 1))
	add(t.RateHz != nil, "%s Hz on the %s clock", cell(t.RateHz, 1), axisName(axis))
	add(t.RateSimHz != nil, "%s Hz simulated", cell(t.RateSimHz, 1))
	if i := t.IntervalS; i != nil {
		add(true, "interval mean %s p99 %s max %s ms", compact(i.Mean*1e3), compact(i.P99*1e3), compact(i.Max*1e3))
	}
	add(t.SizeBytes != nil, "%s B", sizeCell(t.SizeBytes))
	add(t.BytesPerS != nil, "%s kB/s", cell(t.BytesPerS, 1e-3))
	add(t.PathS != nil, "age %s ms by source timestamp", milliseconds(t.PathS, meanOf))
	add(t.AgeS != nil, "age %s ms by stamp on the %s clock", milliseconds(t.AgeS, meanOf), clockName(t.AgeClock))
	add(t.Losses != nil, "%s lost", lostCell(t.Losses))
	add(t.OwnLosses != nil, "%s missed by takt itself", lostCell(t.OwnLosses))
	return strings.Join(parts, ", ")
}
