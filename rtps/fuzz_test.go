package rtps

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// A victim is a writer and a reader that know the same liar, and the reader an
// honest writer too.
type victim struct {
	w    *Writer
	r    *Reader
	now  clock.Mono
	sent []Send
	got  []Sample
}

var (
	liarWriter = wire.GUID{Prefix: wire.GUIDPrefix{66}, Entity: writerGUID.Entity}
	liarReader = wire.GUID{Prefix: wire.GUIDPrefix{66}, Entity: reader1.Entity}
)

const victimRoom = 1 << 20

func newVictim(reliable bool) *victim {
	v := &victim{
		w: NewWriter(WriterConfig{GUID: wire.GUID{Prefix: reader1.Prefix, Entity: writerGUID.Entity}, History: qos.KeepLast(20), FragmentSize: 8, TransientLocal: true}),
		r: NewReader(ReaderConfig{GUID: reader1, Reliable: reliable, Held: victimRoom, HeldInAll: victimRoom}),
	}
	v.r.Match(0, writerGUID, true)
	v.r.Match(0, liarWriter, true)
	v.w.Match(0, liarReader, true, true)
	for n := range wire.SequenceNumber(30) {
		v.sent, _ = v.w.Write(0, v.sent[:0], Change{Payload: content(v.w.c.GUID, n)})
	}
	return v
}

// take feeds a datagram to both, of which nothing need be right.
func (v *victim) take(b []byte) {
	v.got, _ = feedReader(v.r, v.now, v.got[:0], b)
	_ = feedWriter(v.w, v.now, b)
	v.r.Recycle()
	v.now = v.now.Add(time.Millisecond)
	v.sent = v.r.Tick(v.now, v.sent[:0])
	v.sent = v.w.Tick(v.now, v.sent[:0])
}

// check fails if memory was used that is not charged, or charged and not used.
func (v *victim) check(t testing.TB) {
	t.Helper()
	used := 0
	for _, p := range v.r.writers {
		for _, a := range p.partials.list {
			used += a.charged
			if n := len(a.sample.Data.Payload) + 8*len(a.have) + len(a.sample.Data.InlineQoS); n > a.charged {
				t.Errorf("%d bytes of sample %d are charged as %d", n, a.sample.Sequence, a.charged)
			}
		}
		if p.window.slots != nil {
			for i := range p.window.slots {
				if s := p.window.slots[i].sample; s != nil {
					used += size(s)
				}
			}
		}
	}
	if left := v.r.room.left; left < 0 || left != victimRoom-used {
		t.Errorf("room for %d bytes when %d of %d are used", left, used, victimRoom)
	}
	v.r.Unmatch(liarWriter)
	v.r.Unmatch(writerGUID)
	if v.r.room.left != victimRoom {
		t.Errorf("%d bytes are charged for nobody", victimRoom-v.r.room.left)
	}
}

// exchange returns datagrams of all kinds, as a peer sends them.
func exchange(from wire.GUIDPrefix) [][]byte {
	w := NewWriter(WriterConfig{GUID: wire.GUID{Prefix: from, Entity: writerGUID.Entity}, History: qos.KeepLast(2), FragmentSize: 100, TransientLocal: true})
	w.Match(0, reader1, true, true)
	sends := w.Tick(0, nil)
	for n := range wire.SequenceNumber(4) {
		sends, _ = w.Write(clock.Mono(n)*ms, sends, Change{Payload: whole(int(n) * 700), InlineQoS: wire.AppendSentinel(nil, binary.LittleEndian)})
	}
	a := wire.AckNack{Reader: reader1.Entity, Writer: writerGUID.Entity, Missing: wire.SequenceSet{Base: 1}, Count: 1}
	a.Missing.Add(1)
	a.Missing.Add(4)
	w.AckNack(5*ms, reader1.Prefix, &a)
	sends = w.Tick(5*ms, sends)
	sends = append(sends, Send{Kind: wire.IDAckNack, AckNack: a})
	n := wire.NackFrag{Reader: reader1.Entity, Writer: writerGUID.Entity, Sequence: 30, Missing: wire.FragmentSet{Base: 1}, Count: 1}
	n.Missing.Add(2)
	sends = append(sends, Send{Kind: wire.IDNackFrag, NackFrag: n})
	var all [][]byte
	for i := range sends {
		b := wire.Header{Version: wire.ProtocolVersion{Major: 2, Minor: 3}, Prefix: from}.Append(nil)
		all = append(all, sends[i].Append(b))
	}
	return all
}

// FuzzPeer feeds datagrams, each behind its length of two bytes, to a reader
// and a writer in the name of a peer they know.
func FuzzPeer(f *testing.F) {
	var all []byte
	for _, b := range exchange(liarWriter.Prefix) {
		b = b[wire.HeaderLen:]
		one := append(binary.LittleEndian.AppendUint16(nil, uint16(len(b))), b...)
		f.Add(one, true)
		all = append(all, one...)
	}
	f.Add(all, true)
	f.Add(all, false)
	f.Fuzz(func(t *testing.T, in []byte, reliable bool) {
		v := newVictim(reliable)
		header := wire.Header{Version: wire.ProtocolVersion{Major: 2, Minor: 3}, Prefix: liarWriter.Prefix}.Append(nil)
		for len(in) > 2 {
			n := min(int(binary.LittleEndian.Uint16(in)), len(in)-2)
			v.take(append(header[:wire.HeaderLen:wire.HeaderLen], in[2:2+n]...))
			in = in[2+n:]
		}
		v.check(t)
	})
}

// TestMutatedDatagrams: whatever a peer sends, those of another are delivered.
func TestMutatedDatagrams(t *testing.T) {
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 2))
		v := newVictim(seed%2 == 0)
		real := exchange(liarWriter.Prefix)
		honest := wire.Header{Version: wire.ProtocolVersion{Major: 2, Minor: 3}, Prefix: writerGUID.Prefix}.Append(nil)
		h := wire.Heartbeat{Writer: writerGUID.Entity, First: 1, Last: 0, Count: 1}
		v.take(h.Append(slices.Clone(honest), binary.LittleEndian))
		for n := range wire.SequenceNumber(5000) {
			b := slices.Clone(real[random.IntN(len(real))])
			for range random.IntN(6) {
				at := wire.HeaderLen + random.IntN(len(b)-wire.HeaderLen)
				b[at] = byte(random.Uint32() >> random.IntN(25))
			}
			v.take(b[:len(b)-random.IntN(2)*random.IntN(len(b)-wire.HeaderLen)])
			d := wire.Data{Writer: writerGUID.Entity, Sequence: n + 1, Payload: []byte{byte(n), 1, 2, 3}}
			v.take(d.Append(slices.Clone(honest), binary.LittleEndian))
			if len(v.got) != 1 || v.got[0].Sequence != n+1 || v.got[0].Data.Payload[0] != byte(n) {
				t.Fatalf("seed %d: %d samples came instead of sample %d", seed, len(v.got), n+1)
			}
		}
		v.check(t)
	}
}
