package bag

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/foxglove/mcap/go/mcap"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// placeBits is how many bits of a place are for the place within a chunk,
// which maxChunk bounds; the number of the chunk stands above them.
const placeBits = 30

// An mcapIndexed reads a file by the index in its summary, chunk after chunk
// in the order of their first log times, and each chunk in blocks, so that few
// of its messages are decoded before their turn. Chunks that overlap in time
// need no more than that: what one has left over waits until the next is read.
type mcapIndexed struct {
	*mcapReader
	summary *summary
	chunks  []chunkPlace // still to be read, by start
	damaged []chunkPlace
	reason  error // of the first damaged chunk

	open  chunkPlace // the chunk whose records are
	rest  []byte     // still to be taken, unpacked
	place uint64     // of the first of them
	later []int64    // the earliest log time in each of their blocks and all after it

	times []indexed // of one chunk
}

// An indexed is what a message index tells of one message.
type indexed struct {
	at     int64
	place  uint64
	stream *stream
}

// blockSize is how many bytes of a chunk are taken at once: most chunks whole.
const blockSize = 1 << 20

func newMCAPIndexed(m *mcapReader, s *summary) *mcapIndexed {
	chunks := slices.Clone(s.chunks)
	slices.SortStableFunc(chunks, func(a, b chunkPlace) int { return cmp.Compare(a.start, b.start) })
	return &mcapIndexed{mcapReader: m, summary: s, chunks: chunks}
}

func (m *mcapIndexed) bound() (at timeline.Instant, ok bool) {
	at = math.MaxInt64
	if len(m.chunks) > 0 {
		at, ok = timeline.Instant(m.chunks[0].start), true
	}
	if len(m.rest) > 0 {
		at, ok = min(at, timeline.Instant(m.later[0])), true
	}
	return at, ok
}

func (m *mcapIndexed) load(_ context.Context, to *queue) {
	if len(m.rest) > 0 {
		m.block(to)
		return
	}
	c := m.chunks[0]
	m.chunks = m.chunks[1:]
	defer m.run.advance(c.length + c.index)
	if !m.wanted(&c) {
		return
	}
	var err error
	if m.run.opt.TimesOnly && c.index > 0 {
		err = m.loadIndex(&c, to)
	} else {
		err = m.unpack(&c)
	}
	if err != nil {
		m.damage(c, err, to)
	}
}

// block takes the next block of the chunk under way.
func (m *mcapIndexed) block(to *queue) {
	rest, err := m.records(m.rest, m.place, blockSize, to)
	if err != nil {
		m.damage(m.open, err, to)
		rest = nil
	}
	m.place += uint64(len(m.rest) - len(rest))
	m.rest, m.later = rest, m.later[1:]
}

// wanted reports whether a chunk may hold messages of a topic that was asked for.
func (m *mcapIndexed) wanted(c *chunkPlace) bool {
	return len(c.channels) == 0 || slices.ContainsFunc(c.channels, func(id uint16) bool {
		s := m.channel(id)
		return s == nil || s.topic != nil
	})
}

// unpack makes a chunk the one under way.
func (m *mcapIndexed) unpack(p *chunkPlace) error {
	b, err := m.read(p.offset, p.length)
	if err != nil {
		return err
	}
	op, body, _, err := nextRecord(b)
	if err != nil {
		return err
	}
	if op != mcap.OpChunk {
		return fmt.Errorf("the index names a chunk where there is a %v record", op)
	}
	c, err := parseChunk(body)
	if err != nil {
		return err
	}
	if m.rest, err = m.unpacker.unpack(&c); err != nil {
		m.rest = nil
		return err
	}
	m.open, m.place = *p, p.number<<placeBits
	m.later = m.earliest(m.rest, m.later)
	return nil
}

// earliest returns for each block of records the earliest log time in it and
// in all after it, in the memory of buf. Records end at the first malformed one.
func (m *mcapIndexed) earliest(b []byte, buf []int64) []int64 {
	at := append(buf[:0], m.open.start)
	if len(b) <= blockSize {
		return at
	}
	at[0] = math.MaxInt64
	for stop := len(b) - blockSize; len(b) > 0; {
		op, body, rest, err := nextRecord(b)
		if err != nil {
			break
		}
		if len(b) <= stop {
			at, stop = append(at, math.MaxInt64), len(b)-blockSize
		}
		if op == mcap.OpMessage && len(body) >= messageHead {
			at[len(at)-1] = min(at[len(at)-1], int64(binary.LittleEndian.Uint64(body[6:])))
		}
		b = rest
	}
	for i := len(at) - 2; i >= 0; i-- {
		at[i] = min(at[i], at[i+1])
	}
	return at
}

