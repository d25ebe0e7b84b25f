package report

import (
	"fmt"
	"strings"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
)

// endpoints shows every writer and reader, topic by topic, if everything is asked for.
func (t *text) endpoints() {
	if !t.verbose {
		return
	}
	for _, topic := range t.report.Topics {
		if len(topic.Writers)+len(topic.Readers) == 0 {
			continue
		}
		t.line()
		t.item(0, 0, span{}, topic.Name)
		for _, w := range topic.Writers {
			t.item(2, labelWidth, span{text: "publisher"}, writerWords(w))
		}
		for _, r := range topic.Readers {
			t.item(2, labelWidth, span{text: "subscriber"}, readerWords(r))
		}
	}
}

// fewSamples is too few for a rate to be worth words.
const fewSamples = 10

func writerWords(w *analysis.Writer) string {
	parts := []string{endpointWords(&w.Endpoint), quantity.Count(w.Count, "sample")}
	if w.SentRateHz != nil && w.Count >= fewSamples {
		parts = append(parts, "sent at "+quantity.Hertz(*w.SentRateHz)+" by its numbers")
	}
	if s := w.PathS; s != nil {
		parts = append(parts, ageWords("source timestamp", s))
	}
	if a := w.AgeS; a != nil {
		parts = append(parts, ageWords("stamp on the "+clockName(a.Clock)+" clock", &a.Series))
	}
	parts = append(parts, repairWords(w.Repaired, w.LateS)...)
	if l := w.Losses; l != nil && l.Total() > 0 {
		parts = append(parts, l.Words())
	}
	if l := w.OwnLosses; l != nil && l.Total() > 0 {
		parts = append(parts, "for takt alone "+l.Words())
	}
	return strings.Join(parts, "; ")
}

func readerWords(r *analysis.Reader) string {
	parts := []string{endpointWords(&r.Endpoint)}
	if r.Received != nil {
		parts = append(parts, fmt.Sprintf("%d received", *r.Received))
	}
	parts = append(parts, repairWords(r.Repaired, r.LateS)...)
	if l := r.Losses; l != nil && l.Total() > 0 {
		parts = append(parts, l.Words())
	}
	if r.DeadlinesMissed != nil {
		parts = append(parts, fmt.Sprintf("%d deadlines missed by its QoS", *r.DeadlinesMissed))
	}
	return strings.Join(parts, "; ")
}

func endpointWords(e *analysis.Endpoint) string {
	words := e.Who()
	if e.Left {
		words += " (has left)"
	}
	if e.QoS != nil {
		words += ": " + e.QoS.String()
	}
	return words
}

func ageWords(by string, s *analysis.Series) string {
	return fmt.Sprintf("age by %s mean %s, max %s", by, quantity.Seconds(s.Mean), quantity.Seconds(s.Max))
}

func repairWords(repaired uint64, late *analysis.Series) (parts []string) {
	if repaired > 0 {
		parts = append(parts, fmt.Sprintf("%d repaired", repaired))
	}
	if late != nil {
		parts = append(parts, fmt.Sprintf("%d after a later one, by at most %s", late.Count, quantity.Seconds(late.Max)))
	}
	return parts
}

// pubSub is how many publish and subscribe now, "" if the source does not tell.
func pubSub(t *analysis.Topic) string {
	if len(t.Writers)+len(t.Readers) == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", len(t.Publishing()), len(t.Subscribed()))
}

// lossNotes say what of a topic's samples did not come, and whose loss that is.
func lossNotes(t *analysis.Topic) (list []string) {
	if l := t.Losses; l != nil && l.Total() > 0 {
		list = append(list, l.Words())
	}
	if l := t.OwnLosses; l != nil && l.Total() > 0 {
		list = append(list, fmt.Sprintf("takt itself missed %d", l.Total()))
	}
	if n := len(t.Mismatches); n > 0 {
		list = append(list, fmt.Sprintf("endpoints that never connect: %d", n))
	}
	return list
}
