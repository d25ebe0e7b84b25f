package tap

import (
	"fmt"
	"slices"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// The findings that a live graph may lead to, by id:
//
//	topic-left-out       a topic was not read, since it is or would be too much load
//	topic-left           a topic was read and then left for its load
//	not-joined           a topic could not be joined
//	not-left             a topic could not be left
//	sink-slow            events found no room behind a slow analysis or disk; a Hole is left
//	not-in-order         events that were delivered too late to be put in order
//	wall-clock           how far the wall clock is from the axis
//	wall-clock-set       the wall clock was set meanwhile
//	source-other-clock   source timestamps further than an hour from arrivals: left out
//	undecodable          samples shorter than their type needs: no stamps, no ticks
//	drops-untold         losses of takt's that were too many to be told one by one
//	too-many-entities    more endpoints than are told apart
//	graph-mismatch       endpoints that do not exchange what they should, or a name that may be wrong

// maxFindings bounds those of one id: a graph may have any number of topics.
const maxFindings = 100

// findings are what is told at the end.
type findings struct {
	list   []timeline.Finding
	untold uint64    // drops
	closed []*stream // all that were joined
}

// notice keeps a finding, and tells of it at once.
func (t *Tap) notice(f timeline.Finding) {
	if t.opt.Notice != nil {
		t.opt.Notice(f)
	}
	same := 0
	for i := range t.found.list {
		if t.found.list[i].ID == f.ID {
			same++
		}
	}
	if same < maxFindings {
		t.found.list = append(t.found.list, f)
	}
}

func (t *Tap) failed(id string, s *stream, err error) timeline.Finding {
	return timeline.Finding{ID: id, Severity: timeline.Warning, Subject: s.topic.entity.Name, Text: err.Error()}
}

// finding says why a topic is not read.
func (l *LeftOut) finding(bytesPerSecond int64) timeline.Finding {
	f := timeline.Finding{ID: "topic-left-out", Severity: timeline.Info, Subject: l.Topic.Name,
		Remedy: fmt.Sprintf("name %s to read it all the same", l.Topic.Name)}
	switch l.Reason {
	case LargeType:
		f.Text = fmt.Sprintf("not read, for the load: messages of %s are usually large", l.Topic.Type)
	case LargeSample:
		f.ID, f.Severity = "topic-left", timeline.Warning
		f.Text = fmt.Sprintf("read no longer, for the load: a sample had %d bytes, and from %d bytes a topic counts as large", l.Bytes, largeSample)
	case OverBudget:
		f.ID, f.Severity = "topic-left", timeline.Warning
		f.Text = fmt.Sprintf("read no longer, for the load: it brought %s within %v, most of what used up the budget of %s/s", megabytes(l.Bytes), l.Within.Round(time.Millisecond), megabytes(bytesPerSecond))
		f.Remedy = "allow more bytes per second, or name the topics that matter"
	}
	return f
}

// megabytes writes a number of bytes to three decimals: 5 MB, 0.084 MB.
func megabytes(n int64) string {
	s := fmt.Sprintf("%.3f", float64(n)/1e6)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s + " MB"
}

// outcome says what a reader of the figures must know. Nothing runs any more.
func (t *Tap) outcome() timeline.Outcome {
	o := timeline.Outcome{Partial: t.queue.overflow > 0, Findings: slices.Clone(t.found.list)}
	add := func(id string, s timeline.Severity, subject, remedy, format string, args ...any) {
		o.Findings = append(o.Findings, timeline.Finding{ID: id, Severity: s, Subject: subject, Remedy: remedy, Text: fmt.Sprintf(format, args...)})
	}
	if n := t.queue.overflow; n > 0 {
		add("sink-slow", timeline.Warning, "takt", "record to a faster disk, or name fewer topics",
			"%d events found no room, since more than %d waited for the analysis or the disk: what happened then is not known", n, t.opt.Waiting)
	}
	if n := t.order.late; n > 0 {
		add("not-in-order", timeline.Warning, "takt", "",
			"%d events were delivered up to %v behind later ones and stand where they came: samples that had to be sent again, or a busy machine", n, t.order.worst)
	}
	t.addWallClock(add)
	t.addSamples(add)
	if n := t.found.untold; n > 0 {
		add("drops-untold", timeline.Warning, "takt", "", "takt's own readers lost %d samples more than are told one by one; they are takt's losses, not the application's", n)
	}
	if n := t.table.refused; n > 0 {
		add("too-many-entities", timeline.Warning, "graph", "name the topics that matter",
			"the graph has more than %d topics, endpoints and nodes; of what is beyond, samples have no writer", maxEntities)
	}
	if t.opt.Findings != nil {
		o.Findings = append(o.Findings, t.opt.Findings()...)
	}
	return o
}

// An adder adds a finding.
type adder func(id string, s timeline.Severity, subject, remedy, format string, args ...any)

func (t *Tap) addWallClock(add adder) {
	w := &t.wall
	add("wall-clock", timeline.Info, "clock", "",
		"the wall clock moved by %v against the monotonic clock meanwhile; its offset was known to %v at the beginning and to %v at the end",
		w.offset.WallMinusMono-w.first.WallMinusMono, w.first.Error, w.offset.Error)
	if w.steps > 0 {
		add("wall-clock-set", timeline.Warning, "clock", "keep time synchronisation from stepping the clock while you measure",
			"the wall clock was set %s, by up to %v: ages across that instant are wrong by as much", times(w.steps), w.step)
	}
}

func (t *Tap) addSamples(add adder) {
	for _, s := range t.found.closed {
		name := s.topic.entity.Name
		if s.undecodable > 0 {
			add("undecodable", timeline.Warning, name, "look for a publisher of another version of the type",
				"%d samples are shorter than %s needs (the first: %v)", s.undecodable, s.topic.entity.Type, s.reason)
		}
		if s.otherClock > 0 {
			add("source-other-clock", timeline.Warning, name, "synchronise the clocks of the hosts",
				"the source timestamps of %d samples are further than %v from their arrival: they were left out", s.otherClock, maxSkew)
		}
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
