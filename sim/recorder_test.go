package sim

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"slices"
	"strconv"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// expected is what a scenario file says of a run.
type expected struct {
	Callbacks map[string]callbackFigures
	Threads   map[string]threadFigures
	Jobs      int
	FirstJobs []firstJob `json:"first_jobs"`
	Sequence  string     `json:"sequence_sha256"`
}

type callbackFigures struct {
	Released         int64          `json:"released"`
	Started          int64          `json:"started"`
	Finished         int64          `json:"finished"`
	Missed           int64          `json:"missed"`
	Skipped          int64          `json:"skipped"`
	Lost             int64          `json:"lost"`
	Taken            int64          `json:"taken"`
	Pending          int64          `json:"pending"`
	MaxResponse      *time.Duration `json:"max_response_ns"`
	SumResponse      time.Duration  `json:"sum_response_ns"`
	MeanResponse     *time.Duration `json:"mean_response_ns"`
	MaxStartLateness *time.Duration `json:"max_start_lateness_ns"`
	MaxEndToEnd      *time.Duration `json:"max_end_to_end_ns"`
	EmptyTakes       int64          `json:"empty_takes"`
}

type threadFigures struct {
	Cycles       int64
	EventsPushed int64 `json:"events_pushed"`
}

// A firstJob is [callback, release, start, end or -1, cycle, sample].
type firstJob struct {
	Callback            string
	Release, Start, End clock.Mono
	Cycle, Sample       int64

	thread int
}

func (j *firstJob) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&j.Callback, &j.Release, &j.Start, &j.End, &j.Cycle, &j.Sample})
}

// A recorder counts what a run does.
type recorder struct {
	duration clock.Mono
	system   System
	figure   [][]callbackFigures // by thread and callback
	cycles   []int64
	jobs     []firstJob
	last     []int // which of jobs each thread runs
}

func newRecorder(s *scenarioSystem, system System) *recorder {
	r := &recorder{duration: s.Duration, system: system, cycles: make([]int64, len(system.Threads)), last: make([]int, len(system.Threads))}
	for _, t := range system.Threads {
		r.figure = append(r.figure, make([]callbackFigures, len(t.Callbacks)))
	}
	return r
}

func (r *recorder) Arrived(thread, callback, _ int, _ sched.Sample) {
	r.figure[thread][callback].Released++
}

func (r *recorder) Overwritten(_ clock.Mono, thread, callback, _ int, _ sched.Sample) {
	r.figure[thread][callback].Lost++
}

func (r *recorder) Started(now clock.Mono, thread int, job *sched.Job) {
	f := &r.figure[thread][job.Callback]
	f.Started++
	f.Taken += int64(job.Taken)
	f.Skipped += job.Skipped
	f.MaxStartLateness = largest(f.MaxStartLateness, now.Sub(job.Release))
	r.cycles[thread] = job.Cycle + 1
	r.last[thread] = len(r.jobs)
	r.jobs = append(r.jobs, firstJob{r.system.Threads[thread].Callbacks[job.Callback].Name, job.Release, now, -1, job.Cycle, job.Number, thread})
}

func (r *recorder) Ended(now clock.Mono, thread int, job *sched.Job, missed bool) {
	f := &r.figure[thread][job.Callback]
	f.Finished++
	if missed {
		f.Missed++
	}
	response := now.Sub(job.Release)
	f.SumResponse += response
	f.MaxResponse = largest(f.MaxResponse, response)
	f.MaxEndToEnd = largest(f.MaxEndToEnd, now.Sub(job.Origin))
	r.jobs[r.last[thread]].End = now
}

func largest(a *time.Duration, b time.Duration) *time.Duration {
	if a != nil && *a > b {
		return a
	}
	return &b
}

// figures are what the run comes to.
func (r *recorder) figures(s *Sim) expected {
	// On several CPUs a thread may start after a later one at the same instant.
	slices.SortStableFunc(r.jobs, func(a, b firstJob) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.thread, b.thread))
	})
	e := expected{Callbacks: map[string]callbackFigures{}, Threads: map[string]threadFigures{}, Jobs: len(r.jobs), FirstJobs: r.jobs, Sequence: r.sequence()}
	for i, t := range r.system.Threads {
		threads := threadFigures{Cycles: r.cycles[i]}
		for k := range t.Callbacks {
			f := r.figure[i][k]
			c := &t.Callbacks[k]
			if c.Kind == sched.TimerKind {
				f.Released = max(0, int64((r.duration-1).Sub(c.First)/c.Period)+1)
				f.Pending = f.Released - f.Started - f.Skipped
			} else {
				f.Pending = f.Released - f.Taken - f.Lost
			}
			if f.Finished > 0 {
				mean := f.SumResponse / time.Duration(f.Finished)
				f.MeanResponse = &mean
			}
			if t.Executor == Events {
				threads.EventsPushed += f.Released
				f.EmptyTakes = s.Machine(i).(*sched.Events).EmptyTakes(k)
			}
			e.Callbacks[c.Name] = f
		}
		e.Threads[t.Name] = threads
	}
	return e
}

// sequence hashes a line for each job.
func (r *recorder) sequence() string {
	h := sha256.New()
	for _, j := range r.jobs {
		j.write(h)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (j *firstJob) write(h hash.Hash) {
	line := append([]byte(j.Callback), ' ')
	for _, t := range []clock.Mono{j.Release, j.Start} {
		line = append(strconv.AppendInt(line, int64(t), 10), ' ')
	}
	h.Write(append(strconv.AppendInt(line, int64(j.End), 10), '\n'))
}
