package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// findings say in words what a reader of the figures must know.
func (a *Analyzer) findings(f *Figures) (all []timeline.Finding) {
	if f.Clock != nil {
		all = append(all, clockFindings(f.Clock)...)
		all = append(all, reportedFindings(f)...)
		all = append(all, quantizedFindings(f)...)
	}
	all = append(all, emptyFindings(f)...)
	for _, t := range f.Topics {
		all = append(all, topicFindings(t, f.Clock)...)
	}
	all = append(all, a.graphFindings(f)...)
	all = append(all, a.loopFindings(f)...)
	return append(all, a.chainFindings()...)
}

// A note writes one finding; with is its text, formatted.
func note(id string, s timeline.Severity, subject, remedy, text string, with ...any) timeline.Finding {
	return timeline.Finding{ID: id, Severity: s, Subject: subject, Remedy: remedy, Text: fmt.Sprintf(text, with...)}
}

// list names things, at most some of them.
func list(names []string) string {
	const most = 6
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

func emptyFindings(f *Figures) []timeline.Finding {
	var names []string
	for _, t := range f.Topics {
		if t.Count == 0 {
			names = append(names, t.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	severity, remedy := timeline.Info, ""
	if slices.Contains(names, "/clock") {
		severity, remedy = timeline.Warning, "without /clock nothing is known of simulated time: check that the simulator ran and that the recorder's QoS matched"
	}
	return []timeline.Finding{note("topics-empty", severity, "recording", remedy,
		"%s recorded with no message: %s", quantity.Count(len(names), "topic"), list(names))}
}

func topicFindings(t *Topic, c *Clock) (all []timeline.Finding) {
	if t.Count == 0 {
		return nil
	}
	if c == nil || t.Name != c.Topic { // the clock's gaps are told as the clock's
		all = append(all, gapFindings(t)...)
	}
	all = append(all, stampFindings(t, c)...)
	if b := t.Bursts; b != nil && b.MaxSize >= 3 && b.Count >= 3 && !Middleware(t.Name) {
		all = append(all, note("bursts", timeline.Info, t.Name, "",
			"comes in bursts: %d, of %.1f messages in the mean and %d at most, %s apart",
			b.Count, b.MeanSize, b.MaxSize, quantity.Seconds(b.MeanSpacing)))
	}
	if t.OutOfOrder > 0 {
		all = append(all, note("arrived-out-of-order", timeline.Warning, t.Name, "",
			"%s came after a later one and could not be put in order; intervals leave them out", quantity.Count(t.OutOfOrder, "message")))
	}
	if t.Unreadable > 0 {
		all = append(all, note("interval-unreadable", timeline.Warning, t.Name, "",
			"%s left out, because part of the recording between could not be read", quantity.Count(t.Unreadable, "interval")))
	}
	return all
}

// Middleware reports whether a topic is ROS 2's own, which speaks when
// something happens and owes nobody a period.
func Middleware(name string) bool {
	return name == "/rosout" || name == "/parameter_events" || name == "/tf_static"
}

func gapFindings(t *Topic) []timeline.Finding {
	if t.Gaps == nil || Middleware(t.Name) {
		return nil
	}
	g := t.Gaps.Longest[0]
	text := fmt.Sprintf("%s longer than %g x %s; the longest, %s, begins at %s",
		quantity.Count(t.Gaps.Count, "gap"), t.Gaps.Factor, quantity.Seconds(t.Gaps.NominalS),
		quantity.Seconds(g.LengthS), quantity.At(g.AtS))
	if g.SimulatedS != nil {
		text += fmt.Sprintf(" and has %s of simulated time in it", quantity.Seconds(*g.SimulatedS))
	}
	remedy := ""
	if s := t.Stamps; s != nil && s.Missing > 0 {
		text += "; by the stamps messages are missing, not late"
	} else if l := t.Late; l != nil {
		remedy = lateRemedies[l.By]
		text += lateText(l)
	}
	severity := timeline.Info
	if g.LengthS > 10*t.Gaps.NominalS {
		severity = timeline.Warning
	}
	return []timeline.Finding{note("gaps", severity, t.Name, remedy, "%s", text)}
}

var lateRemedies = map[string]string{
	"publisher": "look at the publishing node: what else runs on its thread, and at what priority",
	"path":      "look between publisher and recorder: network, QoS depth, the recorder's disk and CPU",
	"clock":     "look at the simulator: it stood still, its sensors with it",
}

func lateText(l *Late) string {
	switch l.By {
	case "clock":
		return "; the simulator was late: by /clock simulated time passed at less than half its pace"
	case "nobody":
		return ""
	case "both":
		return fmt.Sprintf("; publisher and path were late: by %s the publisher's own interval was %s", l.Evidence, quantity.Seconds(*l.WorstPublisherS))
	}
	return fmt.Sprintf("; the %s was late: by %s the publisher's own interval was %s", l.By, l.Evidence, quantity.Seconds(*l.WorstPublisherS))
}

func stampFindings(t *Topic, c *Clock) (all []timeline.Finding) {
	s := t.Stamps
	if s == nil {
		return nil
	}
	add := func(id string, sev timeline.Severity, remedy, text string, with ...any) {
		all = append(all, note(id, sev, t.Name, remedy, text, with...))
	}
	switch s.Domain {
	case "zero":
		add("stamps-zero", timeline.Info, "let the publisher fill in header.stamp", "all %s are zero, so no age can be given", quantity.Count(s.Zero, "stamp"))
	case "mixed":
		add("stamps-mixed", timeline.Warning, "set use_sim_time alike on all publishers of the topic",
			"stamps are of different clocks (%d wall, %d simulated, %d neither), so no age can be given", s.Wall, s.Sim, s.NotWall)
	case "not-wall":
		if c == nil {
			add("stamps-not-wall", timeline.Info, "record /clock as well, and ages and the real time factor can be given",
				"stamps are not wall time (simulated or boot time); they advance at %s of receive time", ratioText(s.SpanRatio))
		} else {
			add("stamps-not-wall", timeline.Info, "", "stamps are neither near the receive time nor near /clock, so no age can be given")
		}
	}
	if s.Zero > 0 && s.Nonzero > 0 && !Middleware(t.Name) {
		add("stamps-zero", timeline.Info, "", "%d of %d stamps are zero and left out", s.Zero, s.Zero+s.Nonzero)
	}
	if s.Backward > 0 {
		add("stamps-backward", backwardSeverity(t), "", "%s before the one that came before", quantity.Count(s.Backward, "stamp"))
	}
	if s.Missing > 0 {
		add("messages-missing", timeline.Warning, "compare with the publisher's own count; a deeper queue or reliable QoS at the recorder, or a faster consumer, keeps more",
			"%s missing by the stamps: they are %s apart, but %s in %d is not there",
			quantity.Count(s.Missing, "message"), quantity.Seconds(t.StampIntervalS.P50), "one", uint64(float64(t.Count+s.Missing)/float64(s.Missing)+0.5))
	}
	if a := t.AgeS; a != nil && a.Clock == "wall" && 100*a.Negative > a.Count && a.Min < -1e-3 {
		add("stamps-ahead", timeline.Warning, "synchronize the clocks of the hosts (chrony, PTP)",
			"%d of %d stamps are ahead of their receive time, by up to %s", a.Negative, a.Count, quantity.Seconds(-a.Min))
	}
	if a := t.AgeS; a != nil && t.TransientLocal && a.Max > 1 {
		add("old-samples", timeline.Info, "", "transient local: samples up to %s old were delivered when the recorder came; early ages and rates are not the publisher's", quantity.Seconds(a.Max))
	}
	return all
}

// backwardSeverity: topics of several publishers, such as /rosout, interleave
// their stamps, and nothing is wrong with that.
func backwardSeverity(t *Topic) timeline.Severity {
	if t.Publishers > 1 || len(t.Transforms) > 1 || Middleware(t.Name) {
		return timeline.Info
	}
	return timeline.Warning
}

func ratioText(r *float64) string {
	if r == nil {
		return "an unknown pace"
	}
	return quantity.Factor(*r)
}
