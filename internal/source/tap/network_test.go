package tap

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/timeline"
)

// networkDomain is joined by these tests alone.
const networkDomain = 72

var onLoopback = ros.Environment{Domain: networkDomain, Range: ros.Localhost}

func joinNetwork(t *testing.T, c NetworkConfig) *Network {
	t.Helper()
	c.Environment = onLoopback
	n, err := JoinNetwork(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

func joinAsNode(t *testing.T, name string) *ros.Node {
	t.Helper()
	n, err := ros.Join(ros.Config{Environment: onLoopback, Name: name, Form: ros.ShortForm})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

// A guarded log is a sink that may be looked at meanwhile.
type guardedLog struct {
	mu  sync.Mutex
	log log
}

func (g *guardedLog) Start(o timeline.Origin) { g.do(func(l *log) { l.Start(o) }) }

func (g *guardedLog) Describe(e timeline.Entity) { g.do(func(l *log) { l.Describe(e) }) }

func (g *guardedLog) Events(batch []timeline.Event) { g.do(func(l *log) { l.Events(batch) }) }

func (g *guardedLog) do(f func(*log)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(&g.log)
}

// await waits for what the sink must have been told.
func (g *guardedLog) await(t *testing.T, what string, is func(*log) bool) {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		found := false
		g.do(func(l *log) { found = is(l) })
		if found {
			return
		}
		if time.Since(begin) > 20*time.Second {
			t.Fatalf("not within 20 s: %s", what)
		}
	}
}

// A node comes, publishes as fast as it can, and goes: the sink is told of all
// of it, of every sample that was not lost, and of nothing once Run has returned.
func TestNetworkFollowsANode(t *testing.T) {
	n := joinNetwork(t, NetworkConfig{EverySample: true})
	driver := joinAsNode(t, "driver")
	pub, err := ros.Publish[ros.String](driver, "/chatter", qos.Policies{Reliability: qos.Reliable, History: qos.KeepAll()})
	if err != nil {
		t.Fatal(err)
	}
	sink := &guardedLog{log: log{now: noClock}}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	ended := make(chan timeline.Outcome)
	go func() {
		o, err := n.Run(ctx, Options{}, sink)
		if err != nil {
			t.Error(err)
		}
		ended <- o
	}()
	writer := pub.Writer().GUID().String()
	sink.await(t, "the writer is /driver's", func(l *log) bool { return l.last(writer).Node == "/driver" })
	own := func(l *log) bool {
		for _, e := range l.entities {
			if e.Own && e.Kind == timeline.ReaderEntity && e.QoS != nil {
				return true
			}
		}
		return false
	}
	sink.await(t, "takt's reader is told of", own)
	for pub.Writer().Matched() == 0 {
		time.Sleep(time.Millisecond)
	}
	const count = 5000
	for range count {
		if err := pub.Publish(ctx, &ros.String{Data: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	sink.await(t, "all samples", func(l *log) bool { return len(l.events) == count })
	driver.Close()
	sink.await(t, "the writer has left", func(l *log) bool { return l.last(writer).Left })
	end()
	o := <-ended
	if o.Partial {
		t.Errorf("partial: %+v", o.Findings)
	}
	sink.do(func(l *log) {
		for i, e := range l.events {
			if e.Kind != timeline.SampleArrived || e.Number != uint64(i+1) || e.Cause.Entity != l.last(writer).ID {
				t.Fatalf("event %d: %+v", i, e)
			}
		}
		if b := l.origin.Base; l.origin.Path != "domain 72" || b.Clock != timeline.MonoClock || !b.MonoKnown || b.MonoError <= 0 || b.Boot == "" {
			t.Errorf("origin %+v", l.origin)
		}
	})
	if load := n.Load(); load.Samples != count || load.ReceivedBytes == 0 || load.SentBytes == 0 {
		t.Errorf("load %+v", load)
	}
}

// A topic with two types is told of in the outcome, which a recording keeps.
func TestNetworkTellsWhatDoesNotFit(t *testing.T) {
	n := joinNetwork(t, NetworkConfig{})
	talker, listener := joinAsNode(t, "talker"), joinAsNode(t, "listener")
	if _, err := ros.Publish[ros.String](talker, "/chatter", ros.DefaultQoS()); err != nil {
		t.Fatal(err)
	}
	if _, err := ros.Subscribe(listener, "/chatter", ros.DefaultQoS(), func(*ros.Clock, *rtps.Sample) {}); err != nil {
		t.Fatal(err)
	}
	sink := &guardedLog{log: log{now: noClock}}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	ended := make(chan timeline.Outcome)
	go func() {
		o, err := n.Run(ctx, Options{}, sink)
		if err != nil {
			t.Error(err)
		}
		ended <- o
	}()
	sink.await(t, "both endpoints have nodes", func(l *log) bool {
		return l.last("/talker").ID != 0 && l.last("/listener").ID != 0
	})
	end()
	f := findingOf(<-ended, "graph-mismatch")
	if f.Subject != "/chatter" || !strings.Contains(f.Text, "std_msgs/msg/String by /talker") || !strings.Contains(f.Text, "rosgraph_msgs/msg/Clock by /listener") {
		t.Errorf("finding %+v", f)
	}
}

// While a writer floods, Run ends all the same, and nothing comes after it.
func TestNetworkEndsUnderAFlood(t *testing.T) {
	n := joinNetwork(t, NetworkConfig{})
	pub, err := ros.Publish[ros.String](joinAsNode(t, "driver"), "/chatter", qos.Policies{History: qos.KeepLast(1)})
	if err != nil {
		t.Fatal(err)
	}
	flooding, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		for flooding.Err() == nil {
			_ = pub.Publish(flooding, &ros.String{Data: "x"})
		}
	})
	defer func() { stop(); running.Wait() }()
	sink := &guardedLog{log: log{now: noClock}}
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = n.Run(ctx, Options{}, sink)
	}()
	sink.await(t, "samples", func(l *log) bool { return len(l.events) > 100 })
	end()
	<-ended
	count := func() (n int) { sink.do(func(l *log) { n = len(l.events) }); return n }
	before := count()
	time.Sleep(100 * time.Millisecond)
	if after := count(); after != before {
		t.Errorf("%d events after the end", after-before)
	}
	if m := n.Mismatches(); len(m) != 0 {
		t.Errorf("mismatches %+v", m)
	}
}