// loadIndex takes the log times from the message indexes behind a chunk, so
// that the chunk itself need not be read.
func (m *mcapIndexed) loadIndex(c *chunkPlace, to *queue) error {
	b, err := m.read(c.offset+c.length, c.index)
	if err != nil {
		return err
	}
	m.times = m.times[:0]
	for len(b) > 0 && err == nil {
		var op mcap.OpCode
		var body []byte
		op, body, b, err = nextRecord(b)
		if err == nil && op == mcap.OpMessageIndex {
			err = m.messageIndex(body, c.number<<placeBits)
		}
	}
	// Each channel has its own index. Sorting what little they hold is cheaper
	// than sorting the events.
	slices.SortFunc(m.times, func(a, b indexed) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.place, b.place))
	})
	for i := range m.times {
		t := &m.times[i]
		m.seen.add(t.at)
		m.run.decode(t.stream, &message{at: t.at, sent: t.at, place: t.place}, to)
	}
	return err
}

// messageIndex reads the body of a message index record:
//
//	channel id 2 | length of the entries 4 | entries: (log time 8 | offset 8)...
func (m *mcapIndexed) messageIndex(b []byte, place uint64) error {
	const head, entryLen = 2 + 4, 8 + 8
	if len(b) < head {
		return fmt.Errorf("a message index of %d bytes is too short", len(b))
	}
	s, length := m.channel(binary.LittleEndian.Uint16(b)), binary.LittleEndian.Uint32(b[2:])
	b = b[head:]
	if uint64(length) > uint64(len(b)) || length%entryLen != 0 {
		return fmt.Errorf("a message index claims %d bytes of entries where %d are left", length, len(b))
	}
	if s == nil {
		m.unknown += uint64(length / entryLen)
		return nil
	}
	for b = b[:length]; len(b) > 0; b = b[entryLen:] {
		m.times = append(m.times, indexed{int64(binary.LittleEndian.Uint64(b)), place + binary.LittleEndian.Uint64(b[8:]), s})
	}
	return nil
}

// damage notes that a chunk, or what is left of it, is lost.
func (m *mcapIndexed) damage(c chunkPlace, err error, to *queue) {
	if m.reason == nil {
		m.reason = err
	}
	m.damaged = append(m.damaged, c)
	to.push(hole(c.start, c.end, spot{m.in.number, c.number << placeBits}))
}

func (m *mcapIndexed) close() {
	if n := len(m.damaged); n > 0 {
		first := m.damaged[0]
		m.run.found.lost("damaged-chunk", m.in.name, "mcap recover writes a file of what can be read",
			"%d of %d chunks could not be read; the first, at byte %d, covers %.3f s from %v on: %v",
			n, len(m.summary.chunks), first.offset, seconds(first.end-first.start), clock.Wall(first.start), m.reason)
	} else if len(m.chunks) == 0 && m.run.opt.Topics == nil && m.summary.stats != nil {
		m.compare(m.summary.stats)
	}
	m.mcapReader.close()
}

// compare says where the statistics of the file are wrong about its messages.
func (m *mcapIndexed) compare(stats *mcap.Statistics) {
	wrong := func(format string, args ...any) {
		m.run.found.add("summary-contradicts-data", timeline.Info, m.in.name, "", "the statistics in the file "+format, args...)
	}
	seen := &m.seen
	if stats.MessageCount != seen.count {
		wrong("count %d messages, but there are %d", stats.MessageCount, seen.count)
	}
	if seen.count == 0 {
		return
	}
	if start := saturate(stats.MessageStartTime); start != seen.first {
		wrong("give a start %.9f s after the first message", seconds(start-seen.first))
	}
	if end := saturate(stats.MessageEndTime); end != seen.last {
		wrong("give an end %.9f s after the last message", seconds(end-seen.last))
	}
}
