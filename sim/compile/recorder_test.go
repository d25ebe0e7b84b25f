package compile

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
)

// figures are what becomes of a callback, as in the scenario files.
type figures struct {
	Started     int64         `json:"started"`
	Finished    int64         `json:"finished"`
	Missed      int64         `json:"missed"`
	Skipped     int64         `json:"skipped"`
	Lost        int64         `json:"lost"`
	Taken       int64         `json:"taken"`
	MaxResponse time.Duration `json:"max_response_ns"`
	SumResponse time.Duration `json:"sum_response_ns"`
}

// A job is one run of a callback; one that does not end in the run ends at -1.
type job struct {
	callback            string
	release, start, end clock.Mono
	thread              int
}

// A recording is an observer that writes down what runs.
type recording struct {
	sim.Unobserved
	system    *sim.System
	callbacks map[string]figures // by the name without its node
	jobs      int
	all       []job
	last      [][]int // which of all each worker of a thread runs
}

// record runs what was built.
func record(t *testing.T, b *Built, duration time.Duration) *recording {
	t.Helper()
	r := &recording{system: &b.System, callbacks: map[string]figures{}}
	for i := range b.System.Threads {
		r.last = append(r.last, make([]int, max(b.System.Threads[i].Workers, 1)))
		for k := range b.System.Threads[i].Callbacks {
			r.callbacks[r.name(i, k)] = figures{}
		}
	}
	run, err := sim.New(b.System, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Run(clock.Mono(duration)); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(r.all, func(a, b job) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.thread, b.thread))
	})
	return r
}

func (r *recording) name(thread, callback int) string {
	name := r.system.Threads[thread].Callbacks[callback].Name
	return name[strings.LastIndexByte(name, '/')+1:]
}

func (r *recording) change(thread, callback int, change func(*figures)) {
	f := r.callbacks[r.name(thread, callback)]
	change(&f)
	r.callbacks[r.name(thread, callback)] = f
}

func (r *recording) Overwritten(_ clock.Mono, thread, callback, _ int, _ sched.Sample) {
	r.change(thread, callback, func(f *figures) { f.Lost++ })
}

func (r *recording) Started(now clock.Mono, thread int, j *sched.Job) {
	r.change(thread, j.Callback, func(f *figures) {
		f.Started++
		f.Taken += int64(j.Taken)
		f.Skipped += j.Skipped
	})
	r.jobs++
	r.last[thread][j.Worker] = len(r.all)
	r.all = append(r.all, job{r.name(thread, j.Callback), j.Release, now, -1, thread})
}

func (r *recording) Ended(now clock.Mono, thread int, j *sched.Job, missed bool) {
	r.change(thread, j.Callback, func(f *figures) {
		f.Finished++
		if missed {
			f.Missed++
		}
		f.MaxResponse = max(f.MaxResponse, now.Sub(j.Release))
		f.SumResponse += now.Sub(j.Release)
	})
	r.all[r.last[thread][j.Worker]].end = now
}

// sequence hashes a line for each job, as the scenario files do.
func (r *recording) sequence() string {
	h := sha256.New()
	for _, j := range r.all {
		fmt.Fprintf(h, "%s %d %d %d\n", j.callback, j.release, j.start, j.end)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// ran are the jobs that ended, as "control 1ms-2ms".
func (r *recording) ran() (all []string) {
	for _, j := range r.all {
		if j.end >= 0 {
			all = append(all, fmt.Sprintf("%s %v-%v", j.callback, time.Duration(j.start), time.Duration(j.end)))
		}
	}
	return all
}
