package rtps

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/internal/vnet"
	"github.com/takt-rt/takt/rtps/wire"
)

// A lossy is one topic on a bad network in virtual time: one writer and some
// readers, each of which may be replaced by a new incarnation at any instant.
// Each incarnation has its own address, its prefix. Their discovery is perfect.
type lossy struct {
	testing.TB
	random *rand.Rand
	net    *vnet.Net[wire.GUIDPrefix]
	now    clock.Mono
	wc     WriterConfig
	rc     ReaderConfig
	last   byte // prefix given to the last incarnation

	w         *Writer
	written   int // by all incarnations
	nextWrite clock.Mono
	readers   []*lossyReader
	sends     []Send
	samples   []Sample
	open      []byte
}

type lossyReader struct {
	*Reader
	first, next wire.SequenceNumber // of the present writer: to be delivered
	began       wire.SequenceNumber // the first that was delivered
	delivered   uint64
}

// wild is what samples are cut out of, so that their contents cost nothing.
var wild = func() []byte {
	b, random := make([]byte, 128<<10), rand.NewChaCha8([32]byte{})
	random.Read(b)
	return b
}()

// content returns the payload of a sample of a writer: mostly a few bytes, one
// in 16 up to 1 kB, one in 256 up to 40 kB.
func content(writer wire.GUID, n wire.SequenceNumber) []byte {
	h := (uint64(writer.Prefix[0])<<32 + uint64(n)) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	size := h % 24
	switch h >> 8 % 256 {
	case 0:
		size = h >> 16 % 40000
	case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16:
		size = h >> 16 % 1000
	}
	at := h >> 32 % (64 << 10)
	return wild[at : at+size : at+size]
}

func newLossy(t testing.TB, seed uint64, c vnet.Conditions, w WriterConfig, r ReaderConfig) *lossy {
	return &lossy{
		TB: t, random: rand.New(rand.NewPCG(seed, 1)), net: vnet.New[wire.GUIDPrefix](seed, c), wc: w, rc: r,
	}
}

func (l *lossy) guid(e wire.EntityID) wire.GUID {
	l.last++
	return wire.GUID{Prefix: wire.GUIDPrefix{l.last}, Entity: e}
}

// startWriter begins a new incarnation of the writer; the old one is forgotten
// by all.
func (l *lossy) startWriter() {
	old := l.w
	l.wc.GUID = l.guid(writerGUID.Entity)
	l.w = NewWriter(l.wc)
	for _, r := range l.readers {
		if old != nil {
			r.Unmatch(old.c.GUID)
		}
		l.match(r)
	}
}

// startReader begins a new incarnation of reader i.
func (l *lossy) startReader(i int) {
	l.rc.GUID = l.guid(reader1.Entity)
	r := &lossyReader{Reader: NewReader(l.rc)}
	if i == len(l.readers) {
		l.readers = append(l.readers, r)
	} else {
		l.w.Unmatch(l.readers[i].c.GUID)
		l.readers[i] = r
	}
	l.match(r)
}

func (l *lossy) match(r *lossyReader) {
	if l.w == nil {
		return
	}
	first, last := l.w.History()
	if r.first = last + 1; l.wc.TransientLocal && l.rc.TransientLocal {
		r.first = first
	}
	r.next, r.delivered = r.first, 0
	l.w.Match(l.now, r.c.GUID, r.c.Reliable, r.c.TransientLocal)
	r.Match(l.now, l.w.c.GUID, true)
}

// write writes samples until n were written or the history is full.
func (l *lossy) write(n int) {
	for l.written < n && l.nextWrite <= l.now {
		_, last := l.w.History()
		stamp := wire.Timestamp{Seconds: uint32(last + 1)}
		sends, err := l.w.Write(l.now, l.sends[:0], Change{Source: stamp, Payload: content(l.w.c.GUID, last+1)})
		if errors.Is(err, ErrFull) {
			l.nextWrite = l.now.Add(5 * time.Millisecond)
			return
		}
		l.written++
		l.nextWrite = max(l.nextWrite, l.now).Add(time.Duration(l.random.Int64N(int64(2 * time.Millisecond))))
		l.send(l.w.c.GUID.Prefix, sends)
	}
}

