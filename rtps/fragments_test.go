package rtps

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// whole returns the payload that the tests below cut: no fragment is like another.
func whole(n int) []byte { return wild[:n:n] }

// frag hands the reader n fragments of a sample, of the given size.
func (t *readerTest) frag(sequence wire.SequenceNumber, payload []byte, size uint16, first wire.FragmentNumber, n uint16) {
	d := wire.DataFrag{
		Writer: writerGUID.Entity, Sequence: sequence, First: first, Fragments: n, Size: size, SampleSize: uint32(len(payload)),
	}
	start := d.Start()
	d.Payload = bytes.Clone(payload[start:min(start+int64(n)*int64(size), int64(len(payload)))])
	ts := wire.Some(wire.Timestamp{Seconds: uint32(sequence)})
	t.got = t.r.DataFrag(t.now, t.got, writerGUID.Prefix, ts, &d)
	clear(d.Payload)
}

func (t *readerTest) heartbeatFrag(sequence wire.SequenceNumber, last wire.FragmentNumber) {
	t.beats++
	t.r.HeartbeatFrag(t.now, writerGUID.Prefix, &wire.HeartbeatFrag{Writer: writerGUID.Entity, Sequence: sequence, Last: last, Count: t.beats})
}

func (t *readerTest) wantWhole(want ...[]byte) {
	t.Helper()
	if len(t.got) != len(want) {
		t.Fatalf("%d samples, want %d", len(t.got), len(want))
	}
	for i, s := range t.got {
		if !bytes.Equal(s.Data.Payload, want[i]) {
			t.Errorf("sample %d has %d bytes, not the %d sent", s.Sequence, len(s.Data.Payload), len(want[i]))
		}
	}
	t.got = t.got[:0]
}

func (t *writerTest) nackFrag(r wire.GUID, n wire.SequenceNumber, missing ...wire.FragmentNumber) {
	t.acks++
	a := wire.NackFrag{Reader: r.Entity, Writer: writerGUID.Entity, Sequence: n, Missing: wire.FragmentSet{Base: missing[0]}, Count: t.acks}
	for _, k := range missing {
		a.Missing.Add(k)
	}
	t.w.NackFrag(t.now, r.Prefix, &a)
}

// TestFragmentsAsCycloneSendsThem: a sample of 200,008 bytes is 149 fragments
// of 1344, ten to a DATA_FRAG, so fifteen of these, with a HEARTBEAT_FRAG
// behind each but the last, which has a HEARTBEAT.
func TestFragmentsAsCycloneSendsThem(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepLast(1)})
	w.w.Match(w.now, reader1, true, false)
	w.run(0)
	w.ack(reader1, true, 1)
	w.sent = nil
	payload := make([]byte, 200_008)
	var err error
	if w.sent, err = w.w.Write(w.now, w.sent, Change{Payload: payload}); err != nil {
		t.Fatal(err)
	}
	if len(w.sent) != 30 {
		t.Fatalf("%d submessages, want 30", len(w.sent))
	}
	for i, want := range map[int]string{
		0: "* frag 1 1+10", 1: "* heartbeatfrag 1 10", 2: "* frag 1 11+10", 27: "* heartbeatfrag 1 140",
		28: "* frag 1 141+9", 29: "* heartbeat 1..1!",
	} {
		if got := words(&w.sent[i]); got != want {
			t.Errorf("submessage %d is %q, want %q", i, got, want)
		}
	}
	header := wire.Header{}
	for i := 0; i < len(w.sent); i += 2 {
		b := w.sent[i+1].Append(w.sent[i].Append(header.Append(nil)))
		if len(b) > 14720 {
			t.Errorf("datagram %d has %d bytes, want at most 14720", i/2, len(b))
		}
	}
}

