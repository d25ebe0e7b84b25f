package pcap

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/timeline"
)

type times struct{ at []float64 }

func (s *times) Start(timeline.Origin)    {}
func (s *times) Describe(timeline.Entity) {}
func (s *times) Events(batch []timeline.Event) {
	for _, e := range batch {
		s.at = append(s.at, e.At.Sub(0).Seconds())
	}
}

// Events within a second of each other are put in order; a tick comes before
// what is of the same instant. What comes later than that is counted.
func TestOrder(t *testing.T) {
	var got times
	var kinds []timeline.Kind
	o := order{sink: &got, entity: func(h *held) bool { kinds = append(kinds, h.Kind); return true }}
	push := func(at time.Duration, kind timeline.Kind) {
		o.push(held{Event: timeline.Event{At: timeline.Instant(at), Kind: kind}})
	}
	push(1000*time.Millisecond, timeline.SampleArrived)
	push(400*time.Millisecond, timeline.SampleArrived)
	push(1000*time.Millisecond, timeline.TickArrived)
	push(2500*time.Millisecond, timeline.SampleArrived) // hands on what is before 1.5 s
	push(900*time.Millisecond, timeline.SampleArrived)  // too late
	push(2400*time.Millisecond, timeline.SampleArrived)
	o.flush()
	same(t, "order", got.at, []float64{0.4, 1, 1, 0.9, 2.4, 2.5})
	if kinds[1] != timeline.TickArrived || o.late != 1 {
		t.Errorf("kinds %v, %d late", kinds, o.late)
	}
}
