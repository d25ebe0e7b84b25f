package rtps

import (
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A readerTest turns one reader by hand. now is 0; only run moves it.
type readerTest struct {
	*testing.T
	r     *Reader
	now   clock.Mono
	sent  []Send
	got   []Sample
	beats int32
}

func newReaderTest(t *testing.T, c ReaderConfig) *readerTest {
	c.GUID = reader1
	r := &readerTest{T: t, r: NewReader(c)}
	r.r.Match(0, writerGUID, true)
	return r
}

func (t *readerTest) run(d time.Duration) {
	end := t.now.Add(d)
	for t.r.Next() <= end {
		t.now = max(t.now, t.r.Next())
		t.sent = t.r.Tick(t.now, t.sent)
	}
	t.now = end
}

func (t *readerTest) data(numbers ...wire.SequenceNumber) {
	for _, n := range numbers {
		d := wire.Data{Writer: writerGUID.Entity, Sequence: n, Payload: []byte{byte(n)}}
		ts := wire.Some(wire.Timestamp{Seconds: uint32(n)})
		t.got = t.r.Data(t.now, t.got, writerGUID.Prefix, ts, &d)
		d.Payload[0] = 0xff // as the datagram's buffer is used again
	}
}

func (t *readerTest) heartbeat(first, last wire.SequenceNumber, final bool) {
	t.beats++
	h := wire.Heartbeat{Writer: writerGUID.Entity, First: first, Last: last, Count: t.beats, Final: final}
	t.got = t.r.Heartbeat(t.now, t.got, writerGUID.Prefix, &h)
}

func (t *readerTest) gap(start, end wire.SequenceNumber, also ...wire.SequenceNumber) {
	g := wire.Gap{Reader: reader1.Entity, Writer: writerGUID.Entity, Start: start, List: wire.SequenceSet{Base: end}}
	for _, n := range also {
		g.List.Add(n)
	}
	t.got = t.r.Gap(t.got, writerGUID.Prefix, &g)
}

func (t *readerTest) wantSent(want ...string) {
	t.Helper()
	var got []string
	for i := range t.sent {
		got = append(got, words(&t.sent[i]))
	}
	if t.sent = t.sent[:0]; !slices.Equal(got, want) {
		t.Errorf("at %v sent %q, want %q", time.Duration(t.now), got, want)
	}
}

func (t *readerTest) wantGot(want ...wire.SequenceNumber) {
	t.Helper()
	var got []wire.SequenceNumber
	for _, s := range t.got {
		got = append(got, s.Sequence)
	}
	if t.got = t.got[:0]; !slices.Equal(got, want) {
		t.Errorf("delivered %v, want %v", got, want)
	}
}

func (t *readerTest) wantCounts(want Counts) {
	t.Helper()
	if got, _ := t.r.Counts(writerGUID); got != want {
		t.Errorf("counts\n%+v, want\n%+v", got, want)
	}
}

// TestOpening: at once, then after 70, 140 ms and so on, base 1 without bits.
func TestOpening(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.run(0)
	r.wantSent("1 acknack 1 []!")
	r.run(70*time.Millisecond - 1)
	r.wantSent()
	r.run(141 * time.Millisecond)
	r.wantSent("1 acknack 1 []!", "1 acknack 1 []!")
	r.heartbeat(4, 3, true)
	r.run(281 * time.Millisecond)
	r.wantSent("1 acknack 4 []") // the one already due
	r.run(time.Minute)
	r.wantSent()
}

func TestVolatileReaderNeverAsksForThePast(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.run(0)
	r.sent = nil
	r.heartbeat(1, 9, false)
	r.run(5 * time.Millisecond)
	r.wantSent("1 acknack 10 []")
	r.data(10, 9)
	r.wantGot(10)
	r.wantCounts(Counts{Delivered: 1, Repeated: 1, Announced: 9})
}

func TestSamplesBeforeTheFirstHeartbeat(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.data(7, 5, 8)
	r.wantGot()
	r.heartbeat(1, 7, true)
	r.wantGot(5, 7, 8) // 6 was before the start, and nobody's loss
	r.wantCounts(Counts{Delivered: 3, Announced: 7})
}

func TestTransientLocalReaderAsksForThePast(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true, TransientLocal: true})
	r.run(0)
	r.sent = nil
	r.heartbeat(3, 5, true)
	r.run(5*time.Millisecond - 1)
	r.wantSent()
	r.run(1)
	r.wantSent("1 acknack 3 [3 4 5]!")
	r.data(3, 5, 4)
	r.wantGot(3, 4, 5)
	r.wantCounts(Counts{Delivered: 3, Repaired: 3, Announced: 5})
}

// TestNothingMissingIsSaidAtOnce, since the writer may wait for room; what is
// missing waits for datagrams that come in another order.
func TestNothingMissingIsSaidAtOnce(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true, Delay: 5 * time.Millisecond})
	r.heartbeat(1, 0, true)
	r.run(time.Second)
	r.data(1)
	r.heartbeat(1, 1, false)
	if got := r.r.Next(); got != r.now {
		t.Errorf("the answer is due after %v, want at once", got.Sub(r.now))
	}
	r.run(time.Second)
	r.heartbeat(1, 2, false)
	if got := r.r.Next(); got != r.now.Add(5*time.Millisecond) {
		t.Errorf("the answer is due after %v, want 5 ms", got.Sub(r.now))
	}
}