func TestSingleFragmentsAreRepaired(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepLast(1), FragmentSize: 100, TransientLocal: true})
	w.w.Match(w.now, reader1, true, true)
	w.sent, _ = w.w.Write(w.now, nil, Change{Payload: whole(2950), InlineQoS: []byte{1, 0, 0, 0}})
	w.run(0)
	w.sent = nil
	w.nackFrag(reader1, 1, 2, 3, 7, 30, 31) // there are 30
	w.ack(reader1, true, 1)                 // in one datagram, as Fast DDS has it
	w.run(0)
	if d := w.sent[2].DataFrag; !bytes.Equal(d.Payload, whole(2950)[2900:]) || d.InlineQoS != nil {
		t.Errorf("the last fragment has %d bytes, inline QoS %v", len(d.Payload), d.InlineQoS)
	}
	w.want("2 frag 1 2+2", "2 frag 1 7+1", "2 frag 1 30+1", "2 heartbeat 1..1!")
	w.acks = 0
	w.nackFrag(reader1, 1, 1) // a count that was there before
	w.run(time.Millisecond)
	w.want()
	w.write(1)
	w.sent, w.acks = nil, 9
	w.nackFrag(reader1, 1, 1)
	w.run(10 * time.Millisecond)
	w.want("2 gap 1..1", "2 heartbeat 2..2!")
}

func TestWhatWasAskedForWholeIsSentWhole(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepLast(9), FragmentSize: 100, TransientLocal: true})
	w.w.Match(w.now, reader1, true, true)
	w.sent, _ = w.w.Write(w.now, nil, Change{Payload: whole(1050)})
	w.write(1)
	w.run(0)
	w.sent = nil
	w.ack(reader1, false, 1, 1)
	w.nackFrag(reader1, 1, 5)
	w.nackFrag(reader1, 2, 1) // is in no fragments
	w.run(0)
	w.want("2 frag 1 1+10", "2 frag 1 11+1", "2 data 2", "2 heartbeat 1..2!")
}

// TestRepairsComeInBursts: a socket of Linux's default size, 212,992 bytes, took
// 12 datagrams of ten fragments of 1344 bytes at once, and the heartbeat behind
// them was lost. So there are 8, the first number that passes 100,000 bytes.
func TestRepairsComeInBursts(t *testing.T) {
	payload := make([]byte, 250*1344)
	for name, ask := range map[string]func(*writerTest){
		"sample": func(w *writerTest) { w.ack(reader1, true, 1, 1) },
		"fragments": func(w *writerTest) {
			var all []wire.FragmentNumber
			for k := range wire.FragmentNumber(250) {
				all = append(all, k+1)
			}
			w.nackFrag(reader1, 1, all...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWriterTest(t, WriterConfig{TransientLocal: true})
			w.w.Match(w.now, reader1, true, true)
			w.sent, _ = w.w.Write(w.now, nil, Change{Payload: payload})
			w.run(time.Millisecond)
			w.sent = nil
			ask(w)
			for first := 1; first < 250; first += 80 {
				w.run(time.Millisecond)
				var want []string
				for k := first; k < min(first+80, 250); k += 10 {
					want = append(want, fmt.Sprintf("2 frag 1 %d+10", k))
				}
				if first == 241 {
					want = append(want, "2 heartbeat 1..1!")
				}
				w.want(want...)
				w.run(4 * time.Millisecond)
			}
			w.want()
		})
	}
}

// TestWhatIsGoneIsNotRepairedFurther: between two bursts the sample may be
// overwritten.
func TestWhatIsGoneIsNotRepairedFurther(t *testing.T) {
	w := newWriterTest(t, WriterConfig{TransientLocal: true, FragmentSize: 60000})
	w.w.Match(w.now, reader1, true, true)
	w.sent, _ = w.w.Write(w.now, nil, Change{Payload: make([]byte, 180_000)})
	w.run(time.Millisecond)
	w.sent = nil
	w.ack(reader1, true, 1, 1)
	w.run(time.Millisecond)
	w.want("2 frag 1 1+1", "2 frag 1 2+1")
	w.write(1)
	w.want("* data 2", "* heartbeat 2..2")
	w.run(4 * time.Millisecond)
	w.want("2 gap 1..1", "2 heartbeat 2..2!")
	w.ack(reader1, true, 2, 2)
	w.run(5 * time.Millisecond)
	w.want("2 data 2", "2 heartbeat 2..2!")
}

