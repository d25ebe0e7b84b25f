package ctf

import "github.com/takt-rt/takt/internal/source/ctf/trace"

// A group is a callback group, as CARET traces it.
type group struct {
	executor uint64 // its address, or that of its collector of entities
	kind     string
}

func (r *run) executorInit(e *trace.Event) {
	p := r.process(e)
	keep(p, &p.executors, e.Uint(0), text(e, 1))
}

func (r *run) groupInit(e *trace.Event) {
	p := r.process(e)
	keep(p, &p.groups, e.Uint(1), group{e.Uint(0), text(e, 2)})
}

func (r *run) groupTimer(e *trace.Event) {
	if t := r.process(e).timers[e.Uint(1)]; t != nil {
		t.group = e.Uint(0)
	}
}

func (r *run) groupSubscription(e *trace.Event) {
	if d := r.process(e).readers[e.Uint(1)]; d != nil {
		d.group = e.Uint(0)
	}
}

func (r *run) groupService(e *trace.Event) {
	if s := r.process(e).services[e.Uint(1)]; s != nil {
		s.group = e.Uint(0)
	}
}
