package bag

import (
	"strings"

	"github.com/takt-rt/takt/timeline"
)

// maxTransforms is how many transforms are told apart.
const maxTransforms = 10_000

// A topicNote is what a file or metadata.yaml notes of a topic.
type topicNote struct {
	name, typ string
	format    string // of serialization: "cdr", or something that is not decoded
	qos       offeredQoS
	stamps    string // where stamps are read, if that is known
}

// A topic is one of a recording, over all of its files.
type topic struct {
	entity timeline.Entity
	span

	transforms map[string]timeline.EntityID

	// What is told at the end.
	undecodable  uint64
	reason       error // of the first
	absurd       uint64
	otherClock   uint64 // publish times
	foreign      string // encoding that is not decoded
	conflict     string // another type
	schemaReason error
}

// A topics knows the topics of a recording by name, and tells the sink of them.
type topics struct {
	sink       timeline.Sink
	opt        *Options
	byName     map[string]*topic
	inOrder    []*topic
	lastID     timeline.EntityID
	transforms int
	tooMany    bool   // transforms
	name       []byte // of a transform, reused
}

// meet returns the topic of a note, described to the sink if the note tells
// something new. It returns nil if the topic was not asked for.
func (ts *topics) meet(note topicNote) *topic {
	if ts.opt.Topics != nil && !ts.opt.Topics(note.name) {
		return nil
	}
	t := ts.byName[note.name]
	if t == nil {
		t = &topic{entity: timeline.Entity{ID: ts.newID(), Name: note.name}}
		ts.byName[note.name] = t
		ts.inOrder = append(ts.inOrder, t)
	}
	if before := t.entity; t.learn(note, ts.opt.TimesOnly) || before.Kind == 0 {
		ts.sink.Describe(t.entity)
	}
	return t
}

func (ts *topics) newID() timeline.EntityID {
	ts.lastID++
	return ts.lastID
}

// learn adds a note to what is known, and reports whether that changed. What
// the files say replaces the type that metadata.yaml claimed, as long as no
// message has come.
func (t *topic) learn(note topicNote, timesOnly bool) (changed bool) {
	e := t.entity
	if typ := normalType(note.typ); e.Type == "" || t.count == 0 {
		e.Type = typ
	} else if typ != e.Type {
		t.conflict = typ
	}
	e.Kind = timeline.TopicEntity
	if e.Type == clockType && note.format == cdrFormat && !timesOnly {
		e.Kind = timeline.ClockEntity
	}
	e.Publishers = max(e.Publishers, note.qos.publishers)
	e.TransientLocal = e.TransientLocal || note.qos.transientLocal
	if note.stamps != "" {
		e.StampSource = note.stamps
	}
	if t.foreign = note.format; note.format == cdrFormat {
		t.foreign = ""
	}
	changed = e != t.entity
	t.entity = e
	return changed
}

// A span is how many messages were seen, and from when to when.
type span struct {
	count       uint64
	first, last int64
}

func (s *span) add(at int64) {
	if s.count == 0 {
		s.first, s.last = at, at
	}
	s.count++
	s.first, s.last = min(s.first, at), max(s.last, at)
}

// transform returns the entity of a transform of t, or 0 if there are too many.
func (ts *topics) transform(t *topic, parent, child []byte) timeline.EntityID {
	ts.name = append(append(append(ts.name[:0], parent...), " -> "...), child...)
	if id, ok := t.transforms[string(ts.name)]; ok {
		return id
	}
	if ts.transforms == maxTransforms {
		ts.tooMany = true
		return 0
	}
	if t.transforms == nil {
		t.transforms = make(map[string]timeline.EntityID)
	}
	ts.transforms++
	id := ts.newID()
	t.transforms[string(ts.name)] = id
	ts.sink.Describe(timeline.Entity{
		ID:          id,
		Kind:        timeline.TransformEntity,
		Name:        strings.ToValidUTF8(string(ts.name), "\uFFFD"),
		Parent:      t.entity.ID,
		StampSource: "header.stamp",
	})
	return id
}

// normalType returns the name of a type in the form pkg/msg/Type, of which
// recordings of ROS 2 Crystal lack the middle.
func normalType(name string) string {
	pkg, typ, ok := strings.Cut(name, "/")
	if ok && !strings.Contains(typ, "/") {
		return pkg + "/msg/" + typ
	}
	return name
}
