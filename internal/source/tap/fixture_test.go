package tap

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// wallMinusMono is the offset in tests: the monotonic clock began at
// 1700000000 s of the wall clock.
const wallMinusMono = 1_700_000_000 * time.Second

var (
	imuTopic   = Topic{"/imu", "sensor_msgs/msg/Imu"}
	clockTopic = Topic{"/clock", "rosgraph_msgs/msg/Clock"}
	imageTopic = Topic{"/camera", "sensor_msgs/msg/Image"}
)

// A graph is a fake transport: who publishes, and what takt has joined.
type graph struct {
	mu     sync.Mutex
	takes  map[string]func(*rtps.Sample)
	counts map[wire.GUID]rtps.Counts
	refuse error
}

func (g *graph) Join(t Topic, take func(*rtps.Sample)) (Reader, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.refuse != nil {
		return nil, g.refuse
	}
	g.takes[t.Name] = take
	return &graphReader{g, t.Name}, nil
}

type graphReader struct {
	graph *graph
	topic string
}

func (r *graphReader) GUID() wire.GUID { return guid(99, wire.KindReader) }

func (r *graphReader) Close() error {
	r.graph.mu.Lock()
	defer r.graph.mu.Unlock()
	delete(r.graph.takes, r.topic)
	return nil
}

func (r *graphReader) Counts(writer wire.GUID) (rtps.Counts, bool) {
	r.graph.mu.Lock()
	defer r.graph.mu.Unlock()
	c, ok := r.graph.counts[writer]
	return c, ok
}

// take returns where samples of a topic go; nil: it is not joined.
func (g *graph) take(t Topic) func(*rtps.Sample) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.takes[t.Name]
}

// count sets what takt's readers know of a writer.
func (g *graph) count(writer wire.GUID, c rtps.Counts) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.counts[writer] = c
}

func newGraph() *graph {
	return &graph{takes: map[string]func(*rtps.Sample){}, counts: map[wire.GUID]rtps.Counts{}}
}

// guid is the endpoint n of participant n.
func guid(n byte, kind byte) wire.GUID {
	return wire.GUID{Prefix: wire.GUIDPrefix{11: n}, Entity: wire.EntityID{2: n, 3: kind}}
}

func writer(n byte) wire.GUID { return guid(n, wire.KindWriter) }

// A tapTest runs a tap in virtual time, which begins at 100 s.
type tapTest struct {
	*testing.T
	graph   *graph
	tap     *Tap
	sink    *log
	begin   time.Time
	cancel  context.CancelFunc
	outcome chan timeline.Outcome
	noticed []timeline.Finding
}

// inVirtualTime runs a test of a tap with a sink that is never slow.
func inVirtualTime(t *testing.T, opt Options, test func(t *tapTest)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		tt := newTapTest(t, opt)
		tt.start(tt.sink)
		test(tt)
		tt.cancel()
		synctest.Wait()
	})
}

func newTapTest(t *testing.T, opt Options) *tapTest {
	tt := &tapTest{T: t, graph: newGraph(), begin: time.Now(), outcome: make(chan timeline.Outcome, 1)}
	tt.sink = &log{now: tt.now}
	opt.Now = tt.now
	if opt.Offset == nil {
		opt.Offset = func() Offset { return Offset{wallMinusMono, time.Microsecond} }
	}
	opt.Notice = func(f timeline.Finding) { tt.noticed = append(tt.noticed, f) }
	tt.tap = New(tt.graph, opt)
	return tt
}

func (t *tapTest) now() clock.Mono {
	return clock.Mono(100 * time.Second).Add(time.Since(t.begin))
}

func (t *tapTest) start(sink timeline.Sink) {
	ctx, cancel := context.WithCancel(context.Background())
	t.cancel = cancel
	go func() {
		o, err := t.tap.Run(ctx, sink)
		if err != nil {
			t.Error(err)
		}
		t.outcome <- o
	}()
}

// run lets time pass.
func (t *tapTest) run(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// end ends the run as Ctrl-C does.
func (t *tapTest) end() timeline.Outcome {
	t.cancel()
	return <-t.outcome
}

// found tells of a writer, and waits until its topic is joined.
func (t *tapTest) found(n byte, topic Topic) {
	t.tap.Found(Endpoint{GUID: writer(n), Topic: topic})
	synctest.Wait()
}

// publish gives the tap a sample that arrives now.
func (t *tapTest) publish(n byte, topic Topic, sequence wire.SequenceNumber, payload []byte) {
	t.Helper()
	take := t.graph.take(topic)
	if take == nil {
		t.Fatalf("%s is not joined", topic.Name)
	}
	take(sample(n, sequence, t.now(), payload))
}

func sample(n byte, sequence wire.SequenceNumber, at clock.Mono, payload []byte) *rtps.Sample {
	return &rtps.Sample{Writer: writer(n), Sequence: sequence, Arrival: at, Data: wire.Data{Payload: payload}}
}

// stamped is the beginning of a little-endian message with a header, or a
// whole Clock.
func stamped(sec, nanosec uint32) []byte {
	b := []byte{0, 1, 0, 0}
	b = binary.LittleEndian.AppendUint32(b, sec)
	return binary.LittleEndian.AppendUint32(b, nanosec)
}

// A log is a sink that keeps all, and when events came.
type log struct {
	now      func() clock.Mono
	origin   timeline.Origin
	entities []timeline.Entity
	events   []timeline.Event
	came     []timeline.Instant
	largest  int // batch
}

func (l *log) Start(o timeline.Origin)    { l.origin = o }
func (l *log) Describe(e timeline.Entity) { l.entities = append(l.entities, e) }

func (l *log) Events(batch []timeline.Event) {
	l.largest = max(l.largest, len(batch))
	l.events = append(l.events, batch...)
	for range batch {
		l.came = append(l.came, timeline.Instant(l.now()))
	}
}

// last returns the last description of a name.
func (l *log) last(name string) timeline.Entity {
	for _, e := range slices.Backward(l.entities) {
		if e.Name == name {
			return e
		}
	}
	return timeline.Entity{}
}

func findingOf(o timeline.Outcome, id string) (f timeline.Finding) {
	for _, f := range o.Findings {
		if f.ID == id {
			return f
		}
	}
	return f
}

var errRefused = errors.New("no ports left")

func reliable() *qos.Policies {
	p := qos.DefaultWriter()
	return &p
}

// noClock is for sinks of tests without time.
func noClock() clock.Mono { return 0 }
