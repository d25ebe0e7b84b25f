package rtps

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

var (
	writerGUID = wire.GUID{Prefix: wire.GUIDPrefix{1}, Entity: wire.EntityID{0, 0, 1, wire.KindWriter}}
	reader1    = wire.GUID{Prefix: wire.GUIDPrefix{2}, Entity: wire.EntityID{0, 0, 1, wire.KindReader}}
	reader2    = wire.GUID{Prefix: wire.GUIDPrefix{3}, Entity: wire.EntityID{0, 0, 1, wire.KindReader}}
)

// A writerTest turns one writer by hand. now is 0; only run moves it.
type writerTest struct {
	*testing.T
	w    *Writer
	now  clock.Mono
	sent []Send
	acks int32
}

func newWriterTest(t *testing.T, c WriterConfig) *writerTest {
	c.GUID = writerGUID
	return &writerTest{T: t, w: NewWriter(c)}
}

func (t *writerTest) run(d time.Duration) {
	end := t.now.Add(d)
	for t.w.Next() <= end {
		t.now = max(t.now, t.w.Next())
		t.sent = t.w.Tick(t.now, t.sent)
	}
	t.now = end
}

func (t *writerTest) write(n int) {
	t.Helper()
	for range n {
		var err error
		if t.sent, err = t.w.Write(t.now, t.sent, Change{Payload: []byte("x")}); err != nil {
			t.Fatal(err)
		}
	}
}

func (t *writerTest) ack(r wire.GUID, final bool, base wire.SequenceNumber, missing ...wire.SequenceNumber) {
	t.acks++
	a := wire.AckNack{Reader: r.Entity, Writer: writerGUID.Entity, Missing: wire.SequenceSet{Base: base}, Count: t.acks, Final: final}
	for _, n := range missing {
		a.Missing.Add(n)
	}
	t.w.AckNack(t.now, r.Prefix, &a)
}

// want compares what was sent since the last want.
func (t *writerTest) want(want ...string) {
	t.Helper()
	var got []string
	for i := range t.sent {
		got = append(got, words(&t.sent[i]))
	}
	if t.sent = t.sent[:0]; !slices.Equal(got, want) {
		t.Errorf("at %v sent\n  %s\nwant\n  %s", time.Duration(t.now), strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// words describes a submessage: to whom (* is all), what, and ! if an answer
// is required.
func words(s *Send) string {
	to := "*"
	if s.To != (wire.GUID{}) {
		to = fmt.Sprint(s.To.Prefix[0])
	}
	switch s.Kind {
	case wire.IDData:
		return fmt.Sprintf("%s data %d", to, s.Data.Sequence)
	case wire.IDDataFrag:
		return fmt.Sprintf("%s frag %d %d+%d", to, s.DataFrag.Sequence, s.DataFrag.First, s.DataFrag.Fragments)
	case wire.IDHeartbeatFrag:
		return fmt.Sprintf("%s heartbeatfrag %d %d", to, s.HeartbeatFrag.Sequence, s.HeartbeatFrag.Last)
	case wire.IDNackFrag:
		return fmt.Sprintf("%s nackfrag %d %v", to, s.NackFrag.Sequence, slices.Collect(s.NackFrag.Missing.All()))
	case wire.IDHeartbeat:
		return fmt.Sprintf("%s heartbeat %d..%d%s", to, s.Heartbeat.First, s.Heartbeat.Last, ask(s.Heartbeat.Final))
	case wire.IDGap:
		return fmt.Sprintf("%s gap %d..%d", to, s.Gap.Start, s.Gap.List.Base-1)
	}
	return fmt.Sprintf("%s acknack %d %v%s", to, s.AckNack.Missing.Base, slices.Collect(s.AckNack.Missing.All()), ask(s.AckNack.Final))
}

func ask(final bool) string {
	if final {
		return ""
	}
	return "!"
}

func TestVolatileReaderIsToldThatThereIsNothing(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepLast(10)})
	w.want()
	w.write(2)
	w.want() // nobody listens
	w.w.Match(w.now, reader1, true, true)
	w.run(0)
	w.want("2 heartbeat 3..2!")
	w.write(1)
	w.want("* data 3", "2 heartbeat 3..2!") // it may not know its start yet
	w.ack(reader1, true, 3)
	w.run(0)
	w.now += clock.Mono(time.Millisecond)
	w.write(1)
	w.want("* data 4", "* heartbeat 1..4")
}

func TestTransientLocalReaderIsOfferedWhatIsKept(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepLast(2), TransientLocal: true})
	w.write(5)
	w.w.Match(w.now, reader1, true, true)
	w.run(0)
	w.want("2 heartbeat 4..5!") // history comes only to who asks
	w.ack(reader1, false, 4, 4, 5)
	w.run(0)
	w.want("2 data 4", "2 data 5", "2 heartbeat 4..5!")
	w.ack(reader1, true, 6)
	w.run(time.Minute)
	w.want()
	if !w.w.AllAcked() {
		t.Error("not all acknowledged")
	}
}