// send packs what is for the same ones into datagrams.
func (l *lossy) send(from wire.GUIDPrefix, sends []Send) {
	l.sends = sends
	header := wire.Header{Version: wire.ProtocolVersion{Major: 2, Minor: 3}, Prefix: from}
	for i := range sends {
		begin := len(l.open)
		if begin == 0 {
			l.open = header.Append(l.open)
		}
		l.open = sends[i].Append(l.open)
		if begin > 0 && (len(l.open) > 14720 || sends[i].To != sends[i-1].To) {
			l.carry(l.open[:begin], sends[i-1].To)
			l.open = append(header.Append(l.open[:0]), l.open[begin:]...)
		}
	}
	if len(sends) > 0 {
		l.carry(l.open, sends[len(sends)-1].To)
	}
	l.open = l.open[:0]
}

func (l *lossy) carry(b []byte, to wire.GUID) {
	if len(b) > 14720 && l.wc.FragmentSize < 14000 {
		l.Fatalf("a datagram of %d bytes", len(b))
	}
	if to != (wire.GUID{}) {
		l.net.Send(l.now, to.Prefix, b)
		return
	}
	for _, r := range l.readers {
		l.net.Send(l.now, r.c.GUID.Prefix, b)
	}
}

// step moves on to the next instant at which something happens, not beyond end.
func (l *lossy) step(end clock.Mono, n int) {
	next := min(end, l.net.Next(), l.w.Next())
	if l.written < n {
		next = min(next, l.nextWrite)
	}
	for _, r := range l.readers {
		next = min(next, r.Next())
	}
	l.now = max(l.now, next)
	for to, b, ok := l.net.Receive(l.now); ok; to, b, ok = l.net.Receive(l.now) {
		l.receive(to, b)
	}
	l.write(n)
	if l.w.Next() <= l.now {
		l.send(l.w.c.GUID.Prefix, l.w.Tick(l.now, l.sends[:0]))
	}
	for _, r := range l.readers {
		if r.Next() <= l.now {
			l.send(r.c.GUID.Prefix, r.Tick(l.now, l.sends[:0]))
		}
	}
}

func (l *lossy) receive(to wire.GUIDPrefix, b []byte) {
	if to == l.w.c.GUID.Prefix {
		if err := feedWriter(l.w, l.now, b); err != nil {
			l.Fatal(err)
		}
	}
	for _, r := range l.readers {
		if to != r.c.GUID.Prefix {
			continue
		}
		samples, err := feedReader(r.Reader, l.now, l.samples[:0], b)
		if err != nil {
			l.Fatal(err)
		}
		for i := range samples {
			l.check(r, &samples[i])
		}
		l.samples = samples
		r.Recycle()
	}
}

func (l *lossy) check(r *lossyReader, s *Sample) {
	want := content(s.Writer, s.Sequence)
	got := s.Data.Payload
	if len(got) < len(want) || len(got) > len(want)+3 || !bytes.Equal(got[:len(want)], want) {
		l.Fatalf("sample %d has %d bytes that are not the %d written", s.Sequence, len(got), len(want))
	}
	if s.Source.Value.Seconds != uint32(s.Sequence) || s.First > s.Arrival || s.Arrival > l.now {
		l.Fatalf("sample %d: written at %v, came from %d to %d, and it is %d", s.Sequence, s.Source, s.First, s.Arrival, l.now)
	}
	if s.Writer != l.w.c.GUID || s.Sequence < r.next {
		l.Fatalf("sample %d of %v when that of %v is %d", s.Sequence, s.Writer, l.w.c.GUID, r.next)
	}
	if r.delivered == 0 {
		r.began = s.Sequence
	}
	r.next = s.Sequence + 1
	r.delivered++
}

