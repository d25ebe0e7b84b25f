package plan

import (
	"fmt"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched/levels"
	"github.com/takt-rt/takt/sim/compile"
	"github.com/takt-rt/takt/timeline"
)

// A SystemExecutor is the threads of one executor, the most urgent first.
type SystemExecutor struct {
	Executor string         `json:"executor"`
	Kind     string         `json:"kind"` // as in the system file
	Threads  []SystemThread `json:"threads"`
}

// A SystemThread is one thread as it would be allocated, or the equal ones of a
// multi-threaded executor.
type SystemThread struct {
	Thread   string        `json:"thread"`
	Workers  int           `json:"workers"`            // how many threads
	Priority *int          `json:"priority,omitempty"` // SCHED_FIFO's; absent at the ordinary policy
	CPU      int           `json:"cpu,omitempty"`      // it is pinned to, from 1
	Boot     bool          `json:"boot,omitempty"`     // runs on the main thread
	Why      string        `json:"why,omitempty"`      // it is a level
	Chosen   string        `json:"chosen,omitempty"`   // why it has its priority
	Groups   []SystemGroup `json:"groups,omitempty"`   // of a level
	Budget   *SystemBudget `json:"budget,omitempty"`
}

// A SystemGroup is a callback group on a level.
type SystemGroup struct {
	Group    string   `json:"group"`
	Period   *float64 `json:"period_s,omitempty"` // of its fastest callback
	Merged   bool     `json:"merged,omitempty"`   // its rank has no level of its own
	Why      string   `json:"why"`                // it has its rank
	Blocking string   `json:"blocking"`           // the longest other callback of its level, in words
}

// A SystemBudget is how much CPU time a level may use, and who holds it to that.
type SystemBudget struct {
	Amount    float64 `json:"amount_s"`
	Period    float64 `json:"period_s"`
	Enforcer  string  `json:"enforcer"`            // kernel or executor
	Mechanism string  `json:"mechanism,omitempty"` // of the kernel
	Why       string  `json:"why"`
}

// executors tells how the threads are laid out.
func (p *systemPlan) executors() []SystemExecutor {
	list := []SystemExecutor{}
	for i := range p.built.Executors {
		x := &p.built.Executors[i]
		made := SystemExecutor{Executor: x.Name, Kind: p.kind(i), Threads: []SystemThread{}}
		for j, number := range x.Threads {
			t := &p.built.System.Threads[number]
			s := SystemThread{Thread: t.Name, Workers: max(t.Workers, 1), CPU: t.CPU}
			if t.Priority > 0 && !p.built.System.Equal {
				s.Priority = &t.Priority
			}
			if x.Levels != nil {
				s.level(x, j)
			}
			made.Threads = append(made.Threads, s)
		}
		list = append(list, made)
	}
	return list
}

func (p *systemPlan) kind(executor int) string {
	if k := p.System.Design.Executors[executor].Kind; k != "" {
		return string(k)
	}
	return string(model.LevelsExecutor)
}

// level adds what is known of a thread that is a level.
func (s *SystemThread) level(x *compile.Executor, i int) {
	l := &x.Levels.Levels[i]
	s.Boot, s.Why, s.Chosen = l.Boot, l.Why, l.Chosen
	for _, m := range l.Members {
		g := SystemGroup{Group: m.Group, Merged: m.Merged, Why: m.Why, Blocking: m.Blocking.String()}
		if m.Period > 0 {
			period := m.Period.Seconds()
			g.Period = &period
		}
		s.Groups = append(s.Groups, g)
	}
	if b := &x.Budgets[i]; b.Budgeted {
		s.Budget = budget(b)
	}
}

func budget(e *levels.Enforcement) *SystemBudget {
	b := &SystemBudget{Amount: e.Amount.Seconds(), Period: e.Period.Seconds(), Enforcer: "executor", Why: e.Why}
	if e.Kernel {
		b.Enforcer, b.Mechanism = "kernel", e.Mechanism
	}
	return b
}

// remarks are what a reader of the levels must know.
func (p *systemPlan) remarks() (list []timeline.Finding) {
	for i := range p.built.Executors {
		x := &p.built.Executors[i]
		if x.Levels == nil {
			continue
		}
		for _, r := range x.Levels.Remarks {
			f := timeline.Finding{ID: "levels", Severity: timeline.Info, Subject: x.Name + "/" + r.Subject, Text: capital(r.Text) + ".", Remedy: sentence(r.Remedy)}
			if r.Warning {
				f.Severity = timeline.Warning
			}
			list = append(list, f)
		}
	}
	if unknown := p.load.all.unknown; len(unknown) > 0 {
		list = append(list, timeline.Finding{
			ID: "demand-unknown", Severity: timeline.Info, Subject: "demand",
			Text: fmt.Sprintf("What %s may demand at worst is not known, so that the demand is what there is at least. That is so of a distribution without an end, of what takes all messages at once, and of messages that go round.", named(unknown)),
		})
	}
	return list
}

// named lists names, the first few of many.
func named(list []string) string {
	if len(list) <= namedMost {
		return enumerated(list)
	}
	return fmt.Sprintf("%s and %d more", enumerated(list[:namedMost]), len(list)-namedMost)
}
