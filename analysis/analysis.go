// Package analysis turns a timeline into figures, in one pass and in memory
// bounded per entity.
//
// An Analyzer is a timeline.Sink. Its figures may be asked for at any time,
// while events still come. It is not safe for concurrent use.
//
// Figures on stamps, rates, gaps and clocks follow the definitions beside the
// fields in figures.go; what they add up to in words is in the findings.
package analysis

import (
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

// Options configure an analysis. The zero Options work.
type Options struct {
	Window    time.Duration     // of the clock's real time factor; 0 means 100 ms
	GapFactor float64           // an interval over this many nominal ones is a gap; 0 means 3
	Limits    map[string]Limits // by topic name: what to count the excesses of
	// The same for the clock's windows; 0 counts nothing.
	MinWindowRTF, MaxWindowRTF float64

	Loop  LoopOptions            // what periodic callbacks are held against
	Loops map[string]LoopOptions // the same for single ones, by name, in place of Loop
	Plots bool                   // keep what Plots returns

	Chains []NamedChain // to be measured whatever else is found

	// KeepExactly is how many values all series together keep for exact
	// quantiles, 8 bytes each; 0 means 2,097,152. Who asks for figures every
	// second keeps fewer: sorting them is what Figures costs.
	KeepExactly int

	// NearestRank takes the quantiles of the loops' series at the nearest rank,
	// sorted[round(q(n-1))] with a half rounded to even, as the published
	// experiment's script does; else they interpolate.
	NearestRank bool
}

// LoopOptions say what a periodic callback is held against.
type LoopOptions struct {
	Period   time.Duration  // of the timer, on its clock; 0 means as the source describes it, else it is not known
	Deadline time.Duration  // from the release to the end; 0 means the period
	OnROS    bool           // the timer follows the node's ROS time, whatever the source says
	Rule     sched.SkipRule // of releases that have passed
	// Jitter is how far over the period an interval may be; 0 means the share
	// JitterShare of the period, and a share of 0 means 5 %.
	Jitter      time.Duration
	JitterShare float64
	Budget      time.Duration // of an interval, on the monotonic clock; 0 counts nothing
	// KeepFirst takes the first callback into the figures: else it is left
	// out, as most nodes start with a late one.
	KeepFirst bool
}

// Limits are what to count the excesses of on one topic. Zero counts nothing.
type Limits struct {
	Interval, Age time.Duration
}

// keptExactly is how many values all series together keep for exact
// quantiles: 16 MB, so that a thousand topics fit into 100 MB.
const keptExactly = 2 << 20

// An Analyzer takes a timeline and has its figures.
type Analyzer struct {
	opt    Options
	origin timeline.Origin
	pool   *stats.Pool

	entities map[timeline.EntityID]timeline.Entity
	topics   []*topic // by entity ID; nil where there is none
	order    []*topic // as first described or seen
	clock    *ticks   // nil until a clock is described or ticks
	graph    graph
	holes    []hole

	loops     map[timeline.EntityID]*loop
	loopOrder []*loop           // as first described or seen
	threads   map[int32]*thread // by the number that events name them by
	lastOn    *thread           // of lastID, as events of one thread come in runs
	lastID    int32
	chains    chains

	reported   stats.Summary // the simulator's own real time factor
	reportedBy timeline.EntityID

	started    bool
	start, end timeline.Instant
	messages   uint64
}

type hole struct {
	from, to timeline.Instant
	entity   timeline.EntityID // 0: all
}

// New returns an Analyzer that has seen nothing.
func New(opt Options) *Analyzer {
	if opt.Window <= 0 {
		opt.Window = 100 * time.Millisecond
	}
	if opt.GapFactor <= 0 {
		opt.GapFactor = 3
	}
	if opt.KeepExactly <= 0 {
		opt.KeepExactly = keptExactly
	}
	pool := stats.NewPool(opt.KeepExactly)
	return &Analyzer{
		opt:      opt,
		pool:     pool,
		reported: stats.In(pool),
		graph:    newGraph(),
		entities: map[timeline.EntityID]timeline.Entity{},
		loops:    map[timeline.EntityID]*loop{},
		threads:  map[int32]*thread{},
		chains:   newChains(opt.Chains, pool),
	}
}

// Start takes the timeline's origin.
func (a *Analyzer) Start(o timeline.Origin) { a.origin = o }

// Describe takes the description of an entity.
func (a *Analyzer) Describe(e timeline.Entity) {
	a.entities[e.ID] = e
	switch e.Kind {
	case timeline.TopicEntity, timeline.TransformEntity:
		a.topic(e.ID).describe(e, a.opt.Limits[e.Name])
	case timeline.ClockEntity:
		a.topic(e.ID).describe(e, a.opt.Limits[e.Name])
		a.clockOf(e.ID)
	case timeline.WriterEntity, timeline.ReaderEntity:
		a.describeEndpoint(e)
	case timeline.TimerEntity:
		a.loop(e.ID)
	}
	if l := a.loops[e.ID]; l != nil {
		l.describe(e, a.loopOptions(e.Name))
	}
}

// Events takes a batch of events.
func (a *Analyzer) Events(batch []timeline.Event) {
	for i := range batch {
		a.event(&batch[i])
	}
}

func (a *Analyzer) event(e *timeline.Event) {
	switch e.Kind {
	case timeline.SampleArrived:
		a.see(e)
		if r := a.graph.readers[e.Entity]; r != nil {
			r.arrive(e)
			return
		}
		t := a.topic(e.Entity)
		if t.entity.Kind != timeline.TransformEntity {
			a.messages++
		}
		t.arrive(e, a)
		a.fromWriter(e)
	case timeline.SampleDropped:
		a.dropped(e)
	case timeline.DeadlineEvent:
		a.deadlineMissed(e)
	case timeline.TickArrived:
		a.see(e)
		if r := a.graph.readers[e.Entity]; r != nil {
			r.arrive(e)
			return
		}
		a.messages++
		a.topic(e.Entity).arrive(e, a)
		a.fromWriter(e)
		if c := a.clockOf(e.Entity); c.entity == e.Entity {
			c.tick(e.At, clock.Sim(e.Value))
			if e.Has(timeline.HasSent) {
				c.latency.Add(seconds(e.At.Sub(e.Sent)), int64(e.At))
			}
		}
	case timeline.ServiceEvent:
		a.topic(e.Entity).serve(e)
	case timeline.JobReleased, timeline.JobStarted, timeline.JobEnded, timeline.PeriodsSkipped, timeline.Mark:
		a.jobEvent(e)
	case timeline.SampleSent:
		if j := a.thread(e).running(); j != nil {
			a.chains.publish(j, e)
		}
	case timeline.SampleTaken:
		if j := a.thread(e).running(); j != nil {
			a.chains.take(j, e.Cause)
		}
	case timeline.ReportedRTF:
		a.reportedRTF(e)
	case timeline.Hole:
		a.chains.cut()
		a.holes = append(a.holes, hole{e.At, timeline.Instant(e.Value), e.Entity})
		if a.clock != nil {
			a.clock.interrupt()
		}
	}
}

// see widens the span of the timeline.
func (a *Analyzer) see(e *timeline.Event) {
	if !a.started {
		a.started, a.start, a.end = true, e.At, e.At
	}
	a.start, a.end = min(a.start, e.At), max(a.end, e.At)
}

func (a *Analyzer) topic(id timeline.EntityID) *topic {
	for int(id) >= len(a.topics) {
		a.topics = append(a.topics, nil)
	}
	if a.topics[id] == nil {
		a.topics[id] = newTopic(a.pool)
		a.topics[id].entity.ID = id
		if a.opt.Plots {
			a.topics[id].plot = &topicPlot{}
		}
		a.order = append(a.order, a.topics[id])
	}
	return a.topics[id]
}

// clockOf returns the state of the clock. Should a source carry several
// clocks, nodes are taken to follow the one named /clock, else the first.
func (a *Analyzer) clockOf(id timeline.EntityID) *ticks {
	if a.clock == nil {
		a.clock = newTicks(a.pool, a.opt)
	}
	named := a.entities[id].Name == "/clock" && a.clock.n == 0
	if a.clock.entity == 0 || named {
		a.clock.entity = id
	}
	return a.clock
}

func (a *Analyzer) reportedRTF(e *timeline.Event) {
	a.reported.Add(math.Float64frombits(uint64(e.Value)), int64(e.At))
	a.reportedBy = e.Entity
}

// unreadable reports whether part of the timeline between two arrivals of an
// entity could not be read.
func (a *Analyzer) unreadable(id timeline.EntityID, from, to timeline.Instant) bool {
	for _, h := range a.holes {
		if (h.entity == 0 || h.entity == id) && h.from <= to && h.to >= from {
			return true
		}
	}
	return false
}

// at returns an instant as seconds after the start of the timeline.
func (a *Analyzer) at(t int64) float64 { return seconds(timeline.Instant(t).Sub(a.start)) }

func seconds(d time.Duration) float64 { return float64(d) / 1e9 }