// TestRequestsForFragmentsAreProgress: a reader that gets on with a large sample
// acknowledges nothing yet. It is not to wait ever longer for the next heartbeat.
func TestRequestsForFragmentsAreProgress(t *testing.T) {
	w := newWriterTest(t, WriterConfig{TransientLocal: true, FragmentSize: 100})
	w.w.Match(w.now, reader1, true, true)
	w.sent, _ = w.w.Write(w.now, nil, Change{Payload: whole(1050)})
	w.run(10 * time.Second)
	w.nackFrag(reader1, 1, 3)
	w.run(0)
	w.sent = nil
	w.run(100 * time.Millisecond)
	w.want("2 heartbeat 1..1!")
}

func TestFragmentsInAnyOrder(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	a, b := whole(1050), whole(2000)[1000:]
	r.run(time.Millisecond)
	r.frag(2, b, 100, 6, 5)
	r.frag(1, a, 100, 11, 1)
	r.run(time.Millisecond)
	r.frag(1, a, 100, 1, 6)
	r.frag(1, a, 100, 6, 3) // 6 comes twice
	r.frag(2, b, 100, 1, 5)
	r.wantWhole()
	r.run(time.Millisecond)
	r.frag(1, a, 100, 9, 2)
	if s := r.got[0]; s.First != 1*ms || s.Arrival != 3*ms || s.Source.Value.Seconds != 1 || s.Repairs != 0 {
		t.Errorf("came from %d to %d, written at %v, %d repairs", s.First, s.Arrival, s.Source, s.Repairs)
	}
	if s := r.got[1]; s.First != 1*ms || s.Arrival != 2*ms {
		t.Errorf("the one held came from %d to %d", s.First, s.Arrival)
	}
	r.wantWhole(a, b)
	r.frag(1, a, 100, 1, 1)
	r.wantCounts(Counts{Delivered: 2, FragmentsRepeated: 2})
	r.wantRoom()
}

// wantRoom fails if something is still charged when nothing is kept.
func (t *readerTest) wantRoom() {
	t.Helper()
	if got := t.r.writers[0].window.room.left; got != t.r.c.Held || t.r.room.left != t.r.c.HeldInAll {
		t.Errorf("room for %d of %d bytes, in all %d of %d", got, t.r.c.Held, t.r.room.left, t.r.c.HeldInAll)
	}
}

// TestFragmentsOfFastDDS has 65,324 bytes in each, one to a datagram.
func TestFragmentsOfFastDDS(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	payload := make([]byte, 4<<20)
	for i := range payload {
		payload[i] = byte(i * i >> 8)
	}
	for k := range wire.FragmentNumber(65) { // 64 of 65,324 bytes and one of 13,568
		r.frag(1, payload, 65324, k+1, 1)
	}
	r.wantWhole(payload)
	r.wantRoom()
}

// TestMissingFragmentsAreAskedFor after 5 ms, those behind the last announced
// not before a HEARTBEAT says that all were sent.
func TestMissingFragmentsAreAskedFor(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	r.run(5 * time.Millisecond)
	r.sent = nil
	a := whole(1000)
	r.frag(1, a, 100, 1, 2)
	r.frag(1, a, 100, 4, 2)
	r.heartbeatFrag(1, 7)
	r.run(5 * time.Millisecond)
	r.wantSent("1 acknack 1 []", "1 nackfrag 1 [3 6 7]")
	r.frag(1, a, 100, 3, 1)
	r.heartbeat(1, 2, false)
	r.run(5 * time.Millisecond)
	r.wantSent("1 acknack 1 [2]!", "1 nackfrag 1 [6 7 8 9 10]")
	r.frag(1, a, 100, 6, 5)
	if r.got[0].Repairs != 2 {
		t.Errorf("%d repairs, want 2", r.got[0].Repairs)
	}
	r.wantWhole(a)
	r.wantCounts(Counts{Delivered: 1, Repaired: 1, Announced: 2})
}

