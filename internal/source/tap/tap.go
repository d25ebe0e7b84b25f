// Package tap makes a timeline of what a participant hears on a live graph,
// while analyses and a recorder read it.
//
// A Tap is told of endpoints by discovery and of samples by the readers that
// its Transport joins for it; both may call from any goroutine and are never
// kept waiting. One goroutine, that of Run, puts the events in order and hands
// them to the sink. What a sink cannot take in time is lost, counted, and told
// as a Hole.
//
// The axis is CLOCK_MONOTONIC of this host. At is when the kernel got the
// datagram that made the sample whole. Sent is the source timestamp that the writer put on
// it, moved from the wall clock to the axis: for a writer on another host it is
// as good as the two hosts' wall clocks agree. Size is the payload with its
// encapsulation header and the up to three bytes of padding that RTPS adds.
//
// An event reaches the sink within Reorder and Interval of its arrival, 200 ms
// by default: that, and what the sink itself has not dealt with, is what a
// killed process loses. Within Reorder events come in the order of time; one
// that is delivered later than that after its arrival, such as a sample behind
// another that had to be sent again, comes late, which a finding says.
package tap

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// A Transport joins topics for a Tap.
type Transport interface {
	// Join begins to read a topic with best effort, or reliably if that is what
	// the transport was made for. It may call take from the receiving
	// goroutine, before it returns too, until the reader is closed.
	Join(t Topic, take func(*rtps.Sample)) (Reader, error)
}

// A Reader is one of takt's own, on one topic.
type Reader interface {
	GUID() wire.GUID
	// Counts returns what became of the samples of a writer; false if it is not
	// matched.
	Counts(writer wire.GUID) (rtps.Counts, bool)
	// Close leaves the topic. When it returns, take is called no more.
	Close() error
}

// A Topic is what there is to join.
type Topic struct {
	Name string // of ROS, /imu; of a topic that is not of ROS its DDS name
	Type string // of ROS, sensor_msgs/msg/Imu; else its DDS name
}

// An Endpoint is a writer or reader of the graph.
type Endpoint struct {
	GUID  wire.GUID // says too which of the two it is
	Topic Topic
	Node  string        // full name; "" as long as no node claims it
	QoS   *qos.Policies // nil if unknown
	Own   bool          // takt's
}

// Options configure a Tap. Now and Offset must be set.
type Options struct {
	Now    func() clock.Mono // CLOCK_MONOTONIC
	Offset func() Offset     // of the wall clock, asked for once per batch

	// Notice is called at once, on the goroutine of Run, with what the outcome
	// says in the end of topics that are not read or no longer; nil: nobody is told.
	Notice func(timeline.Finding)
	// Findings is asked at the end for what else the outcome is to say; nil: nothing.
	Findings func() []timeline.Finding

	Name         string        // what the timeline is of, such as "domain 0"
	Host, Boot   string        // where the axis is valid
	ArrivalError time.Duration // bound of the error of arrivals on the axis

	Budget   BudgetOptions // what may be joined
	Interval time.Duration // of batches; 0 means 150 ms
	Reorder  time.Duration // how long an event waits for earlier ones; 0 means 50 ms
	Waiting  int           // events that may wait for a slow sink, 80 bytes each; 0 means 65536
}

// An Offset is CLOCK_REALTIME minus CLOCK_MONOTONIC, and a bound of its error.
type Offset struct{ WallMinusMono, Error time.Duration }

// A Tap is one run on a live graph.
type Tap struct {
	opt       Options
	transport Transport
	wake      chan struct{} // has room for one

	// Of the goroutine of Run.
	order   order
	streams []*stream // joined
	noticed int       // topics left out that were told of
	found   findings

	mu     sync.Mutex // guards the rest; held for moments, never while the transport or the sink is called
	queue  queue
	table  table
	wall   wallClock
	budget *Budget
	joins  []*stream // to be joined
	ended  bool
}

// New returns a Tap that hears nothing before Run.
func New(transport Transport, opt Options) *Tap {
	opt.Interval = cmp.Or(opt.Interval, 150*time.Millisecond)
	opt.Reorder = cmp.Or(opt.Reorder, 50*time.Millisecond)
	opt.Waiting = cmp.Or(opt.Waiting, 1<<16)
	t := &Tap{
		opt:       opt,
		transport: transport,
		order:     order{bound: opt.Reorder, most: opt.Waiting},
		queue:     queue{most: opt.Waiting},
		budget:    NewBudget(opt.Budget),
		wake:      make(chan struct{}, 1),
	}
	t.wall.read(opt.Offset())
	return t
}

// Origin says where the timeline comes from.
func (t *Tap) Origin() timeline.Origin {
	return timeline.Origin{Kind: "tap", Path: t.opt.Name, Base: timeline.Base{
		Clock: timeline.MonoClock, Host: t.opt.Host, Boot: t.opt.Boot,
		MonoKnown: true, MonoError: int64(t.opt.ArrivalError),
		WallOffset: int64(t.wall.first.WallMinusMono),
	}}
}

// Run hands the graph to sink until ctx is done, which is the ordinary end, and
// then leaves all topics. It may be called once.
func (t *Tap) Run(ctx context.Context, sink timeline.Sink) (timeline.Outcome, error) {
	sink.Start(t.Origin())
	ticker := time.NewTicker(t.opt.Interval)
	defer ticker.Stop()
	for ctx.Err() == nil {
		t.follow()
		t.turn(sink, t.opt.Now())
		select {
		case <-ctx.Done():
		case <-ticker.C:
		case <-t.wake:
		}
	}
	t.leaveAll()
	t.turn(sink, t.opt.Now())
	t.order.end(sink)
	return t.outcome(), nil
}

// turn hands on what has come, as far as nothing earlier is to be expected.
func (t *Tap) turn(sink timeline.Sink, now clock.Mono) {
	for _, s := range t.streams {
		t.countLosses(s, maxDrops)
	}
	offset := t.opt.Offset()
	t.mu.Lock()
	t.wall.read(offset)
	described, events := t.queue.swap()
	t.mu.Unlock()
	for _, e := range described {
		sink.Describe(e)
	}
	t.order.take(sink, events, timeline.Instant(now))
}

// nudge ends the wait of Run.
func (t *Tap) nudge() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}
