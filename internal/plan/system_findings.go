package plan

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/timeline"
)

// observed is what a reader of the figures of the run must know.
func (p *systemPlan) observed(a *System, seen *systemSeen) (list []timeline.Finding) {
	if seen.failed != nil {
		list = append(list, timeline.Finding{
			ID: "run-failed", Severity: timeline.Error, Subject: "run",
			Text: "The run ended early: " + seen.failed.Error() + ".",
		})
	}
	for i := range a.Callbacks {
		c := &a.Callbacks[i]
		x := p.names[c.Callback]
		switch {
		case p.starves(x, seen):
			list = append(list, c.starves())
		case c.Violations != nil && *c.Violations > 0:
			list = append(list, c.violates(p.System.File))
		}
	}
	for i := range a.Chains {
		list = append(list, a.Chains[i].breaks()...)
	}
	return list
}

// starves reports whether a callback had something to do at the end of the run
// for longer than its deadline and its period, and had not come to it: of a
// timer its next release, of others all that ever came.
func (p *systemPlan) starves(x place, seen *systemSeen) bool {
	c, t := p.at(x), &seen.tally.threads[x.thread][x.callback]
	switch c.Kind {
	case sched.TimerKind:
	case sched.Fused:
		return false
	default:
		return t.started == 0 && t.arrived > 1
	}
	if c.OnROS || c.Period == 0 || c.Once || t.started > t.finished {
		return false
	}
	patience := c.Period
	if c.Context != nil {
		patience = max(patience, c.Context.Deadline)
	}
	next := c.First.Add(time.Duration(t.started+t.skipped) * c.Period)
	return seen.ended.Sub(next) > patience
}

func (c *SystemCallback) starves() timeline.Finding {
	text := fmt.Sprintf("It starves: %s waiting at the end of the run, and it ran %s.", quantity.Count(*c.Waiting, "release")+areWere(*c.Waiting), quantity.Count(c.Started, "time"))
	return timeline.Finding{
		ID: "starved", Severity: timeline.Error, Subject: c.Callback, Text: text,
		Remedy: "Give it a CPU or a thread of its own, or what is more urgent less to do.",
	}
}

func areWere(n uint64) string {
	if n == 1 {
		return " was"
	}
	return " were"
}

func (c *SystemCallback) violates(file string) timeline.Finding {
	of := ""
	if c.Released != nil {
		of = fmt.Sprintf(" of %s", quantity.Count(*c.Released, "release"))
	}
	return timeline.Finding{
		ID: "deadline-violations", Severity: timeline.Warning, Subject: c.Callback,
		Text:   fmt.Sprintf("It breaks its deadline of %s: %d missed and %d skipped%s.", short(c.Deadline), *c.Missed, c.Skipped, of),
		Remedy: fmt.Sprintf("takt plan system %s --explain %s says what its worst response is spent on.", file, c.Callback),
	}
}

func (c *SystemChain) breaks() (list []timeline.Finding) {
	add := func(id, what string, is, limit float64) {
		list = append(list, timeline.Finding{
			ID: id, Severity: timeline.Warning, Subject: c.Chain,
			Text: fmt.Sprintf("Its %s was up to %s, and %s is promised.", what, short(is), short(limit)),
		})
	}
	if c.BreaksReaction {
		add("chain-reaction", "reaction time", *c.WorstReaction, *c.MaxReaction)
	}
	if c.BreaksAge {
		add("chain-age", "data age", *c.WorstReducedAge, *c.MaxAge)
	}
	return list
}
