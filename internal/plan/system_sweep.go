package plan

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sim"
)

// A SystemSweep is what the worst was at several sets of phases, the run's
// among them.
type SystemSweep struct {
	Sets      int             `json:"sets"`    // that were run beside the run itself
	Adverse   int             `json:"adverse"` // the first so many are not drawn
	Failed    int             `json:"failed,omitempty"`
	Callbacks []SweptCallback `json:"callbacks"`
	Worst     []PhaseSet      `json:"worst"` // those that gave the worst of a callback
}

// A SweptCallback is the worst of one callback. Set 0 is the run itself; of
// equal ones the first counts.
type SweptCallback struct {
	Callback      string   `json:"callback"`
	WorstResponse *float64 `json:"worst_response_s,omitempty"`
	Set           int      `json:"set"`
	Violations    *uint64  `json:"most_violations,omitempty"` // missed and skipped in one run; absent without a deadline
	ViolationsSet int      `json:"violations_set"`
	Dropped       uint64   `json:"most_dropped"` // messages in one run
	DroppedSet    int      `json:"dropped_set"`
}

// A swept is the worst of one callback so far.
type swept struct {
	finished                  bool
	response                  time.Duration
	violations, dropped       uint64
	set, violationsAt, lostAt int
}

// take takes what became of the callback at a set of phases.
func (w *swept) take(t *callbackTally, set int) {
	if t.response.n > 0 && (!w.finished || t.response.most > w.response) {
		w.finished, w.response, w.set = true, t.response.most, set
	}
	if v := t.missed + t.skipped; v > w.violations {
		w.violations, w.violationsAt = v, set
	}
	if t.overwritten > w.dropped {
		w.dropped, w.lostAt = t.overwritten, set
	}
}

// sweep runs the system at sets of phases, and keeps the worst.
func (p *systemPlan) sweep(ctx context.Context, a *System, first *systemSeen) error {
	if p.Sets == 0 {
		return nil
	}
	p.worst = make([]swept, len(p.load.refs))
	p.takeWorst(first.tally, 0)
	s := &SystemSweep{Adverse: min(p.Sets, adverse(p.starters())), Callbacks: []SweptCallback{}, Worst: []PhaseSet{}}
	for set := 1; set <= p.Sets && ctx.Err() == nil; set++ {
		seen, err := p.tallied(ctx, p.phased(set))
		switch {
		case err != nil:
			return err
		case seen.failed != nil:
			s.Failed++
		case !seen.complete:
			a.Partial = true
			continue
		}
		s.Sets++
		p.takeWorst(seen.tally, set)
	}
	a.Partial = a.Partial || s.Sets < p.Sets
	p.result(s)
	a.Sweep = s
	return nil
}

// tallied runs a system and counts only.
func (p *systemPlan) tallied(ctx context.Context, s *sim.System) (*systemSeen, error) {
	seen := &systemSeen{tally: newTally(s)}
	return seen, p.run(ctx, s, seen.tally, clock.Mono(p.length), seen)
}

func (p *systemPlan) takeWorst(t *tally, set int) {
	for i, c := range p.load.refs {
		x := p.names[c.name]
		p.worst[i].take(&t.threads[x.thread][x.callback], set)
	}
}

func (p *systemPlan) result(s *SystemSweep) {
	sets := map[int]bool{}
	for i, c := range p.load.refs {
		w := &p.worst[i]
		made := SweptCallback{
			Callback: c.name, Set: w.set, ViolationsSet: w.violationsAt, Dropped: w.dropped, DroppedSet: w.lostAt,
		}
		if w.finished {
			made.WorstResponse = in(w.response)
		}
		if x := p.at(p.names[c.name]).Context; x != nil && x.Deadline > 0 {
			made.Violations = &w.violations
		}
		sets[w.set], sets[w.violationsAt], sets[w.lostAt] = true, true, true
		s.Callbacks = append(s.Callbacks, made)
	}
	delete(sets, 0)
	for _, set := range slices.Sorted(maps.Keys(sets)) {
		s.Worst = append(s.Worst, p.describe(set))
	}
}
