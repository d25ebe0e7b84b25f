package ctf

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/timeline"
)

// The findings that a trace may lead to, by id:
//
//	interrupted           reading was interrupted
//	truncated             a stream ends within a packet
//	damaged               packets that cannot be read
//	events-discarded      events that the tracer had no room for
//	packets-missing       packets that are not there, by their numbers
//	no-ros-events         there are no events of ros2_tracing in it
//	no-process            events do not say of which process they are
//	callbacks-unnamed     callbacks that were created before the trace
//	ends-without-start    ends of callbacks of which the start is not there
//	releases-derived      releases of timers follow from their creation
//	timers-on-ros-time    timers of nodes that follow /clock
//	timer-grid-moved      timers that came before their release: reset, or not on the steady clock
//	wall-clock-stepped    source timestamps far from the publication
//	source-other-clock    source timestamps further than an hour from the take: left out
//	not-in-order          events that came after later ones
//	too-much              more of everything than is kept
type findings struct {
	list    []timeline.Finding
	partial bool
}

func (f *findings) add(id string, severity timeline.Severity, subject, remedy, format string, args ...any) {
	f.list = append(f.list, timeline.Finding{
		ID: id, Severity: severity, Subject: subject, Remedy: remedy, Text: fmt.Sprintf(format, args...),
	})
}

func (r *run) outcome(interrupted bool) timeline.Outcome {
	var f findings
	if interrupted {
		f.partial = true
		f.add("interrupted", timeline.Warning, r.name, "",
			"reading was interrupted after %s; figures cover what came before", quantity.Count(r.events, "event"))
	}
	r.gapFindings(&f)
	r.traceFindings(&f)
	r.timerFindings(&f)
	r.clockFindings(&f)
	return timeline.Outcome{Partial: f.partial, Findings: f.list}
}

// gapFindings tells where events are missing.
func (r *run) gapFindings(f *findings) {
	all := &r.found.gaps
	if g := &all[trace.CutOff]; g.count > 0 {
		f.partial = true
		f.add("truncated", timeline.Warning, g.name(), "", "%v; what comes after is missing on that CPU", g.example)
	}
	if g := &all[trace.Damaged]; g.count > 0 {
		f.partial = true
		f.add("damaged", timeline.Warning, g.name(), "", "%s cannot be read, such as %v", quantity.Count(uint64(g.count), "packet"), g.example)
	}
	if g := &all[trace.Discarded]; g.count > 0 {
		f.partial = true
		f.add("events-discarded", timeline.Warning, g.name(), "give the channel more and larger buffers: lttng enable-channel --subbuf-size 4M --num-subbuf 8",
			"the tracer had no room for %s, in %s; callbacks and samples of then are missing", quantity.Count(g.events, "event"), quantity.Count(uint64(g.count), "packet"))
	}
	if g := &all[trace.Missing]; g.count > 0 {
		f.partial = true
		f.add("packets-missing", timeline.Warning, g.name(), "record without --overwrite, or more of the streams' chunks",
			"%s missing by their numbers", quantity.Count(g.events, "packet"))
	}
}

// name returns the file of a gap, and that there are others.
func (g *gaps) name() string {
	files := slices.Sorted(maps.Keys(g.streams))
	name := filepath.Base(files[0])
	if n := len(files) - 1; n > 0 {
		name += " and " + quantity.Count(uint64(n), "other")
	}
	return name
}

// traceFindings tells of what the trace lacks.
func (r *run) traceFindings(f *findings) {
	if !r.ros {
		f.add("no-ros-events", timeline.Warning, r.name, "trace the nodes with ros2 trace, or lttng enable-event -u 'ros2:*' before they start",
			"there is no event of ros2_tracing among %s", quantity.Count(r.events, "event"))
	}
	if r.found.noProcess {
		f.add("no-process", timeline.Warning, r.name, "lttng add-context -u -t vpid -t vtid -t procname, as ros2 trace does",
			"events do not say of which process they are: what different processes have at the same address is taken for one")
	}
	if n := r.found.unnamed; n > 0 {
		f.add("callbacks-unnamed", timeline.Warning, r.name, "begin to trace before the nodes start: they tell once what their callbacks are",
			"%s known by address alone: what was created before the trace has neither topic nor period", quantity.Count(n, "callback"))
	}
	if n := r.found.strayEnds; n > 0 {
		f.add("ends-without-start", timeline.Info, r.name, "", "%s of callbacks whose start is not in the trace", quantity.Count(n, "end"))
	}
	if n := r.out.late; n > 0 {
		f.add("not-in-order", timeline.Warning, r.name, "", "%s after a later one of the same stream", quantity.Count(n, "event"))
	}
	if n := r.found.refused; n > 0 {
		f.add("too-much", timeline.Warning, r.name, "", "%s beyond the bounds of memory, and left out", quantity.Count(n, "description"))
	}
}

func (r *run) timerFindings(f *findings) {
	if some := r.timers((*timer).derives); some != "" {
		f.add("releases-derived", timeline.Info, some, "",
			"rcl traces no release of a timer: they are taken from its creation and its period, on the steady clock")
	}
	if some := r.timers(func(t *timer) bool { return t.node != nil && t.node.onClock }); some != "" {
		f.add("timers-on-ros-time", timeline.Warning, some, "record ROS time in the node, as docs/rows.md shows",
			"the node follows /clock, and a trace does not say whether its timers do: on simulated time, deadlines and skipped releases are not those of the steady clock")
	}
	if n := r.found.shifted; n > 0 {
		f.add("timer-grid-moved", timeline.Warning, r.timers(func(t *timer) bool { return t.moved }), "if the timer follows simulated time, its releases are not in the trace; give what the node records of itself (docs/rows.md)",
			"%s came before the release: the timer was reset, or it does not follow the steady clock; a new grid begins there", quantity.Count(n, "start"))
	}
}

// timers names some of the timers that are so, "" if none is.
func (r *run) timers(are func(*timer) bool) string {
	var names []string
	for _, p := range r.processes {
		for _, c := range p.callbacks {
			if c.timer != nil && c.id != 0 && are(c.timer) {
				names = append(names, c.name)
			}
		}
	}
	slices.Sort(names)
	if n := len(names) - 3; n > 0 {
		names = append(names[:3], quantity.Count(uint64(n), "other"))
	}
	return strings.Join(names, ", ")
}

func (r *run) clockFindings(f *findings) {
	if n := r.found.stepped; n > 0 {
		f.add("wall-clock-stepped", timeline.Warning, r.name, "let the host's clock be set before tracing begins",
			"%s more than 100 ms from the publication: the wall clock was set since tracing began, and the instant of the publication is taken instead", quantity.Count(n, "source timestamp"))
	}
	if n := r.found.farStamps; n > 0 {
		f.add("source-other-clock", timeline.Warning, r.name, "synchronize the hosts' clocks",
			"%s further than an hour from when the sample was taken: read from another clock, and left out", quantity.Count(n, "source timestamp"))
	}
}
