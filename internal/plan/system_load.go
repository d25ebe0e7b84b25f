package plan

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"github.com/takt-rt/takt/model"
)

// A SystemLoad is what the callbacks of a system demand in the long run, in
// CPUs: 1 is one CPU that is always busy. What is unknown is absent, and then
// the sums it belongs to are what is demanded at least.
type SystemLoad struct {
	CPUs      int            `json:"cpus"`
	Typical   float64        `json:"typical_cpus"` // with the times that runs take as a rule
	Worst     float64        `json:"worst_cpus"`   // if every run takes its worst time
	Unknown   []string       `json:"unknown,omitempty"`
	Feasible  bool           `json:"feasible"`          // no thread and no CPU is asked for more than it has; false if the worst is
	PerCPU    []CPULoad      `json:"per_cpu,omitempty"` // of threads that are pinned
	Threads   []ThreadLoad   `json:"threads"`
	Callbacks []CallbackLoad `json:"callbacks"` // in the order of the file
}

// A CPULoad is what the threads pinned to a CPU demand of it.
type CPULoad struct {
	CPU     int      `json:"cpu"` // from 1
	Typical float64  `json:"typical"`
	Worst   float64  `json:"worst"`
	Unknown []string `json:"unknown,omitempty"`
	Over    bool     `json:"over"` // it is asked for more than it has
}

// A ThreadLoad is what the callbacks of a thread demand.
type ThreadLoad struct {
	Thread  string   `json:"thread"`
	CPU     int      `json:"cpu,omitempty"` // from 1; absent if it is not pinned
	Typical float64  `json:"typical_cpus"`
	Worst   float64  `json:"worst_cpus"`
	Unknown []string `json:"unknown,omitempty"`
	Over    bool     `json:"over"`
}

// A CallbackLoad is what one callback demands.
type CallbackLoad struct {
	Callback string   `json:"callback"`
	Thread   string   `json:"thread"`
	Rate     *float64 `json:"rate_hz,omitempty"` // runs per second of monotonic time
	Typical  *float64 `json:"typical_cpus,omitempty"`
	Worst    *float64 `json:"worst_cpus,omitempty"`
}

// A samplesOf returns the execution times in a file of samples; nil if they are
// not known, or there is no such file.
type samplesOf func(path string) []time.Duration

// A loadThread is a thread as far as its demand goes: where it may run, and the
// callbacks that it runs.
type loadThread struct {
	name      string
	cpu       int // from 1; 0 is not pinned
	width     int // of a pool of threads that is taken as one; 0 is 1
	callbacks []string
}

// A load is a SystemLoad before it is rounded.
type load struct {
	cpus      int
	all       total
	perCPU    []total // by CPU from 0; empty if threads are not pinned
	threads   []loadThread
	perThread []total
	refs      []callbackRef
	rates     *rates
	runs      map[string]demand // of one run, by callback
	demands   map[string]demand
}

// newLoad computes what a system demands of its threads and CPUs. It runs
// nothing. A file of samples that is not there leaves its callback unknown.
func newLoad(d *model.Design, threads []loadThread, samples samplesOf) *load {
	l := &load{
		cpus: max(d.Machine.CPUs, 1), all: newTotal(), threads: threads, rates: newRates(d),
		runs: map[string]demand{}, demands: map[string]demand{},
	}
	l.refs = l.rates.refs
	for _, c := range l.refs {
		l.runs[c.name] = runOf(&c.Execution, samples(c.Execution.Samples))
		l.demands[c.name] = l.runs[c.name].times(l.rates.callbacks[c.name])
		l.all.add(c.name, l.demands[c.name])
	}
	if slices.ContainsFunc(threads, func(t loadThread) bool { return t.cpu > 0 }) {
		for range l.cpus {
			l.perCPU = append(l.perCPU, newTotal())
		}
	}
	for _, t := range threads {
		sum := newTotal()
		for _, c := range t.callbacks {
			sum.add(c, l.demands[c])
			if t.cpu > 0 {
				l.perCPU[t.cpu-1].add(c, l.demands[c])
			}
		}
		l.perThread = append(l.perThread, sum)
	}
	return l
}

// overThread reports whether a thread is asked for more than one CPU, a pool
// for more than it has threads.
func (l *load) overThread(i int) bool { return over(l.perThread[i], cmp.Or(l.threads[i].width, 1)) }

// feasible reports whether nothing is asked for more than it has.
func (l *load) feasible() bool {
	for i := range l.threads {
		if l.overThread(i) {
			return false
		}
	}
	return !over(l.all, l.cpus) && !slices.ContainsFunc(l.perCPU, func(t total) bool { return over(t, 1) })
}

// over reports whether more is demanded than so many CPUs give.
func over(t total, cpus int) bool {
	given := big.NewRat(int64(cpus), 1)
	return t.worst.Cmp(given) > 0 || t.typical.Cmp(given) > 0
}

// rounded returns the load in the floats nearest to it.
func (l *load) rounded() *SystemLoad {
	s := &SystemLoad{
		CPUs: l.cpus, Typical: ratio(l.all.typical), Worst: ratio(l.all.worst), Unknown: l.all.unknown,
		Feasible: l.feasible(), Threads: []ThreadLoad{}, Callbacks: []CallbackLoad{},
	}
	for i, t := range l.perCPU {
		s.PerCPU = append(s.PerCPU, CPULoad{CPU: i + 1, Typical: ratio(t.typical), Worst: ratio(t.worst), Unknown: t.unknown, Over: over(t, 1)})
	}
	of := map[string]string{}
	for i, t := range l.threads {
		sum := l.perThread[i]
		s.Threads = append(s.Threads, ThreadLoad{
			Thread: t.name, CPU: t.cpu, Typical: ratio(sum.typical), Worst: ratio(sum.worst), Unknown: sum.unknown, Over: l.overThread(i),
		})
		for _, c := range t.callbacks {
			of[c] = t.name
		}
	}
	for _, c := range l.refs {
		d := l.demands[c.name]
		s.Callbacks = append(s.Callbacks, CallbackLoad{
			Callback: c.name, Thread: of[c.name], Rate: float(l.rates.callbacks[c.name]), Typical: float(d.typical), Worst: float(d.worst),
		})
	}
	return s
}