// TestFragmentsStillComingAreNotAskedFor: Fast DDS says by HEARTBEATs between
// the fragments that the sample is written.
func TestFragmentsStillComingAreNotAskedFor(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	r.run(5 * time.Millisecond)
	r.sent = nil
	a := whole(1000)
	for k := range wire.FragmentNumber(5) {
		r.frag(1, a, 100, k+1, 1)
		r.heartbeat(1, 1, false)
		r.run(2 * time.Millisecond)
	}
	for _, s := range r.sent {
		if s.Kind == wire.IDNackFrag {
			t.Errorf("sent %q while fragments come every 2 ms", words(&s))
		}
	}
	r.sent = nil
	r.run(3 * time.Millisecond)
	r.wantSent("1 acknack 1 []", "1 nackfrag 1 [6 7 8 9 10]")
}

// TestManyMissingFragments: one NACK_FRAG speaks of 256, and there are at most
// eight of them at once.
func TestManyMissingFragments(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	r.run(5 * time.Millisecond)
	r.sent = nil
	r.frag(1, whole(30000), 8, 1, 1) // 3750 fragments
	r.heartbeat(1, 1, true)
	r.run(5 * time.Millisecond)
	if len(r.sent) != 9 {
		t.Fatalf("%d submessages, want an ACKNACK and eight NACK_FRAGs", len(r.sent))
	}
	for i, s := range r.sent[1:] {
		if base := wire.FragmentNumber(2 + 256*i); s.NackFrag.Missing.Base != base || s.NackFrag.Missing.Len() != 256 {
			t.Errorf("NACK_FRAG %d asks for %d from %d on, want 256 from %d on", i, s.NackFrag.Missing.Len(), s.NackFrag.Missing.Base, base)
		}
	}
}

// TestBestEffortGivesUpOlderFragments when a newer sample is complete.
func TestBestEffortGivesUpOlderFragments(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{})
	a := whole(300)
	r.frag(4, a, 100, 1, 3)
	r.frag(5, a, 100, 1, 2)
	r.frag(7, a, 100, 1, 1)
	r.frag(6, a, 100, 2, 2)
	r.frag(6, a, 100, 1, 1)
	r.wantGot(4, 6)
	r.frag(5, a, 100, 3, 1)
	r.data(8)
	r.frag(7, a, 100, 2, 2)
	r.wantGot(8)
	r.wantCounts(Counts{Delivered: 3, Lost: 2, FragmentsRepeated: 3})
	r.wantRoom()
	r.run(time.Minute)
	r.wantSent()
}

// TestLiarAboutTheSizeCostsNothing: no memory for what only is claimed.
func TestLiarAboutTheSizeCostsNothing(t *testing.T) {
	for _, reliable := range []bool{true, false} {
		r := newReaderTest(t, ReaderConfig{Reliable: reliable, Held: 1 << 30, HeldInAll: 1 << 30})
		r.heartbeat(1, 0, true)
		for n := range wire.SequenceNumber(200) {
			d := wire.DataFrag{Writer: writerGUID.Entity, Sequence: n + 1, Fragments: 1, Size: 1, SampleSize: 1 << 30, Payload: []byte{1}}
			for _, d.First = range []wire.FragmentNumber{1, 1 << 18, 1<<18 + 1, 1 << 29, 1 << 30} {
				r.got = r.r.DataFrag(r.now, r.got, writerGUID.Prefix, wire.Optional[wire.Timestamp]{}, &d)
			}
		}
		r.wantGot()
		// 64 samples, each with 256 KiB for itself and 32 KiB for which
		// fragments are here, and 256 bytes to know it.
		if used := 1<<30 - r.r.room.left; used > 64*(288<<10+256) {
			t.Errorf("%d bytes for nothing, want at most 18 MiB", used)
		}
		r.r.Unmatch(writerGUID)
		if r.r.room.left != 1<<30 {
			t.Errorf("%d bytes are still charged for a writer that is forgotten", 1<<30-r.r.room.left)
		}
	}
}

