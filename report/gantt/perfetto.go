package gantt

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/takt-rt/takt/timeline"
)

// A Perfetto writes a timeline in the JSON trace format of Chrome as it comes.
// It is a timeline.Sink; call Close after the last event.
//
// Nodes are processes and threads are their threads; the CPUs are a process of
// their own. Each piece of a job is a complete event (X), a wait an asynchronous
// one (b, e), a sample that made a job start a flow from its publication (s, f).
// Instants are microseconds from the first event, to the nanosecond: the format
// reads numbers as float64, which holds no nanosecond of a wall clock. Of jobs that
// overlap on one thread without one lying within the other, the format shows
// one only; the threads of one executor are different threads to it.
type Perfetto struct {
	w       *bufio.Writer
	tracker tracker
	flows   flows
	tracks  map[track]int // thread numbers of the trace, which are ours
	begun   bool
	comma   bool
	waits   int

	first, last timeline.Instant
}

// A track is where a job is drawn: a node and a lane of it, or a CPU.
type track struct {
	process int64
	lane    Lane
}

// The numbers of processes. Nodes follow after them.
const (
	cpuProcess = 1
	noProcess  = 2 // for callbacks whose node is not known
)

// NewPerfetto returns a sink that writes to w. Errors of w come out at Close.
func NewPerfetto(w io.Writer) *Perfetto {
	p := &Perfetto{w: bufio.NewWriterSize(w, 1<<16), flows: newFlows(), tracks: map[track]int{}}
	p.tracker = newTracker(p.span)
	p.w.WriteString(`{"displayTimeUnit":"ns","traceEvents":[`)
	return p
}

// Start takes where the timeline comes from.
func (p *Perfetto) Start(o timeline.Origin) { p.tracker.base = o.Base }

// Describe takes a description.
func (p *Perfetto) Describe(e timeline.Entity) { p.tracker.describe(e) }

// Events takes a batch.
func (p *Perfetto) Events(batch []timeline.Event) {
	for i := range batch {
		e := &batch[i]
		if !p.begun {
			p.first, p.begun = e.At, true
		}
		p.last = max(p.last, e.At)
		if e.Kind == timeline.SampleSent {
			p.published(e)
		}
		if e.Kind == timeline.JobStarted {
			p.caused(e)
		}
		p.tracker.event(e)
		if e.Kind == timeline.PeriodsSkipped {
			p.event("i", fmt.Sprintf("%s: %d skipped", p.tracker.callback(e.Entity), e.Value), p.track(lane(e), e.Entity), e.At, `,"s":"t"`)
		}
	}
}

// Close ends what is under way and the document, and returns the first error
// of the writer.
func (p *Perfetto) Close() error {
	p.tracker.finish(p.last)
	p.names()
	fmt.Fprintf(p.w, "\n],\"otherData\":{\"axis\":%s,\"first_event_ns\":\"%d\",\"jobs_left_out\":\"%d\"}}\n",
		quoted(p.tracker.base.Clock.String()), p.first, p.tracker.lost)
	return p.w.Flush()
}

// span writes a piece of a job.
func (p *Perfetto) span(s Span) {
	name, t := p.tracker.callback(s.Callback), p.track(s.Lane, s.Callback)
	args := fmt.Sprintf(`,"args":{"job":%d,"state":"%s"`, s.Job, s.State)
	if s.Open {
		args += `,"open":true`
	}
	args += "}"
	if s.State == Waits {
		p.waits++
		id := fmt.Sprintf(`,"cat":"wait","id":"%d"`, p.waits)
		p.event("b", name+" waits", t, s.From, id+args)
		p.event("e", name+" waits", t, s.To, id)
		return
	}
	if s.State == Off {
		name += " off its CPU"
	}
	rest := `,"cat":"job","dur":` + micros(int64(s.To.Sub(s.From))) + args
	p.event("X", name, t, s.From, rest)
	if s.OnCPU {
		p.event("X", name, track{cpuProcess, Lane{Thread: int32(s.CPU)}}, s.From, rest)
	}
}

// track returns where a callback is drawn on a lane.
func (p *Perfetto) track(l Lane, callback timeline.EntityID) track {
	if node := p.tracker.entities[callback].Parent; node != 0 {
		return track{noProcess + int64(node), l}
	}
	return track{noProcess, l}
}

// event writes an event; rest is more members, each after a comma.
func (p *Perfetto) event(phase, name string, t track, at timeline.Instant, rest string) {
	p.write(`{"ph":"%s","name":%s,"pid":%d,"tid":%d,"ts":%s%s}`, phase, quoted(name), t.process, p.number(t), micros(int64(at.Sub(p.first))), rest)
}

func (p *Perfetto) write(format string, args ...any) {
	if p.comma {
		p.w.WriteByte(',')
	}
	p.comma = true
	p.w.WriteByte('\n')
	fmt.Fprintf(p.w, format, args...)
}

// number numbers tracks from 1, as the format wants each thread's number to be
// its own; those beyond maxOpen share 0.
func (p *Perfetto) number(t track) int {
	n, known := p.tracks[t]
	if !known && len(p.tracks) < maxOpen {
		n = len(p.tracks) + 1
		p.tracks[t] = n
	}
	return n
}

// names writes the names of processes and threads, which may stand anywhere,
// at the end, when all descriptions have come.
func (p *Perfetto) names() {
	var all []track
	for t := range p.tracks {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b track) int {
		return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(p.tracks[a], p.tracks[b]))
	})
	last := int64(0)
	for _, t := range all {
		if t.process != last {
			last = t.process
			p.write(`{"ph":"M","name":"process_name","pid":%d,"args":{"name":%s}}`, t.process, quoted(p.process(t.process)))
		}
		name := p.tracker.name(t.lane)
		if t.process == cpuProcess {
			name = "CPU " + number(int64(t.lane.Thread))
		}
		p.write(`{"ph":"M","name":"thread_name","pid":%d,"tid":%d,"args":{"name":%s}}`, t.process, p.tracks[t], quoted(name))
	}
}

func (p *Perfetto) process(n int64) string {
	switch n {
	case cpuProcess:
		return "CPUs"
	case noProcess:
		return "node unknown"
	}
	node := timeline.EntityID(n - noProcess)
	if name := p.tracker.entities[node].Name; name != "" {
		return name
	}
	return "node " + number(int64(node))
}

// micros writes nanoseconds as microseconds, exactly.
func micros(ns int64) string {
	sign, n := "", uint64(ns)
	if ns < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%03d", sign, n/1000, n%1000)
}

// quoted writes a JSON string: foreign names may hold anything.
func quoted(s string) string {
	b, _ := json.Marshal(s) // of a string never fails
	return string(b)
}