func TestEmptyWriterSaysOneToZero(t *testing.T) {
	w := newWriterTest(t, WriterConfig{})
	w.w.Match(w.now, reader1, true, false)
	w.run(0)
	w.want("2 heartbeat 1..0!")
}

// TestHeartbeatsGoOnUntilAllIsAcknowledged has one 100 ms after the sample and
// then intervals of 100, 200, 400 and 800 ms, at last 1 s: within 3 s that are 6,
// at 0.1, 0.2, 0.4, 0.8, 1.6 and 2.6 s.
func TestHeartbeatsGoOnUntilAllIsAcknowledged(t *testing.T) {
	w := newWriterTest(t, WriterConfig{TransientLocal: true})
	w.w.Match(w.now, reader1, true, true)
	w.run(0)
	w.want("2 heartbeat 1..0!")
	w.ack(reader1, true, 1)
	w.run(time.Second)
	w.want()
	w.write(1)
	w.want("* data 1", "* heartbeat 1..1!")
	h := "2 heartbeat 1..1!"
	w.run(1600 * time.Millisecond)
	w.want(h, h, h, h, h)
	w.run(time.Second - 1)
	w.want()
	w.run(401 * time.Millisecond)
	w.want(h)
	w.ack(reader1, true, 2)
	w.run(time.Minute)
	w.want()
}

func TestGapForWhatIsGone(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepLast(2), TransientLocal: true})
	w.w.Match(w.now, reader1, true, true)
	w.write(5)
	w.run(0)
	w.sent = nil
	w.ack(reader1, true, 1, 1, 2, 4)
	w.run(0)
	w.want("2 gap 1..3", "2 data 4", "2 heartbeat 4..5!")
}

func TestGapForWhatWasBeforeAVolatileReader(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepLast(9), TransientLocal: true})
	w.write(3)
	w.w.Match(w.now, reader1, true, false)
	w.run(0)
	w.want("2 heartbeat 4..3!")
	w.ack(reader1, true, 1, 1, 2)
	w.run(0)
	w.want("2 gap 1..3", "2 heartbeat 4..3!")
}

func TestRepeatedRequestsAreMerged(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepLast(9), TransientLocal: true})
	w.write(3)
	w.w.Match(w.now, reader1, true, true)
	w.run(0)
	w.want("2 heartbeat 1..3!")
	w.ack(reader1, false, 1, 1)
	w.run(0)
	w.want("2 data 1", "2 heartbeat 1..3!")
	w.ack(reader1, false, 1, 1)
	w.ack(reader1, false, 1, 1)
	w.run(5*time.Millisecond - 1)
	w.want()
	w.run(1)
	w.want("2 data 1", "2 heartbeat 1..3!")
}

func TestAcknowledgementsThatCannotBe(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepLast(9), TransientLocal: true})
	w.w.Match(w.now, reader1, true, true)
	w.write(3)
	w.ack(reader1, true, 2)
	w.ack(reader1, true, 5) // only 3 were written
	w.acks = 0
	w.ack(reader1, true, 4) // a count that was there before
	w.ack(reader2, true, 4) // nobody
	if got := w.w.acked(); got != 1 {
		t.Errorf("acknowledged up to %d, want 1", got)
	}
	w.acks = 9
	w.ack(reader1, true, 0) // Fast DDS begins with base 0
	w.ack(reader1, true, 1)
	if got := w.w.acked(); got != 1 {
		t.Errorf("acknowledged up to %d, want 1: it never goes back", got)
	}
}

