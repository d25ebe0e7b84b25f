package rtps

import (
	"fmt"
	"testing"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// A steady is a writer and a reader on a perfect network, at 1 kHz.
type steady struct {
	w        *Writer
	r        *Reader
	n        wire.SequenceNumber
	payload  []byte
	sends    []Send
	answers  []Send
	samples  []Sample
	received int
}

func newSteady(size int, reliable bool) *steady {
	s := &steady{
		w:       NewWriter(WriterConfig{GUID: writerGUID, History: qos.KeepLast(10)}),
		r:       NewReader(ReaderConfig{GUID: reader1, Reliable: reliable}),
		payload: make([]byte, size),
	}
	s.w.Match(0, reader1, reliable, false)
	s.r.Match(0, writerGUID, true)
	return s
}

// turn writes one sample and hands all that follows to and fro.
func (s *steady) turn() {
	now := clock.Mono(s.n) * ms
	s.n++
	s.sends, _ = s.w.Write(now, s.sends[:0], Change{Payload: s.payload})
	s.sends = s.w.Tick(now, s.sends)
	s.samples = s.samples[:0]
	for i := range s.sends {
		send := &s.sends[i]
		switch send.Kind {
		case wire.IDData:
			s.samples = s.r.Data(now, s.samples, writerGUID.Prefix, wire.Some(send.Source), &send.Data)
		case wire.IDDataFrag:
			s.samples = s.r.DataFrag(now, s.samples, writerGUID.Prefix, wire.Some(send.Source), &send.DataFrag)
		case wire.IDHeartbeat:
			s.samples = s.r.Heartbeat(now, s.samples, writerGUID.Prefix, &send.Heartbeat)
		case wire.IDHeartbeatFrag:
			s.r.HeartbeatFrag(now, writerGUID.Prefix, &send.HeartbeatFrag)
		}
	}
	s.received += len(s.samples)
	s.r.Recycle()
	s.answers = s.r.Tick(now, s.answers[:0])
	for i := range s.answers {
		s.w.AckNack(now, reader1.Prefix, &s.answers[i].AckNack)
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, size := range []int{0, 100, 100_000} {
		for _, reliable := range []bool{true, false} {
			s := newSteady(size, reliable)
			for range 300 {
				s.turn()
			}
			best := 1.0
			for range 3 { // others may allocate meanwhile
				best = min(best, testing.AllocsPerRun(300, s.turn))
			}
			if best != 0 {
				t.Errorf("%d bytes, reliable %v: %v allocations for a sample, want 0", size, reliable, best)
			}
			if got := s.received; got != int(s.n) {
				t.Errorf("%d bytes, reliable %v: %d samples of %d", size, reliable, got, s.n)
			}
		}
	}
}

func BenchmarkSteady(b *testing.B) {
	for _, size := range []int{100, 100_000} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			s := newSteady(size, true)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				s.turn()
			}
		})
	}
}
