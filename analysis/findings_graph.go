package analysis

import (
	"fmt"
	"strings"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// graphFindings tell of endpoints that do not find each other, and of losses.
func (a *Analyzer) graphFindings(f *Figures) (all []timeline.Finding) {
	for _, t := range f.Topics {
		all = append(all, mismatchFindings(t)...)
		all = append(all, lossFindings(t)...)
		all = append(all, neverReceived(t)...)
	}
	all = append(all, aloneFindings(f)...)
	if n := a.graph.refused; n > 0 {
		all = append(all, note("endpoints-uncounted", timeline.Warning, "graph", "",
			"more than %d writers or readers: %d descriptions or samples of others are left out of the figures by endpoint", endpointsKept, n))
	}
	return all
}

func mismatchFindings(t *Topic) (all []timeline.Finding) {
	for _, m := range t.Mismatches {
		severity, text := timeline.Warning, m.Text
		if m.Partition || m.Own || m.VendorDependent {
			severity = timeline.Info
		}
		if m.VendorDependent {
			text += " (unless both are of Fast DDS, which does not compare this policy)"
		}
		all = append(all, note(MismatchFinding, severity, t.Name, m.Remedy, "%s", text))
	}
	return all
}

var lossRemedies = map[string]string{
	"lost on the wire":          "look at the network and at the socket buffers (net.core.rmem_max); reliable QoS has them sent again",
	"overwritten at the writer": "deepen the writer's history: it had dropped them when they were asked for again",
	"overwritten at the reader": "deepen the reader's history, or take samples faster: see which callback holds the thread",
	"rejected":                  "raise the reader's resource limits, or take samples faster",
}

// lossFindings tell of samples that a reader never got: the application's
// losses are a warning, takt's own say that figures rest on fewer samples.
func lossFindings(t *Topic) (all []timeline.Finding) {
	if l := t.Losses; l != nil && l.Total() > 0 {
		all = append(all, note("samples-lost", timeline.Warning, t.Name, lossRemedies[l.most()], "%s lost to the application's readers: %s", quantity.Count(l.Total(), "sample"), l.Words()))
	}
	if l := t.OwnLosses; l != nil && l.Total() > 0 {
		all = append(all, note("own-samples-lost", timeline.Info, t.Name, "its figures rest on fewer samples; the application's readers may have had all",
			"takt's own reader missed %s: %s", quantity.Count(l.Total(), "sample"), l.Words()))
	}
	return all
}

// Words tells the losses by reason, or "none".
func (l *Losses) Words() string {
	var parts []string
	for _, c := range l.classes() {
		if c.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.count, c.words))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

type lossClass struct {
	count uint64
	words string
}

func (l *Losses) classes() []lossClass {
	return []lossClass{
		{l.LostOnWire, "lost on the wire"}, {l.OverwrittenAtWriter, "overwritten at the writer"},
		{l.OverwrittenAtReader, "overwritten at the reader"}, {l.Rejected, "rejected"}, {l.Unclassified, "for an unknown reason"},
	}
}

// most names the reason of most of the losses.
func (l *Losses) most() string {
	var most lossClass
	for _, c := range l.classes() {
		if c.count > most.count {
			most = c
		}
	}
	return most.words
}

// neverReceived tells of readers with a deadline that DDS says nothing of,
// since a deadline is only watched from the first sample on (DDS 1.4, 2.2.3.7).
func neverReceived(t *Topic) (all []timeline.Finding) {
	for _, r := range t.Subscribed() {
		if r.QoS == nil || t.Count > 0 || r.Received != nil && *r.Received > 0 {
			continue
		}
		if d, finite := r.QoS.Deadline.Duration(); finite {
			all = append(all, note("never-received", timeline.Warning, t.Name, "look for its publisher",
				"%s wants a sample every %v and none was ever received: DDS tells of no missed deadline before the first sample", r.Who(), d))
		}
	}
	return all
}

// aloneFindings name the topics with publishers and no subscriber, or the reverse.
func aloneFindings(f *Figures) (all []timeline.Finding) {
	var unheard, unfed []string
	for _, t := range f.Topics {
		switch p, s := len(t.Publishing()), len(t.Subscribed()); {
		case Middleware(t.Name):
		case p > 0 && s == 0:
			unheard = append(unheard, t.Name)
		case p == 0 && s > 0:
			unfed = append(unfed, t.Name)
		}
	}
	if len(unheard) > 0 {
		all = append(all, note("no-subscriber", timeline.Info, "graph", "", "%s published with no subscriber: %s", quantity.Count(len(unheard), "topic"), list(unheard)))
	}
	if len(unfed) > 0 {
		all = append(all, note("no-publisher", timeline.Info, "graph", "", "%s subscribed to with no publisher: %s", quantity.Count(len(unfed), "topic"), list(unfed)))
	}
	return all
}
