package ctf

import (
	"github.com/takt-rt/takt/internal/source/ctf/trace"
	"github.com/takt-rt/takt/timeline"
)

// A process knows what lives at which address of a traced process. An address
// that comes again is of something new: what was there before is gone.
type process struct {
	pid     int64
	version string // of tracetools
	room    *room

	nodes         map[uint64]*node
	writers       map[uint64]*writer // by rcl handle
	readers       map[uint64]*reader // by rcl handle
	rmwReaders    map[uint64]*reader // by rmw handle
	gids          map[uint64]string  // of rmw handles
	subscriptions map[uint64]*subscription
	services      map[uint64]*service
	timers        map[uint64]*timer
	callbacks     map[uint64]*callback
	buffers       map[uint64]*buffer
	pools         map[uint64]uint64 // intra-process buffers to their ring buffers
	executors     map[uint64]string // types
	groups        map[uint64]group
	symbols       map[uint64]string // of callbacks not known yet
	threads       map[int64]*thread
}

// A room bounds the entries of the maps of all processes.
type room struct {
	kept    int
	refused *uint64
}

// maxKept is how many entries there is room for.
const maxKept = 1 << 20

// keep puts an entry into a map of the process, unless there are too many.
func keep[K comparable, V any](p *process, m *map[K]V, key K, v V) {
	if _, again := (*m)[key]; !again {
		if p.room.kept == maxKept {
			*p.room.refused++
			return
		}
		p.room.kept++
	}
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
}

// maxProcesses bounds the processes of a trace; what others do is not told apart.
const maxProcesses = 1 << 14

func (r *run) process(e *trace.Event) *process {
	if r.last != nil && r.last.pid == e.PID {
		return r.last
	}
	p := r.processes[e.PID]
	if p == nil {
		if len(r.processes) == maxProcesses && r.last != nil {
			r.found.refused++
			return r.last
		}
		p = &process{pid: e.PID, room: &r.room}
		r.processes[e.PID] = p
	}
	if e.PID == 0 {
		r.found.noProcess = true
	}
	r.last = p
	return p
}

// A thread is one of a process.
type thread struct {
	id      timeline.EntityID
	tid     int64
	open    []openJob // callbacks under way: the last one runs
	pending pending   // what it is publishing
	taken   take      // what it took last, for the callback to come

	// By the kernel: when it was taken off its CPU, and for how long it was
	// off since it was seen first.
	seen  bool
	off   bool
	since int64
	away  int64
}

// A running is the thread that an event of a CPU came from last, which the next
// one mostly does too.
type running struct {
	process *process
	thread  *thread
}

func (r *run) thread(e *trace.Event) (*process, *thread) {
	on := &r.running[uint16(e.CPU)%uint16(len(r.running))]
	if on.thread == nil || on.thread.tid != e.TID || on.process.pid != e.PID {
		on.process = r.process(e)
		on.thread = r.threadOf(on.process, e)
	}
	return on.process, on.thread
}

func (r *run) threadOf(p *process, e *trace.Event) *thread {
	t := p.threads[e.TID]
	if t == nil {
		t = &thread{tid: e.TID, id: r.entities.next()}
		r.entities.describe(timeline.Entity{ID: t.id, Kind: timeline.ThreadEntity, Name: threadName(e)})
		keep(p, &p.threads, e.TID, t)
		if len(r.threads) < maxEntities {
			r.threads[e.TID] = t
		}
	}
	return t
}