// feedWriter and feedReader hand each submessage of a datagram to a machine.
func feedWriter(w *Writer, now clock.Mono, b []byte) error {
	m, err := wire.ParseMessage(b)
	for s, ok := m.Next(); ok && err == nil; s, ok = m.Next() {
		if !m.For(w.c.GUID.Prefix) {
			continue
		}
		switch s.ID {
		case wire.IDAckNack:
			var a wire.AckNack
			if a, err = wire.ParseAckNack(s); err == nil {
				w.AckNack(now, m.Source, &a)
			}
		case wire.IDNackFrag:
			var n wire.NackFrag
			if n, err = wire.ParseNackFrag(s); err == nil {
				w.NackFrag(now, m.Source, &n)
			}
		}
	}
	return errors.Join(err, m.Err())
}

func feedReader(r *Reader, now clock.Mono, out []Sample, b []byte) ([]Sample, error) {
	m, err := wire.ParseMessage(b)
	for s, ok := m.Next(); ok && err == nil; s, ok = m.Next() {
		if !m.For(r.c.GUID.Prefix) {
			continue
		}
		switch s.ID {
		case wire.IDData:
			var d wire.Data
			if d, err = wire.ParseData(s); err == nil {
				out = r.Data(now, out, m.Source, m.Timestamp, &d)
			}
		case wire.IDDataFrag:
			var d wire.DataFrag
			if d, err = wire.ParseDataFrag(s); err == nil {
				out = r.DataFrag(now, out, m.Source, m.Timestamp, &d)
			}
		case wire.IDHeartbeat:
			var h wire.Heartbeat
			if h, err = wire.ParseHeartbeat(s); err == nil {
				out = r.Heartbeat(now, out, m.Source, &h)
			}
		case wire.IDHeartbeatFrag:
			var h wire.HeartbeatFrag
			if h, err = wire.ParseHeartbeatFrag(s); err == nil {
				r.HeartbeatFrag(now, m.Source, &h)
			}
		case wire.IDGap:
			var g wire.Gap
			if g, err = wire.ParseGap(s); err == nil {
				out = r.Gap(out, m.Source, &g)
			}
		}
	}
	return out, errors.Join(err, m.Err())
}

// bad is what the network does in the tests below.
var bad = vnet.Conditions{Loss: 0.3, Repeat: 0.1, Delay: 50 * time.Millisecond}

// The soak: go test ./rtps -run Lossy -lossy.seeds 20 -lossy.samples 100000.
var (
	lossySeeds   = flag.Int("lossy.seeds", 40, "seeds of the tests on a lossy network")
	lossySamples = flag.Int("lossy.samples", 2000, "samples of each seed")
)

// TestKeepAllOnALossyNetwork: what is kept is delivered once and in order from
// where each pair of incarnations began, whatever the network does.
func TestKeepAllOnALossyNetwork(t *testing.T) {
	for seed := range uint64(*lossySeeds) {
		keepAllOnALossyNetwork(t, seed, *lossySamples)
	}
}

func keepAllOnALossyNetwork(t *testing.T, seed uint64, samples int) {
	local := seed%2 == 1
	sizes := []int{1344, 64, 65000, 8}
	l := newLossy(t, seed, bad,
		WriterConfig{History: qos.KeepAll(), Limit: 300, TransientLocal: local, FragmentSize: sizes[seed/2%4], Heartbeat: 20 * time.Millisecond},
		ReaderConfig{Reliable: true, TransientLocal: local, Held: 200 << 10})
	l.startWriter()
	l.startReader(0)
	restarts := 1 + l.random.IntN(4)
	for i := range restarts {
		at := samples * (i + 1) / (restarts + 1)
		l.until(at, func() bool { return l.written == at })
		switch l.random.IntN(3) {
		case 0:
			l.whole()
			l.startWriter()
		case 1:
			l.startReader(l.random.IntN(len(l.readers)))
		case 2:
			l.startReader(len(l.readers)) // one that comes late
		}
	}
	l.until(samples, func() bool { return l.written == samples && l.w.AllAcked() })
	l.whole()
	for i, r := range l.readers {
		_, last := l.w.History()
		if r.next != last+1 {
			t.Fatalf("seed %d: reader %d got up to %d of %d", seed, i, r.next-1, last)
		}
		if c, _ := r.Counts(l.w.c.GUID); c.Delivered != r.delivered || c.Overwritten+c.Irrelevant+c.Lost+c.TooLarge != 0 {
			t.Fatalf("seed %d: reader %d counts %+v", seed, i, c)
		}
	}
}

