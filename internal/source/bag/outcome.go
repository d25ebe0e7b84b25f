package bag

import (
	"fmt"
	"math"
	"strings"

	"github.com/takt-rt/takt/timeline"
)

// outcome gathers the findings of a run; complete is false if it was interrupted.
func (r *run) outcome(complete bool) timeline.Outcome {
	if r.opt.TimesOnly {
		r.found.add("times-only", timeline.Info, r.rec.name(), "",
			"only receive times were read, as asked: no stamps, ages, sizes or simulated time")
	}
	for _, t := range r.topics.inOrder {
		r.tell(t)
	}
	r.tellForeign()
	if n := r.order.late; n > 0 {
		r.found.add("not-in-order", timeline.Warning, r.rec.name(), "ros2 bag convert writes a recording in order",
			"%s stood so far from its place in time that it could not be put in order", number(n, "event"))
	}
	if r.topics.tooMany {
		r.found.add("too-many-transforms", timeline.Warning, r.rec.name(), "",
			"there are more than %d transforms; those first met later are not told apart", maxTransforms)
	}
	if complete {
		r.compare()
	}
	return timeline.Outcome{Partial: r.found.partial, Findings: r.found.list}
}

// tell adds what there is to say of one topic.
func (r *run) tell(t *topic) {
	add := func(id string, severity timeline.Severity, format string, args ...any) {
		r.found.add(id, severity, t.entity.Name, "", format, args...)
	}
	if n := r.order.disordered(t.entity.ID); n > 0 {
		add("out-of-order", timeline.Info, "%s stood in the file after a later one of the topic, and was put in order", number(n, "message"))
	}
	if t.undecodable > 0 {
		add("undecodable", timeline.Warning, "%d of %d messages could not be decoded as %s, and have no stamp; the first: %v",
			t.undecodable, t.count, t.entity.Type, t.reason)
	}
	if t.absurd > 0 {
		r.found.partial = true
		add("absurd-time", timeline.Warning, "left out: %s with a receive time before 1970 or after 2262", number(t.absurd, "message"))
	}
	if t.otherClock > 0 {
		add("publish-time-other-clock", timeline.Info, "left out: %s further than %v from the receive time, which was read from another clock",
			number(t.otherClock, "publish time"), maxSkew)
	}
	if t.schemaReason != nil {
		add("schema-unreadable", timeline.Warning, "%v; the type is read as it is commonly known", t.schemaReason)
	}
	if t.conflict != "" {
		add("type-conflict", timeline.Warning, "the topic was recorded as %s and as %s", t.entity.Type, t.conflict)
	}
}

// tellForeign adds one finding for each serialization that is not decoded.
func (r *run) tellForeign() {
	topics := make(map[string][]string)
	var formats []string
	for _, t := range r.topics.inOrder {
		if t.foreign == "" {
			continue
		}
		if topics[t.foreign] == nil {
			formats = append(formats, t.foreign)
		}
		topics[t.foreign] = append(topics[t.foreign], t.entity.Name)
	}
	for _, f := range formats {
		r.found.add("unknown-serialization", timeline.Warning, r.rec.name(), "",
			"%s serialized as %q, of which only receive times are read: %s", number(len(topics[f]), "topic"), f, some(topics[f]))
	}
}

// some lists the first few of names.
func some(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// contradiction is the id of what metadata.yaml is wrong about.
const contradiction = "metadata-contradicts-data"

// compare says where metadata.yaml claims something else than the data show.
// The data are believed.
func (r *run) compare() {
	meta := r.rec.meta
	if meta == nil {
		return
	}
	n := r.messages()
	if r.found.partial {
		r.found.add(contradiction, timeline.Info, metadataName, "", "%s counts %s, of which %d could be read", metadataName, number(uint64(max(0, meta.Messages)), "message"), n)
		return
	}
	r.compareTopics(meta)
	if r.opt.Topics != nil {
		return // totals are of all topics
	}
	if meta.Messages != int64(n) {
		r.contradict("counts %d messages, but there are %d", meta.Messages, n)
	}
	first, last := r.extent()
	if first > last {
		return
	}
	if meta.Start.NS > first {
		r.contradict("gives a start %.9f s after the first message", seconds(meta.Start.NS-first))
	} else if meta.Start.NS < first {
		r.contradict("gives a start %.9f s before the first message", seconds(first-meta.Start.NS))
	}
	if meta.Duration.NS != last-first {
		r.contradict("gives a duration of %.9f s, but the messages span %.9f s", seconds(meta.Duration.NS), seconds(last-first))
	}
}

func (r *run) compareTopics(meta *metadata) {
	claimed := make(map[string]bool)
	for _, c := range meta.Topics {
		name := c.Topic.Name
		claimed[name] = true
		t := r.topics.byName[name]
		if t == nil {
			continue // not asked for
		}
		if int64(t.count) != c.Messages {
			r.contradict("counts %d messages on %s, but there are %d", c.Messages, name, t.count)
		}
		if typ := normalType(c.Topic.Type); typ != t.entity.Type {
			r.contradict("gives %s the type %s, but it is %s", name, typ, t.entity.Type)
		}
	}
	for _, t := range r.topics.inOrder {
		if !claimed[t.entity.Name] {
			r.contradict("does not list the topic %s, on which there are %d messages", t.entity.Name, t.count)
		}
	}
}

func (r *run) contradict(format string, args ...any) {
	r.found.add(contradiction, timeline.Warning, metadataName, "ros2 bag reindex writes a new one",
		metadataName+" "+format+"; the data are believed", args...)
}

// extent returns the first and last receive time; last is less if there is none.
func (r *run) extent() (first, last int64) {
	first, last = math.MaxInt64, math.MinInt64
	for _, t := range r.topics.inOrder {
		if t.count > 0 {
			first, last = min(first, t.first), max(last, t.last)
		}
	}
	return first, last
}