func TestHoleIsAskedForAndFilled(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, false)
	r.run(5 * time.Millisecond)
	r.sent = nil
	r.data(1, 3, 3)
	r.wantGot(1)
	r.run(time.Millisecond)
	r.heartbeat(1, 4, true)
	r.run(5 * time.Millisecond)
	r.wantSent("1 acknack 2 [2 4]!")
	r.data(2)
	if len(r.got) != 2 {
		t.Fatalf("%d samples, want 2 and 3", len(r.got))
	}
	for i, want := range []struct {
		repairs int
		arrival clock.Mono
	}{{1, clock.Mono(11 * time.Millisecond)}, {0, clock.Mono(5 * time.Millisecond)}} {
		s := r.got[i]
		if s.Writer != writerGUID || s.Repairs != want.repairs || s.Arrival != want.arrival || s.Source.Value.Seconds != uint32(i+2) {
			t.Errorf("sample %d: %+v, want repairs and arrival %v", i+2, s, want)
		}
	}
	if r.got[1].Data.Payload[0] != 3 {
		t.Errorf("what was held became %v", r.got[1].Data.Payload)
	}
	r.wantGot(2, 3)
	r.wantCounts(Counts{Delivered: 3, Repaired: 1, Repeated: 1, Announced: 4})
}

func TestOverwrittenAtTheWriter(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	r.data(1, 4)
	r.heartbeat(6, 7, true)
	r.wantGot(1, 4)
	r.data(6)
	r.wantGot(6)
	r.wantCounts(Counts{Delivered: 3, Overwritten: 3, Announced: 7})
}

func TestGapFillsHoles(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	r.data(3, 6)
	r.gap(1, 3, 4)
	r.wantGot(3) // 1, 2 and 4 are not for us; 5 is missing
	r.gap(5, 6)
	r.wantGot(6)
	r.gap(7, 1_000_007) // far beyond the window
	r.data(1_000_007)
	r.wantGot(1_000_007)
	r.wantCounts(Counts{Delivered: 3, Irrelevant: 1_000_004})
}

func TestRepeatedHeartbeatIsIgnored(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	r.run(5 * time.Millisecond)
	r.sent = nil
	r.beats--
	r.heartbeat(1, 5, false)
	r.run(time.Second)
	r.wantSent()
}

func TestBestEffortCountsWhatIsLeftOut(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{})
	r.data(5, 6, 9, 8, 9, 10)
	r.wantGot(5, 6, 9, 10)
	r.heartbeat(11, 20, false)
	r.run(time.Minute)
	r.wantSent()
	r.wantCounts(Counts{Delivered: 4, Lost: 2, Repeated: 2, Announced: 20})
}

func TestOthersAreIgnored(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{})
	d := wire.Data{Reader: wire.EntityID{9, 9, 9, wire.KindReader}, Writer: writerGUID.Entity, Sequence: 1}
	r.got = r.r.Data(0, r.got, writerGUID.Prefix, wire.Optional[wire.Timestamp]{}, &d) // for another reader
	d.Reader = wire.EntityID{}
	r.got = r.r.Data(0, r.got, reader2.Prefix, wire.Optional[wire.Timestamp]{}, &d) // of another writer
	r.wantGot()
	r.wantCounts(Counts{})
}

func TestWhatIsHeldIsBounded(t *testing.T) {
	const room = 10 * (1 + sampleCost) // a sample has one byte
	r := newReaderTest(t, ReaderConfig{Reliable: true, Held: room})
	r.heartbeat(1, 0, true)
	for n := wire.SequenceNumber(2); n < 400; n++ {
		r.data(n)
	}
	r.wantGot()
	r.wantCounts(Counts{NoRoom: 398 - 10})
	r.data(1)
	r.wantGot(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	if got := r.r.writers[0].window.room.left; got != room {
		t.Errorf("room for %d bytes when nothing is held, want %d", got, room)
	}
}

// A writer that keeps all has 1,024 samples under way: with the first lost, the
// others are kept.
func TestAWritersFlightFitsBehindAHole(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	var all []wire.SequenceNumber
	for n := wire.SequenceNumber(2); n <= 1025; n++ {
		r.data(n)
		all = append(all, n-1)
	}
	r.wantGot()
	r.wantCounts(Counts{NoRoom: 1})
	r.data(1)
	r.wantGot(all...)
}

// One ACKNACK asks for 256, the next for those behind.
func TestAWideHoleIsAskedForInParts(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	r.heartbeat(1, 300, false)
	r.run(time.Second)
	asked := r.sent[len(r.sent)-1].AckNack.Missing
	if asked.Base != 1 || asked.Len() != 256 {
		t.Errorf("asks for %d from %d on, want 256 from 1 on", asked.Len(), asked.Base)
	}
	for n := wire.SequenceNumber(1); n <= 256; n++ {
		r.data(n)
	}
	r.heartbeat(1, 300, false)
	r.run(time.Second)
	asked = r.sent[len(r.sent)-1].AckNack.Missing
	if asked.Base != 257 || asked.Len() != 44 {
		t.Errorf("then for %d from %d on, want 44 from 257 on", asked.Len(), asked.Base)
	}
}

func TestReadAllocatesNothing(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	r.run(time.Second)
	r.got, r.sent = make([]Sample, 0, 4), make([]Send, 0, 4)
	d := wire.Data{Writer: writerGUID.Entity, Payload: make([]byte, 1000)}
	n := testing.AllocsPerRun(1000, func() {
		d.Sequence++
		r.got = r.r.Data(r.now, r.got[:0], writerGUID.Prefix, wire.Optional[wire.Timestamp]{}, &d)
		r.heartbeat(1, d.Sequence, false)
		r.now = r.now.Add(time.Second)
		r.sent = r.r.Tick(r.now, r.sent[:0])
	})
	if n != 0 {
		t.Errorf("%v allocations for a sample, want 0", n)
	}
}