// until turns until done, writing up to n samples in all.
func (l *lossy) until(n int, done func() bool) {
	for end := l.now.Add(time.Hour); !done(); l.step(end, n) {
		if l.now >= end {
			l.Fatalf("after an hour %d of %d samples are written, and %v", l.written, n, l)
		}
	}
}

// whole fails if a reader of the present writer has a hole.
func (l *lossy) whole() {
	for i, r := range l.readers {
		if want := uint64(r.next - r.first); r.delivered != want {
			l.Fatalf("reader %d got %d samples, want all %d from %d on", i, r.delivered, want, r.first)
		}
	}
}

func (l *lossy) String() string {
	first, last := l.w.History()
	s := fmt.Sprintf("the writer keeps %d..%d", first, last)
	for _, r := range l.readers {
		c, _ := r.Counts(l.w.c.GUID)
		s += fmt.Sprintf("; a reader waits for %d, %+v", r.next, c)
	}
	return s
}

// TestKeepLastOnALossyNetwork: what a writer overwrites is missing, but order
// is kept, nothing comes twice, and each number is counted once.
func TestKeepLastOnALossyNetwork(t *testing.T) {
	var overwritten uint64
	for seed := range uint64(max(1, *lossySeeds/4)) {
		l := newLossy(t, seed, bad,
			WriterConfig{History: qos.KeepLast(1 << (seed % 8)), TransientLocal: seed%2 == 1, FragmentSize: 64, Heartbeat: 20 * time.Millisecond},
			ReaderConfig{Reliable: true})
		l.startReader(0)
		l.startReader(1)
		l.startWriter()
		l.until(*lossySamples, func() bool { return l.written == *lossySamples && l.w.AllAcked() })
		for i, r := range l.readers {
			c, _ := r.Counts(l.w.c.GUID)
			if _, last := l.w.History(); r.next > last+1 {
				t.Fatalf("seed %d: reader %d got %d of %d", seed, i, r.next-1, last)
			}
			if all := c.Delivered + c.Overwritten + c.Irrelevant; c.Delivered != r.delivered || all != uint64(*lossySamples) || c.Lost+c.TooLarge != 0 {
				t.Fatalf("seed %d: reader %d was given %d of %d samples and counts %+v", seed, i, r.delivered, *lossySamples, c)
			}
			overwritten += c.Overwritten + c.Irrelevant
		}
	}
	if overwritten == 0 {
		t.Error("nothing was overwritten, so nothing was tested")
	}
}

// TestBestEffortOnALossyNetwork: of what was written from the first sample that
// came to the last one, each is delivered or counted as lost.
func TestBestEffortOnALossyNetwork(t *testing.T) {
	for seed := range uint64(max(1, *lossySeeds/4)) {
		l := newLossy(t, seed, bad, WriterConfig{History: qos.KeepLast(1), FragmentSize: 64}, ReaderConfig{})
		l.startReader(0)
		l.startWriter()
		l.until(*lossySamples, func() bool { return l.written == *lossySamples })
		l.until(*lossySamples, func() bool { return l.net.Next() == never })
		r := l.readers[0]
		c, _ := r.Counts(l.w.c.GUID)
		if c.Delivered != r.delivered || c.Delivered == 0 || c.Delivered+c.Lost != uint64(r.next-r.began) {
			t.Fatalf("seed %d: given %d from %d to %d, counts %+v", seed, r.delivered, r.began, r.next-1, c)
		}
	}
}
