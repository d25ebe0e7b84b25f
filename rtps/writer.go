package rtps

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// never is after every other instant.
const never clock.Mono = math.MaxInt64

// A WriterConfig configures a Writer. Only GUID must be set.
type WriterConfig struct {
	GUID           wire.GUID
	History        qos.History
	Limit          int  // samples kept with KEEP_ALL before a write is refused; 0 means 1024
	TransientLocal bool // late readers get what is kept; else only what is written after they came

	// Heartbeat is the interval of heartbeats while a reader lacks samples,
	// doubled with each that brings no progress up to tenfold. 0 means 100 ms.
	Heartbeat time.Duration
	// Merge is the least time between two answers to ACKNACKs of one reader:
	// what repeats a request within it costs nothing. 0 means 5 ms.
	Merge time.Duration
}

// A Writer is the writing side of the reliable protocol towards all readers
// of one writer (8.4.9.2). It serves best-effort readers too, which ask for
// nothing.
//
// A reader that takes the first heartbeat's end for its start, as Cyclone
// DDS does, would lose what was sent before that heartbeat reached it. So
// until a volatile reader has answered, its heartbeats keep saying what was
// there when it matched: nothing.
type Writer struct {
	c         WriterConfig
	history   History
	readers   []*readerProxy // in the order of their matching
	count     int32          // of heartbeats
	sentAt    clock.Mono     // the last heartbeat with a sample
	askedAt   clock.Mono     // the last one of these that required an answer
	heartbeat clock.Mono     // when the next heartbeat without a sample is due
	interval  time.Duration  // to the one after it
}

// piggyback is the least time between two heartbeats that go with samples;
// Cyclone DDS has the same.
const piggyback = 100 * time.Microsecond

// NewWriter returns a writer that has written nothing and has no reader.
func NewWriter(c WriterConfig) *Writer {
	c.Limit = cmp.Or(c.Limit, 1024)
	c.Heartbeat = cmp.Or(c.Heartbeat, 100*time.Millisecond)
	c.Merge = cmp.Or(c.Merge, 5*time.Millisecond)
	return &Writer{
		c: c, history: NewHistory(c.History, c.Limit),
		sentAt: math.MinInt64, askedAt: math.MinInt64,
		heartbeat: never, interval: c.Heartbeat,
	}
}

// Match adds a reader that discovery found to match, or does nothing if it is
// there. A reliable one is due its first heartbeat at once. transientLocal is
// what the reader asks for; it gets the past only if the writer offers it too.
func (w *Writer) Match(now clock.Mono, reader wire.GUID, reliable, transientLocal bool) {
	if w.reader(reader) != nil {
		return
	}
	p := &readerProxy{guid: reader, reliable: reliable, start: w.history.Last() + 1, due: never, answered: math.MinInt64}
	p.volatile = !w.c.TransientLocal || !transientLocal
	if !p.volatile {
		p.start = 1
	}
	p.acked = p.start - 1
	w.readers = append(w.readers, p)
	if reliable {
		w.heartbeat, w.interval = now, w.c.Heartbeat
	}
}

// Unmatch forgets a reader. Samples that were kept for it alone are released.
func (w *Writer) Unmatch(reader wire.GUID) {
	w.readers = slices.DeleteFunc(w.readers, func(p *readerProxy) bool { return p.guid == reader })
	w.release()
}

// Write gives a change the next sequence number, keeps it and appends to out
// what is to be sent at once: the sample and, for reliable readers, a
// heartbeat. Nothing is sent if no reader is matched. It fails with ErrFull
// if everything is to be kept and there is no room.
func (w *Writer) Write(now clock.Mono, out []Send, c Change) ([]Send, error) {
	kept, err := w.history.Add(c)
	if err != nil {
		return out, err
	}
	if len(w.readers) > 0 {
		out = append(out, w.data(kept, wire.GUID{}))
	}
	if w.anyReliable() {
		out = w.heartbeatWithSample(now, out)
		w.heartbeat = min(w.heartbeat, now.Add(w.interval))
	}
	w.release()
	return out, nil
}

// AckNack takes an ACKNACK of the participant from. The answer comes with the
// Tick at Next, which may be at once.
//
// What a reader cannot honestly say changes nothing: acknowledging samples
// not yet written, or repeating a count.
func (w *Writer) AckNack(now clock.Mono, from wire.GUIDPrefix, a *wire.AckNack) {
	p := w.reader(wire.GUID{Prefix: from, Entity: a.Reader})
	if p == nil || !p.reliable || a.Writer != w.c.GUID.Entity || a.Missing.Base > w.history.Last()+1 || !p.counts(a.Count) {
		return
	}
	if p.take(a) {
		w.interval = w.c.Heartbeat
		w.heartbeat = min(w.heartbeat, now.Add(w.interval))
	}
	p.due = never
	if a.Missing.Len() > 0 || !a.Final {
		p.due = max(now, p.answered.Add(w.c.Merge))
	}
	w.release()
}

// Next returns when Tick has something to do, the far future if nothing.
func (w *Writer) Next() clock.Mono {
	next := w.heartbeat
	for _, p := range w.readers {
		next = min(next, p.due)
	}
	return next
}

// Tick appends what is due at now: the answers to ACKNACKs, and heartbeats to
// the readers that lack samples.
func (w *Writer) Tick(now clock.Mono, out []Send) []Send {
	for _, p := range w.readers {
		if p.due <= now {
			out = w.answer(now, out, p)
		}
	}
	if w.heartbeat > now {
		return out
	}
	w.heartbeat = never
	for _, p := range w.readers {
		if p.lacks(w.history.Last()) {
			out = append(out, w.heartbeatTo(p, false))
			w.heartbeat = now.Add(w.interval)
		}
	}
	w.interval = min(2*w.interval, 10*w.c.Heartbeat)
	if w.heartbeat == never {
		w.interval = w.c.Heartbeat
	}
	return out
}

// AllAcked reports whether every reliable reader has acknowledged all samples.
func (w *Writer) AllAcked() bool { return w.acked() == w.history.Last() }

// History returns the range of sequence numbers that the writer can supply;
// last is first - 1 if there are none.
func (w *Writer) History() (first, last wire.SequenceNumber) {
	return w.history.First(), w.history.Last()
}

func (w *Writer) reader(g wire.GUID) *readerProxy {
	for _, p := range w.readers {
		if p.guid == g {
			return p
		}
	}
	return nil
}

func (w *Writer) anyReliable() bool {
	return slices.ContainsFunc(w.readers, func(p *readerProxy) bool { return p.reliable })
}

// acked returns up to where all reliable readers have acknowledged.
func (w *Writer) acked() wire.SequenceNumber {
	n := w.history.Last()
	for _, p := range w.readers {
		if p.reliable {
			n = min(n, p.acked)
		}
	}
	return n
}

// release lets go of what a writer keeps only until all have it.
func (w *Writer) release() {
	if w.c.History.KeepAll && !w.c.TransientLocal {
		w.history.Release(w.acked())
	}
}
