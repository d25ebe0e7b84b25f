package analysis

import (
	"cmp"
	"slices"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/timeline"
)

// An Endpoint is a writer or a reader as the graph describes it.
type Endpoint struct {
	GUID string        `json:"guid"`
	Type string        `json:"type,omitempty"` // ROS type, or the name in DDS of another
	Node string        `json:"node,omitempty"` // full name; absent if no node claims it
	QoS  *qos.Policies `json:"qos,omitempty"`  // as offered or requested
	Own  bool          `json:"own,omitempty"`  // takt's own: not part of the application
	Left bool          `json:"left,omitempty"` // it has gone
}

// Who names an endpoint for a person: its node, else its GUID.
func (e *Endpoint) Who() string {
	switch {
	case e.Own:
		return "takt"
	case e.Node != "":
		return e.Node
	case e.GUID != "":
		return e.GUID
	}
	return "someone unknown"
}

// A Writer is what is known of one writer of a topic. Its samples are those
// that came to the observer: a capture, or takt's own reader.
type Writer struct {
	Endpoint
	Count uint64 `json:"count"`
	// SentRateHz is the rate at which it sent, by its sequence numbers over its
	// source timestamps, (last-first)/(last-first): what was lost on the way does not lower it.
	SentRateHz *float64 `json:"sent_rate_hz,omitempty"`
	PathS      *Series  `json:"path_s,omitempty"` // receive time minus source timestamp: the age by that, on the axis
	AgeS       *Age     `json:"age_s,omitempty"`  // receive time minus stamp in the message
	// Repaired counts samples that came only after they had been asked for again.
	Repaired uint64 `json:"repaired,omitempty"`
	// LateS is how long after a later one of the same writer samples came.
	LateS *Series `json:"late_s,omitempty"`
	// Losses are those of the application's readers, a sample counting once for
	// each; OwnLosses those of takt's.
	Losses    *Losses `json:"losses,omitempty"`
	OwnLosses *Losses `json:"own_losses,omitempty"`
}

// A Reader is what is known of one reader of a topic. Of an application's
// reader only a capture can tell what it received.
type Reader struct {
	Endpoint
	Received *uint64 `json:"received,omitempty"`
	Repaired uint64  `json:"repaired,omitempty"` // of them, after they had been asked for again
	LateS    *Series `json:"late_s,omitempty"`   // how long after a later one of the same writer
	Losses   *Losses `json:"losses,omitempty"`
	// DeadlinesMissed is what its deadline status counts, if that is watched.
	DeadlinesMissed *uint64 `json:"deadlines_missed,omitempty"`
}

// Losses count samples that were never given to their reader, by reason.
type Losses struct {
	LostOnWire          uint64 `json:"lost_on_wire"`
	OverwrittenAtWriter uint64 `json:"overwritten_at_writer"` // its history had dropped them when they were asked for
	OverwrittenAtReader uint64 `json:"overwritten_at_reader"` // by newer ones, before they were taken
	Rejected            uint64 `json:"rejected"`              // by the reader's limits
	Unclassified        uint64 `json:"unclassified,omitempty"`
}

// Total is the sum over the reasons.
func (l *Losses) Total() uint64 {
	return l.LostOnWire + l.OverwrittenAtWriter + l.OverwrittenAtReader + l.Rejected + l.Unclassified
}

func (l *Losses) add(reason timeline.DropReason) {
	switch reason {
	case timeline.LostOnWire:
		l.LostOnWire++
	case timeline.OverwrittenAtWriter:
		l.OverwrittenAtWriter++
	case timeline.OverwrittenAtReader:
		l.OverwrittenAtReader++
	case timeline.Rejected:
		l.Rejected++
	default:
		l.Unclassified++
	}
}

func (l *Losses) addAll(m *Losses) {
	l.LostOnWire += m.LostOnWire
	l.OverwrittenAtWriter += m.OverwrittenAtWriter
	l.OverwrittenAtReader += m.OverwrittenAtReader
	l.Rejected += m.Rejected
	l.Unclassified += m.Unclassified
}

