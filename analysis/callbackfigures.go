package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// periodic reports whether a callback is a loop: a timer's is, and whatever the
// source does not tell to be called for another reason. Of the others only
// those that somebody gave a period are.
func (a *Analyzer) periodic(l *loop) bool {
	if l.entity.Kind != timeline.CallbackEntity {
		return true
	}
	_, named := a.opt.Loops[l.entity.Name]
	return named
}

// tellsOfMore reports whether there are callbacks beside the loops, or threads.
func (a *Analyzer) tellsOfMore() bool {
	return len(a.threads) > 0 || slices.ContainsFunc(a.loopOrder, func(l *loop) bool { return !a.periodic(l) })
}

// threadFigures returns the threads, the busiest first.
func (a *Analyzer) threadFigures() (all []*Thread) {
	for _, id := range slices.Sorted(maps.Keys(a.threads)) {
		t := a.threads[id]
		if t.jobs == 0 {
			continue
		}
		f := &Thread{
			Name: a.threadName(id), Callbacks: t.jobs, BusyS: seconds(t.busy),
			LongestBusyS: seconds(t.longest.length()), LongestBusyAtS: a.at(int64(t.longest.from)),
		}
		f.Utilisation, f.RateHz = a.share(t.busy), a.share(time.Duration(t.jobs)*time.Second)
		if t.cpuJobs == t.jobs {
			f.CPUS, f.CPUUtilisation = ptr(seconds(t.cpu)), ptr(a.share(t.cpu))
		}
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(a, b *Thread) int { return cmp.Compare(b.BusyS, a.BusyS) })
	return all
}

func (a *Analyzer) threadName(id int32) string {
	if e := a.entities[a.threads[id].entity]; e.Name != "" {
		return e.Name
	}
	return fmt.Sprintf("thread %d", id)
}

// share returns what part of the timeline's span a duration is.
func (a *Analyzer) share(d time.Duration) float64 {
	span := a.end.Sub(a.start)
	if span <= 0 {
		return 0
	}
	return ratio(d, span)
}

// callbackFigures returns the callbacks that ran, the busiest first.
func (a *Analyzer) callbackFigures() (all []*Callback) {
	for _, l := range a.sortedLoops() {
		w := &l.work
		if w.jobs == 0 {
			continue
		}
		f := &Callback{
			Name: l.entity.Name, Jobs: w.jobs, BusyS: seconds(w.busy), Utilisation: a.share(w.busy),
			ExecS: a.series(l.allExec()), CPUS: a.series(&w.cpu), ResponseS: a.series(&l.response),
			FrameAgeS: a.series(&w.age), ResultLatencyS: a.series(&w.result),
		}
		if w.onThread && !w.spread {
			f.Thread = a.threadName(w.thread)
			if busy := a.threads[w.thread].busy; busy > 0 {
				f.ThreadShare = ptr(ratio(w.busy, busy))
			}
		}
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(a, b *Callback) int { return cmp.Compare(b.BusyS, a.BusyS) })
	return all
}

// maxChains bounds the chains that are shown beside the named ones.
const maxChains = 20

// chainFigures returns the named chains, then those that were found from a
// source to a sink, the most frequent first.
func (a *Analyzer) chainFigures() (all []*Chain) {
	named := map[*path]bool{}
	for _, n := range a.opt.Chains {
		f := &Chain{Callbacks: n.Callbacks}
		if p := a.follow(n.Callbacks); p != nil {
			f, named[p] = a.chain(p), true
		}
		f.Name = n.Name
		all = append(all, f)
	}
	var found []*path
	for id, p := range a.chains.root.next {
		if !a.loops[id].inner {
			found = sinks(found, p)
		}
	}
	found = slices.DeleteFunc(found, func(p *path) bool { return named[p] })
	slices.SortFunc(found, func(p, q *path) int {
		return cmp.Or(cmp.Compare(q.outputs, p.outputs), slices.Compare(p.callbacks(), q.callbacks()))
	})
	for _, p := range found[:min(len(found), maxChains)] {
		all = append(all, a.chain(p))
	}
	return all
}

// sinks appends the paths from p on that lead no further.
func sinks(found []*path, p *path) []*path {
	if len(p.next) == 0 && p.length > 1 {
		return append(found, p)
	}
	for _, q := range p.next {
		found = sinks(found, q)
	}
	return found
}

// follow returns the path along callbacks, by name; nil if nothing took it.
func (a *Analyzer) follow(names []string) *path {
	p := &a.chains.root
	for _, name := range names {
		if p = a.step(p, name); p == nil {
			return nil
		}
	}
	return p
}

// step returns the path one callback longer; of equal names the one that the
// source made known first.
func (a *Analyzer) step(p *path, name string) *path {
	for _, id := range slices.Sorted(maps.Keys(p.next)) {
		if a.loops[id].entity.Name == name {
			return p.next[id]
		}
	}
	return nil
}

func (a *Analyzer) chain(p *path) *Chain {
	f := &Chain{Outputs: p.outputs, ReactionS: a.series(&p.reaction), ReducedAgeS: a.series(&p.reduced), OverwriteAgeS: a.series(p.overwrite())}
	for _, id := range p.callbacks() {
		f.Callbacks = append(f.Callbacks, a.loops[id].entity.Name)
	}
	return f
}

// callbacks returns those of the path, from the source on.
func (p *path) callbacks() (ids []timeline.EntityID) {
	for ; p.before != nil; p = p.before {
		ids = append(ids, p.callback)
	}
	slices.Reverse(ids)
	return ids
}

// chainFindings tell where the search ended.
func (a *Analyzer) chainFindings() []timeline.Finding {
	if !a.chains.beyond {
		return nil
	}
	return []timeline.Finding{note("chains-bounded", timeline.Info, "chains", "name the chains that matter",
		"not every chain was followed: at most %d callbacks in a row, %d ways in all and %d through one job are", maxLength, maxPaths, maxOrigins)}
}
