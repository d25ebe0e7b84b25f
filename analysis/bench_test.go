package analysis

import (
	"fmt"
	"testing"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// BenchmarkFigures asks for the figures of 100 topics at 100 Hz once a second,
// as a live display does, after some time has passed.
func BenchmarkFigures(b *testing.B) {
	for _, keep := range []int{0, 1 << 16} {
		for _, passed := range []time.Duration{10 * time.Second, 10 * time.Minute} {
			b.Run(fmt.Sprintf("topics=100/keep=%d/passed=%v", keep, passed), func(b *testing.B) {
				l := newLive(Options{KeepExactly: keep})
				l.run(passed)
				for b.Loop() {
					b.StopTimer()
					l.run(time.Second)
					b.StartTimer()
					l.a.Figures()
				}
			})
		}
	}
}

// BenchmarkLiveSample is the arrival of one sample of a known writer.
func BenchmarkLiveSample(b *testing.B) {
	l := newLive(Options{KeepExactly: 1 << 16})
	b.ReportAllocs()
	for b.Loop() {
		l.sample()
	}
}

// A live feeds samples of 100 topics at 100 Hz, with numbers and stamps.
type live struct {
	a     *Analyzer
	n     uint64
	batch [1]timeline.Event
}

const liveTopics = 100

func newLive(opt Options) *live {
	l := &live{a: New(opt)}
	l.a.Start(timeline.Origin{Base: timeline.Base{Clock: timeline.WallClock}})
	for i := range timeline.EntityID(liveTopics) {
		l.a.Describe(timeline.Entity{ID: 2*i + 1, Kind: timeline.TopicEntity, Name: fmt.Sprint("/topic_", i)})
		l.a.Describe(timeline.Entity{ID: 2*i + 2, Kind: timeline.WriterEntity, Name: fmt.Sprint(i), Parent: 2*i + 1, Node: "/node"})
	}
	return l
}

func (l *live) run(d time.Duration) {
	for range int(d.Seconds() * 100 * liveTopics) {
		l.sample()
	}
}

func (l *live) sample() {
	topic, number := timeline.EntityID(l.n%liveTopics), l.n/liveTopics+1
	at := epoch + timeline.Instant(l.n*100_000+(l.n*7919)%50_000)
	l.batch[0] = timeline.Event{
		Kind: timeline.SampleArrived, Flags: timeline.HasSent | timeline.HasStamp, At: at, Entity: 2*topic + 1, Size: 100,
		Number: number, Cause: timeline.Cause{Entity: 2*topic + 2, Number: number}, Sent: at - 200_000, Stamp: timeline.Stamp(at) - 1_000_000,
	}
	l.a.Events(l.batch[:])
	l.n++
}