// endpointFigures adds the writers and readers to their topics.
func (a *Analyzer) endpointFigures(byID map[timeline.EntityID]*Topic) {
	for _, r := range a.graph.readerOrder {
		if t := byID[r.entity.Parent]; t != nil {
			t.Readers = append(t.Readers, a.readerFigures(r))
		}
	}
	for id, f := range byID {
		a.lossFigures(a.topics[id], f)
	}
	for _, w := range a.graph.writerOrder {
		if t := byID[w.entity.Parent]; t != nil {
			t.Writers = append(t.Writers, a.writerFigures(w, t))
		}
	}
	for id, f := range byID {
		slices.SortStableFunc(f.Writers, func(v, w *Writer) int { return byNode(&v.Endpoint, &w.Endpoint) })
		slices.SortStableFunc(f.Readers, func(v, w *Reader) int { return byNode(&v.Endpoint, &w.Endpoint) })
		f.Mismatches = a.mismatches(a.topics[id], f)
	}
}

func byNode(a, b *Endpoint) int {
	return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.GUID, b.GUID))
}

// lossFigures are known where something was said of what a reader received, or
// where takt listens itself.
func (a *Analyzer) lossFigures(t *topic, f *Topic) {
	if t.lossKnown {
		f.Losses = ptr(t.lost)
	}
	for _, r := range f.Readers {
		sum := &f.Losses
		if r.Own {
			sum = &f.OwnLosses
		}
		if r.Losses == nil && !(r.Own && t.count > 0) {
			continue
		}
		if *sum == nil {
			*sum = &Losses{}
		}
		if r.Losses != nil {
			(*sum).addAll(r.Losses)
		}
	}
}

func (a *Analyzer) writerFigures(w *writer, t *Topic) *Writer {
	f := &Writer{
		Endpoint: endpointOf(&w.entity), Count: w.count, Repaired: w.repaired,
		SentRateHz: w.sentRate(), PathS: a.series(&w.path), LateS: a.series(&w.late),
	}
	if w.ageWall.Count() >= w.ageSim.Count() {
		f.AgeS = a.age("wall", &w.ageWall, w.negativeWall)
	} else {
		f.AgeS = a.age("sim", &w.ageSim, w.negativeSim)
	}
	if t.AgeS == nil { // the topic's stamps are of several clocks, or of none that is known
		f.AgeS = nil
	}
	if t.Losses != nil {
		f.Losses = ptr(w.lost)
	}
	if t.OwnLosses != nil {
		f.OwnLosses = ptr(w.ownLost)
	}
	return f
}

func (a *Analyzer) readerFigures(r *reader) *Reader {
	f := &Reader{Endpoint: endpointOf(&r.entity), Repaired: r.repaired, LateS: a.series(&r.late)}
	if r.heard {
		f.Losses = ptr(r.lost)
	}
	if r.heard && !(r.entity.Own && r.received == 0) { // what takt's own reader gets may be told as the topic's
		f.Received = ptr(r.received)
	}
	if r.watched {
		f.DeadlinesMissed = ptr(r.deadlines)
	}
	return f
}

// endpointOf copies the QoS: figures are their reader's to change.
func endpointOf(e *timeline.Entity) Endpoint {
	f := Endpoint{GUID: e.Name, Type: e.Type, Node: e.Node, Own: e.Own, Left: e.Left}
	if e.QoS != nil {
		f.QoS = ptr(*e.QoS)
		f.QoS.Partition = slices.Clone(e.QoS.Partition)
		f.QoS.Representation = slices.Clone(e.QoS.Representation)
	}
	return f
}

// Publishing returns the application's writers that have not left.
func (t *Topic) Publishing() (list []*Writer) {
	for _, w := range t.Writers {
		if !w.Own && !w.Left {
			list = append(list, w)
		}
	}
	return list
}

// Subscribed returns the application's readers that have not left.
func (t *Topic) Subscribed() (list []*Reader) {
	for _, r := range t.Readers {
		if !r.Own && !r.Left {
			list = append(list, r)
		}
	}
	return list
}
