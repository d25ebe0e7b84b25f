package bag

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// A run is one reading of a recording.
type run struct {
	rec        *recording
	opt        Options
	topics     topics
	order      *order
	found      findings
	payload    payloads
	transforms transformReader
	profiles   map[string]offeredQoS // by their text: files repeat it
	window     int                   // entries that a file without an index holds back
	lanes      []*lane               // files not read to their end
	waiting    []*entry              // holes that end where the next file begins
	opened     int                   // files
	failed     []error               // why others could not be opened

	done, total int64 // bytes
}

// A lane is a file that takes its turn.
type lane struct {
	in     *input
	reader reader // nil until it is opened
	start  timeline.Instant
	known  bool // start
}

func newRun(rec *recording, opt Options, sink timeline.Sink) *run {
	r := &run{
		rec:      rec,
		opt:      opt,
		order:    newOrder(sink),
		found:    findings{slices.Clone(rec.found.list), rec.found.partial},
		profiles: make(map[string]offeredQoS),
		window:   windowSize,
		total:    rec.size(),
	}
	r.topics = topics{sink: sink, opt: &r.opt, byName: make(map[string]*topic)}
	r.transforms.topics = &r.topics
	r.transforms.visit = r.transforms.add
	r.claimTopics()
	return r
}

// claimTopics describes the topics that metadata.yaml lists.
func (r *run) claimTopics() {
	if r.rec.meta == nil {
		return
	}
	for _, c := range r.rec.meta.Topics {
		r.topics.meet(topicNote{name: c.Topic.Name, typ: c.Topic.Type, format: c.Topic.Format, qos: c.Topic.QoS})
	}
}

// makeLanes asks every file for its start, if there are several to order and
// it can be told without unpacking one.
func (r *run) makeLanes(ctx context.Context) {
	for _, in := range r.rec.inputs {
		l := &lane{in: in}
		switch {
		case len(r.rec.inputs) == 1:
		case in.readable() && !in.packed:
			if start, err := in.start(ctx); err == nil {
				l.start, l.known = timeline.Instant(start), true
			}
		case in.claim != nil && in.claim.Start.NS > 0:
			l.start, l.known = timeline.Instant(in.claim.Start.NS), true
		}
		r.lanes = append(r.lanes, l)
	}
}

// merge reads block after block, always of the file whose next one begins first.
func (r *run) merge(ctx context.Context) error {
	for ctx.Err() == nil {
		l, at := r.next()
		if l == nil {
			break
		}
		if l.reader == nil {
			r.open(ctx, l)
			continue
		}
		r.order.release(at)
		l.reader.load(ctx, &r.order.queue)
	}
	r.closeLanes()
	for _, h := range r.waiting {
		r.order.push(h)
	}
	r.order.flush()
	if ctx.Err() != nil {
		return nil
	}
	if r.opened == 0 {
		return errors.Join(r.failed...)
	}
	r.advance(r.total)
	return nil
}

// next returns the lane whose turn it is, and the instant that nothing
// unread comes before; lanes at their end are closed. A file of unknown
// start follows the one before it.
func (r *run) next() (turn *lane, at timeline.Instant) {
	for i := 0; i < len(r.lanes); {
		l := r.lanes[i]
		begins, ok := l.start, true
		switch {
		case l.reader != nil:
			begins, ok = l.reader.bound()
		case !l.known && i > 0:
			i++
			continue
		case !l.known:
			begins = math.MinInt64
		}
		if !ok {
			l.reader.close()
			r.lanes = append(r.lanes[:i], r.lanes[i+1:]...)
			continue
		}
		if turn == nil || begins < at {
			turn, at = l, begins
		}
		i++
	}
	return turn, at
}

// open opens the file of a lane. One that cannot be opened leaves a hole.
func (r *run) open(ctx context.Context, l *lane) {
	if !l.in.readable() {
		r.skip(l, l.in.problem)
		return
	}
	var err error
	if l.reader, err = openReader(ctx, r, l.in); err != nil {
		if ctx.Err() == nil {
			r.skip(l, err)
		}
		return
	}
	r.opened++
	if begins, ok := l.reader.bound(); ok {
		r.endHoles(begins)
	}
}

// openReader returns the reader of a file.
func openReader(ctx context.Context, r *run, in *input) (reader, error) {
	file, err := in.open(ctx, r.advance)
	if err != nil {
		return nil, err
	}
	if in.format == mcapFile {
		return openMCAP(ctx, r, in, file), nil
	}
	return openSQLite(ctx, r, in, file)
}

// skip gives up a file; a missing one has no problem, and is known already.
func (r *run) skip(l *lane, problem error) {
	r.lanes = slices.DeleteFunc(r.lanes, func(m *lane) bool { return m == l })
	if problem != nil {
		r.failed = append(r.failed, problem)
		r.found.lost("file-unreadable", l.in.name, "", "%v", problem)
	}
	if c := l.in.claim; l.known && c != nil {
		start := max(c.Start.NS, int64(r.order.last))
		r.order.push(hole(start, max(start, c.end()), spot{file: l.in.number}))
		return
	}
	r.lostAfter(l.in, r.latest(), &r.order.queue)
}

// lostAfter leaves a hole from an instant on, to the beginning of the file
// after in, or to the end. Without a message before it there is no place for one.
func (r *run) lostAfter(in *input, at int64, q *queue) {
	if at == 0 {
		return
	}
	h := hole(at, math.MaxInt64, spot{in.number, math.MaxUint64})
	for _, l := range r.lanes {
		if l.in.number <= in.number || l.reader != nil {
			continue
		}
		if !l.known {
			r.waiting = append(r.waiting, h)
			return
		}
		h.Value = max(at, int64(l.start))
		break
	}
	q.push(h)
}

// endHoles ends the holes that wait for the next file where it begins.
func (r *run) endHoles(begins timeline.Instant) {
	for _, h := range r.waiting {
		h.Value = max(int64(h.At), int64(begins))
		r.order.push(h)
	}
	r.waiting = nil
}

// hole is the event that what happened from start to end is lost.
func hole(start, end int64, at spot) *entry {
	return &entry{
		Event: timeline.Event{At: timeline.Instant(start), Kind: timeline.Hole, Value: end},
		mark:  mark{spot: at},
	}
}

// latest returns the receive time of the latest message so far, or 0.
func (r *run) latest() (at int64) {
	for _, t := range r.topics.inOrder {
		at = max(at, t.last)
	}
	return at
}

// messages returns how many there were so far.
func (r *run) messages() (n uint64) {
	for _, t := range r.topics.inOrder {
		n += t.count
	}
	return n
}

// qos reads the profiles that a file notes of a topic.
func (r *run) qos(text string) offeredQoS {
	q, ok := r.profiles[text]
	if !ok {
		q = parseQoS(text)
		r.profiles[text] = q
	}
	return q
}

// advance tells that n bytes more of the input are dealt with.
func (r *run) advance(n int64) {
	r.done = min(r.total, r.done+n)
	if r.opt.Progress != nil {
		r.opt.Progress(r.done, r.total)
	}
}

// closeLanes closes what is open still when a run ends early. Readers tell
// then what they found.
func (r *run) closeLanes() {
	for _, l := range r.lanes {
		if l.reader != nil {
			l.reader.close()
		}
	}
	r.lanes = nil
}

// seconds returns a number of nanoseconds in seconds.
func seconds(ns int64) float64 { return time.Duration(ns).Seconds() }
