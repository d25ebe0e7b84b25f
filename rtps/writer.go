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
	Limit          int  // samples kept with KEEP_ALL, see Write; 0 means 1024
	TransientLocal bool // late readers get what is kept; else only what is written after they came

	// Heartbeat is the interval of heartbeats while a reader lacks samples,
	// doubled with each that brings no progress up to tenfold. 0 means 100 ms.
	Heartbeat time.Duration
	// Merge is the least time between two answers to ACKNACKs of one reader:
	// what repeats a request within it costs nothing. 0 means 5 ms.
	Merge time.Duration

	// Lifespan is how long after its Write a sample is sent and repaired; then
	// readers that lack it are told that it is gone. 0 means for ever.
	Lifespan time.Duration
	// FragmentSize is the length of payload in bytes, 8 to 65,000, beyond which
	// a sample is cut into fragments of that size. 0 means 1344.
	FragmentSize int
	// MaxDatagram is the length in bytes that a datagram with fragments shall
	// not pass, if one fragment fits into it. 0 means 14,720.
	MaxDatagram int
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
	index     map[wire.GUID]*readerProxy
	reliable  int           // readers
	due       clock.Mono    // no answer is due before
	count     int32         // of heartbeats
	fragCount int32         // of HEARTBEAT_FRAGs
	sentAt    clock.Mono    // the last heartbeat with a sample
	askedAt   clock.Mono    // the last one of these that required an answer
	heartbeat clock.Mono    // when the next heartbeat without a sample is due
	interval  time.Duration // to the one after it
}

// piggyback is the least time between two heartbeats that go with samples;
// Cyclone DDS has the same.
const piggyback = 100 * time.Microsecond

// NewWriter returns a writer that has written nothing and has no reader.
func NewWriter(c WriterConfig) *Writer {
	c.Limit = cmp.Or(c.Limit, 1024)
	c.Heartbeat = cmp.Or(c.Heartbeat, 100*time.Millisecond)
	c.Merge = cmp.Or(c.Merge, 5*time.Millisecond)
	c.FragmentSize = min(max(cmp.Or(c.FragmentSize, 1344), 8), 65000)
	c.MaxDatagram = cmp.Or(c.MaxDatagram, 14720)
	return &Writer{
		c: c, history: NewHistory(c.History, c.Limit),
		index: map[wire.GUID]*readerProxy{}, due: never,
		sentAt: math.MinInt64, askedAt: math.MinInt64,
		heartbeat: never, interval: c.Heartbeat,
	}
}

// Match adds a reader that discovery found to match, or does nothing if it is
// there. A reliable one is due its first heartbeat at once. transientLocal is
// what the reader asks for; it gets the past only if the writer offers it too.
func (w *Writer) Match(now clock.Mono, reader wire.GUID, reliable, transientLocal bool) {
	if w.index[reader] != nil {
		return
	}
	p := &readerProxy{guid: reader, reliable: reliable, start: w.history.Last() + 1, due: never, answered: math.MinInt64}
	p.volatile = !w.c.TransientLocal || !transientLocal
	if !p.volatile {
		p.start = 1
	}
	p.acked = p.start - 1
	w.readers = append(w.readers, p)
	w.index[reader] = p
	if reliable {
		w.reliable++
		w.heartbeat, w.interval = now, w.c.Heartbeat
	}
}

// Unmatch forgets a reader. Samples that were kept for it alone are released.
func (w *Writer) Unmatch(reader wire.GUID) {
	p := w.index[reader]
	if p == nil {
		return
	}
	delete(w.index, reader)
	w.readers = slices.DeleteFunc(w.readers, func(q *readerProxy) bool { return q == p })
	if p.reliable {
		w.reliable--
	}
	w.release()
}

// Write gives a change the next sequence number, keeps it and appends to out
// what is to be sent at once: the sample, or its fragments with HEARTBEAT_FRAGs
// between them, and for reliable readers a heartbeat. Nothing is sent if no
// reader is matched.
//
// With KEEP_ALL it fails with ErrFull if there is no room and the oldest sample
// is one that a reliable reader has not acknowledged. A TRANSIENT_LOCAL writer
// keeps what all have acknowledged for later readers, as far as Limit reaches:
// the oldest gives way to the new. So it never stops for readers to come, and
// these get the newest Limit samples.
func (w *Writer) Write(now clock.Mono, out []Send, c Change) ([]Send, error) {
	w.expire(now)
	if w.history.full() && w.c.History.KeepAll && w.acked() >= w.history.First() {
		w.history.Release(w.history.First())
	}
	kept, err := w.history.Add(c)
	if err != nil {
		return out, err
	}
	kept.written = now
	if len(w.readers) > 0 {
		out = w.sample(out, kept)
	}
	if w.reliable > 0 {
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
	p := w.index[wire.GUID{Prefix: from, Entity: a.Reader}]
	if p == nil || !p.reliable || a.Writer != w.c.GUID.Entity || a.Missing.Base > w.history.Last()+1 || !p.counts(a.Count) {
		return
	}
	if p.take(a) {
		w.progress(now)
	}
	p.due = never
	if a.Missing.Len() > 0 || !a.Final || len(p.fragments) > 0 {
		w.schedule(now, p)
	}
	w.release()
}

// schedule has a reader answered as soon as its last answer is old enough.
func (w *Writer) schedule(now clock.Mono, p *readerProxy) {
	p.due = max(now, p.answered.Add(w.c.Merge))
	w.due = min(w.due, p.due)
}

// progress brings heartbeats back to their shortest interval.
func (w *Writer) progress(now clock.Mono) {
	w.interval = w.c.Heartbeat
	w.heartbeat = min(w.heartbeat, now.Add(w.interval))
}

// Next returns when Tick may have something to do, the far future if nothing.
func (w *Writer) Next() clock.Mono { return min(w.heartbeat, w.due) }

// Tick appends what is due at now: the answers to ACKNACKs and NACK_FRAGs, and
// heartbeats to the readers that lack samples.
func (w *Writer) Tick(now clock.Mono, out []Send) []Send {
	w.expire(now)
	if w.due <= now {
		w.due = never
		for _, p := range w.readers {
			if p.due <= now {
				out = w.answer(now, out, p)
			}
			w.due = min(w.due, p.due)
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

// expire lets go of what is past its lifespan, whether acknowledged or not.
// Samples expire in the order of their numbers.
func (w *Writer) expire(now clock.Mono) {
	for w.c.Lifespan > 0 && w.history.Len() > 0 {
		first := w.history.First()
		if now.Sub(w.history.Get(first).written) <= w.c.Lifespan {
			return
		}
		w.history.Release(first)
	}
}
