package bag

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/foxglove/mcap/go/mcap"

	"github.com/takt-rt/takt/timeline"
)

// scanBuffer is how many bytes are read at once; larger records are read by themselves.
const scanBuffer = 1 << 20

// An mcapScan reads a file without a usable index, record by record, as far as
// it goes. Damaged chunks are passed over.
type mcapScan struct {
	*mcapReader
	*window
	buffer  *bufio.Reader
	offset  int64 // in the file, of the next record
	told    int64 // offset until which progress was told
	closed  bool  // the data end as a writer ends them
	noIndex error // why there is no index
	chunks  int
	damaged int
	reason  error // of the first damaged chunk
}

func newMCAPScan(m *mcapReader, noIndex error) *mcapScan {
	start := int64(len(mcap.Magic))
	s := &mcapScan{
		mcapReader: m,
		buffer:     bufio.NewReaderSize(io.NewSectionReader(m.file, start, m.file.size-start), scanBuffer),
		offset:     start,
		noIndex:    noIndex,
	}
	s.window = newWindow(s.next, m.run.window)
	if m.run.opt.TimesOnly {
		m.run.found.add("times-only-full-read", timeline.Info, m.in.name, "", "%v: all of it was read", noIndex)
	}
	return s
}

// Why a scan ends before the end that a writer makes.
var (
	errEnded     = errors.New("the file ends without an end record")
	errTruncated = errors.New("the file ends in the middle of a record")
)

// load is that of the window, with progress.
func (s *mcapScan) load(ctx context.Context, to *queue) {
	s.window.load(ctx, to)
	s.run.advance(s.offset - s.told)
	s.told = s.offset
}

// next takes one record. It reports false at the end of the data, wherever that is.
func (s *mcapScan) next(q *queue) bool {
	at := s.offset
	op, length, err := s.head()
	if err != nil {
		s.cut(err, q)
		return false
	}
	switch op {
	case mcap.OpDataEnd, mcap.OpFooter:
		s.closed = true
		return false
	case mcap.OpChunk, mcap.OpMessage, mcap.OpSchema, mcap.OpChannel:
	default:
		s.skip(length)
		return true
	}
	body, err := s.body(length)
	if err == nil && op == mcap.OpChunk {
		s.chunks++
		err = s.chunk(body, uint64(s.chunks)<<placeBits, q)
	} else if err == nil {
		err = s.record(op, body, uint64(at), q)
	}
	if err != nil {
		s.damage(op, body, err, q)
	}
	return true
}

// head reads what the next record begins with. The record is sure to be in the file.
func (s *mcapScan) head() (op mcap.OpCode, length int64, err error) {
	head, err := s.buffer.Peek(recordHead)
	switch {
	case err == io.EOF && len(head) == 0:
		return 0, 0, errEnded
	case err == io.EOF:
		return 0, 0, errTruncated
	case err != nil:
		return 0, 0, err
	}
	op = mcap.OpCode(head[0])
	left := uint64(s.file.size - s.offset - recordHead)
	switch n := binary.LittleEndian.Uint64(head[1:]); {
	case op == mcap.OpReserved:
		return 0, 0, errors.New("there is an opcode 0, which no record has")
	case n > left:
		return 0, 0, errTruncated
	default:
		length = int64(n)
	}
	s.buffer.Discard(recordHead)
	s.offset += recordHead
	return op, length, nil
}

// body reads what follows a head; it is valid until the next call. What cannot
// be read is passed over.
func (s *mcapScan) body(length int64) ([]byte, error) {
	b, err := s.room(length)
	if err != nil {
		s.skip(length)
		return nil, err
	}
	s.offset += length
	_, err = io.ReadFull(s.buffer, b)
	return b, err
}

// skip passes over the body of a record, without reading it if it is long.
func (s *mcapScan) skip(length int64) {
	s.offset += length
	if length <= int64(s.buffer.Buffered()) {
		s.buffer.Discard(int(length))
		return
	}
	s.buffer.Reset(io.NewSectionReader(s.file, s.offset, s.file.size-s.offset))
}

// damage passes over a record that is not what it should be.
func (s *mcapScan) damage(op mcap.OpCode, body []byte, err error, q *queue) {
	s.damaged++
	if s.reason == nil {
		s.reason = fmt.Errorf("a %v record that ends at byte %d: %w", op, s.offset, err)
	}
	start, end := s.seen.last, s.seen.last
	if c, err := parseChunk(body); op == mcap.OpChunk && err == nil && saturate(c.start) >= s.seen.first && c.start <= c.end {
		start, end = saturate(c.start), saturate(c.end)
	}
	q.push(hole(start, end, spot{s.in.number, uint64(s.chunks) << placeBits}))
}

// cut says that the file ends too early, and that what came then is lost.
func (s *mcapScan) cut(err error, q *queue) {
	const remedy = "mcap recover writes a closed file of what can be read"
	found := &s.run.found
	switch {
	case errors.Is(err, errEnded):
		found.lost("not-closed", s.in.name, remedy,
			"the file was not closed, as when its recorder is killed: all of its %d messages are read, but what the recorder still held is lost", s.seen.count)
	case errors.Is(err, errTruncated):
		found.lost("truncated", s.in.name, remedy,
			"the file is truncated: its last %d bytes are part of a record; the %d messages before are read", s.file.size-s.offset, s.seen.count)
	default:
		found.lost("damaged", s.in.name, remedy,
			"the file cannot be read beyond byte %d of %d: %v; the %d messages before are read", s.offset, s.file.size, err, s.seen.count)
	}
	s.run.lostAfter(s.in, s.seen.last, q)
}

func (s *mcapScan) close() {
	if s.damaged > 0 {
		s.run.found.lost("damaged-chunk", s.in.name, "mcap recover writes a file of what can be read",
			"%d records could not be read, of %d chunks; the first was %v", s.damaged, s.chunks, s.reason)
	}
	switch {
	case s.noIndex == errNotClosed && s.closed:
		s.run.found.add("not-closed", timeline.Warning, s.in.name, "mcap recover writes a closed file",
			"the file ends behind its data, without its summary; no message is missing")
	case s.noIndex == errNotClosed, s.noIndex == errNoSummary, s.noIndex == errNoIndex:
	default:
		s.run.found.add("damaged", timeline.Warning, s.in.name, "mcap recover writes a new summary",
			"the summary of the file cannot be used: %v; the file was read without it", s.noIndex)
	}
	s.mcapReader.close()
}