func TestKeepAllWaitsForTheSlowestReader(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepAll(), Limit: 2})
	w.write(5) // kept for nobody
	w.w.Match(w.now, reader1, true, false)
	w.w.Match(w.now, reader2, true, false)
	w.write(2)
	if _, err := w.w.Write(w.now, nil, Change{}); !errors.Is(err, ErrFull) {
		t.Fatalf("a third unacknowledged sample: %v, want ErrFull", err)
	}
	w.ack(reader1, true, 8)
	if _, err := w.w.Write(w.now, nil, Change{}); !errors.Is(err, ErrFull) {
		t.Fatalf("with one reader behind: %v, want ErrFull", err)
	}
	w.w.Unmatch(reader2)
	w.write(2)
}

// TestAFullWriterAsksAtOnce, even if it said something just before: else it
// would stand still until the next heartbeat.
func TestAFullWriterAsksAtOnce(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepAll(), Limit: 8})
	w.w.Match(0, reader1, true, false)
	w.ack(reader1, true, 1)
	w.run(time.Second)
	w.sent = nil
	w.write(8) // in the same instant
	beats, last := 0, wire.Heartbeat{}
	for _, s := range w.sent {
		if s.Kind == wire.IDHeartbeat {
			beats, last = beats+1, s.Heartbeat
		}
	}
	if beats != 2 || last.Last != 8 || last.Final {
		t.Errorf("%d heartbeats, the last %+v; want one with the first sample and one that asks for all 8", beats, last)
	}
}

// TestTransientLocalKeepsTheNewestForLaterReaders: what all have acknowledged
// gives way to the new, what somebody lacks does not.
func TestTransientLocalKeepsTheNewestForLaterReaders(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepAll(), Limit: 3, TransientLocal: true})
	w.write(5) // nobody lacks them
	w.w.Match(w.now, reader1, true, true)
	w.run(0)
	w.sent = nil
	if _, err := w.w.Write(w.now, nil, Change{}); !errors.Is(err, ErrFull) {
		t.Fatalf("while a late reader lacks the oldest: %v, want ErrFull", err)
	}
	w.ack(reader1, false, 3, 3, 4, 5)
	w.run(0)
	w.want("2 data 3", "2 data 4", "2 data 5", "2 heartbeat 3..5!")
	w.ack(reader1, true, 5)
	w.write(2)
	if _, err := w.w.Write(w.now, nil, Change{}); !errors.Is(err, ErrFull) {
		t.Fatalf("5 is not acknowledged: %v, want ErrFull", err)
	}
	if first, last := w.w.History(); first != 5 || last != 7 {
		t.Errorf("kept %d..%d, want 5..7", first, last)
	}
}

// TestReaderThatIsNeverFinal: it must not wait forever to be told of samples.
func TestReaderThatIsNeverFinal(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepLast(3)})
	w.w.Match(w.now, reader1, true, false)
	w.write(1)
	for range 16 {
		w.run(100 * time.Millisecond)
		w.sent = nil
		w.ack(reader1, false, 1)
	}
	w.run(0)
	w.sent = nil
	w.run(time.Second)
	if len(w.sent) == 0 || words(&w.sent[0]) != "2 heartbeat 1..1!" {
		t.Errorf("sent %d, the first should be a heartbeat of 1..1", len(w.sent))
	}
}

func TestWriteAllocatesNothing(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepAll()})
	w.w.Match(w.now, reader1, true, false)
	w.ack(reader1, true, 1)
	out, payload := make([]Send, 0, 8), make([]byte, 1000)
	n := testing.AllocsPerRun(2000, func() {
		w.now += clock.Mono(time.Millisecond)
		out, _ = w.w.Write(w.now, out[:0], Change{Payload: payload})
		_, last := w.w.History()
		w.ack(reader1, true, last+1)
		out = w.w.Tick(w.now, out[:0])
	})
	if n != 0 {
		t.Errorf("%v allocations for a sample, want 0", n)
	}
}