// TestSampleLargerThanTheRoomIsGivenUp and those behind it come.
func TestSampleLargerThanTheRoomIsGivenUp(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true, Held: 2000})
	r.heartbeat(1, 0, true)
	r.data(2)
	r.frag(1, whole(2001), 100, 1, 1)
	r.wantGot(2)
	r.frag(3, whole(1500), 100, 1, 15)
	r.wantGot(3)
	r.wantCounts(Counts{Delivered: 2, TooLarge: 1})
	r.wantRoom()
}

// TestNextSampleAlwaysFindsRoom at the cost of those that are far ahead.
func TestNextSampleAlwaysFindsRoom(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true, Held: 3000})
	r.heartbeat(1, 0, true)
	a := whole(1000)
	r.frag(2, a, 100, 1, 9)
	r.frag(4, a, 100, 1, 9)
	for n := range wire.SequenceNumber(100) {
		r.data(5 + n)
	}
	r.frag(1, a, 100, 1, 10)
	r.wantGot(1)
	r.frag(2, a, 100, 10, 1)
	r.data(3)
	r.wantGot(2, 3)
	c, _ := r.r.Counts(writerGUID)
	if c.NoRoom == 0 || c.Delivered != 3 {
		t.Errorf("counts %+v, want that some found no room", c)
	}
}

// TestFragmentsOfAnotherForm begin the sample anew: the liar does not block it.
func TestFragmentsOfAnotherForm(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	r.heartbeat(1, 0, true)
	a := whole(1000)
	r.frag(1, whole(999), 100, 1, 5)
	r.frag(1, a, 100, 6, 5)
	r.wantGot()
	r.frag(1, a, 100, 1, 5)
	r.wantWhole(a)
	r.wantRoom()
}

// TestFragmentsBeforeTheFirstHeartbeat are kept as whole samples are.
func TestFragmentsBeforeTheFirstHeartbeat(t *testing.T) {
	r := newReaderTest(t, ReaderConfig{Reliable: true})
	a := whole(300)
	r.frag(5, a, 100, 1, 3)
	r.frag(6, a, 100, 1, 2)
	r.wantGot()
	r.heartbeat(1, 4, true)
	r.wantWhole(a)
	r.frag(6, a, 100, 3, 1)
	r.wantWhole(a)
	r.wantCounts(Counts{Delivered: 2, Announced: 4})
}

// TestFragmentsEndToEnd: 40 kB by way of bytes, with and without inline QoS.
func TestFragmentsEndToEnd(t *testing.T) {
	for _, size := range []int{8, 1344, 65000} {
		r := newReaderTest(t, ReaderConfig{Reliable: true})
		r.heartbeat(1, 0, true)
		w := newWriterTest(t, WriterConfig{History: qos.KeepLast(1), FragmentSize: size})
		w.w.Match(0, reader1, true, false)
		inline := wire.AppendSentinel(nil, binary.LittleEndian)
		w.sent, _ = w.w.Write(0, nil, Change{Payload: whole(40_001), InlineQoS: inline})
		for i := range w.sent {
			var err error
			b := wire.Header{Version: wire.ProtocolVersion{Major: 2, Minor: 3}, Prefix: writerGUID.Prefix}.Append(nil)
			if r.got, err = feedReader(r.r, 0, r.got, w.sent[i].Append(b)); err != nil {
				t.Fatal(err)
			}
		}
		if len(r.got) != 1 || !slices.Equal(r.got[0].Data.InlineQoS, inline) {
			t.Errorf("fragments of %d: inline QoS got lost", size)
		}
		got := r.got[0].Data.Payload
		if r.got[0].Data.Payload = got[:40_001]; len(got) > 40_004 {
			t.Errorf("fragments of %d: %d bytes", size, len(got))
		}
		r.wantWhole(whole(40_001))
	}
}
