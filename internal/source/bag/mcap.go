package bag

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/foxglove/mcap/go/mcap"

	"github.com/takt-rt/takt/timeline"
)

// An mcapReader is what reading an MCAP file takes, with an index or without:
// the channels met so far, and buffers.
type mcapReader struct {
	run      *run
	in       *input
	file     *stored
	schemas  map[uint16]*mcap.Schema
	channels []*stream // by channel id; nil where none was met
	unpacker unpacker
	buf      []byte // of a record as stored
	unknown  uint64 // messages on channels that were not met
	seen     span
}

// openMCAP returns the reader of a file that begins as an MCAP file. It takes
// over the file.
func openMCAP(ctx context.Context, r *run, in *input, file *stored) reader {
	m := &mcapReader{run: r, in: in, file: file, schemas: make(map[uint16]*mcap.Schema)}
	s, err := readSummary(file, file.size)
	if err == nil && s.named() {
		m.describe(s)
	}
	if err == nil && s.indexed() {
		return newMCAPIndexed(m, s)
	}
	if err == nil {
		err = errNoIndex
	}
	scan := newMCAPScan(m, err)
	scan.fill(ctx)
	return scan
}

// describe takes over the channels of a summary.
func (m *mcapReader) describe(s *summary) {
	for _, schema := range s.schemas {
		m.schemas[schema.ID] = schema
	}
	for _, channel := range s.channels {
		m.addChannel(channel)
	}
}

// records takes records of a chunk until enough bytes are taken, and returns
// those that are left; place is that of the first. It stops at the first that
// is malformed.
func (m *mcapReader) records(b []byte, place uint64, enough int, q *queue) ([]byte, error) {
	for stop := len(b) - enough; len(b) > max(stop, 0); {
		op, body, rest, err := nextRecord(b)
		if err != nil {
			return b, err
		}
		if err := m.record(op, body, place, q); err != nil {
			return b, err
		}
		place += uint64(len(b) - len(rest))
		b = rest
	}
	return b, nil
}

// record takes a record that chunks are made of. Others, and opcodes of later
// versions, are skipped.
func (m *mcapReader) record(op mcap.OpCode, body []byte, place uint64, q *queue) error {
	switch op {
	case mcap.OpMessage:
		return m.message(body, place, q)
	case mcap.OpSchema:
		schema, err := mcap.ParseSchema(body)
		if err != nil {
			return err
		}
		m.schemas[schema.ID] = schema
	case mcap.OpChannel:
		channel, err := mcap.ParseChannel(body)
		if err != nil {
			return err
		}
		m.addChannel(channel)
	}
	return nil
}

func (m *mcapReader) message(b []byte, place uint64, q *queue) error {
	if len(b) < messageHead {
		return fmt.Errorf("a message record of %d bytes is too short", len(b))
	}
	s := m.channel(binary.LittleEndian.Uint16(b))
	if s == nil {
		m.unknown++
		return nil
	}
	at := int64(binary.LittleEndian.Uint64(b[6:]))
	m.seen.add(at)
	m.run.decode(s, &message{
		at:    at,
		sent:  int64(binary.LittleEndian.Uint64(b[14:])),
		place: place,
		data:  b[messageHead:],
	}, q)
	return nil
}

func (m *mcapReader) channel(id uint16) *stream {
	if int(id) < len(m.channels) {
		return m.channels[id]
	}
	return nil
}

// addChannel makes a stream of a channel, the first time that it is met.
func (m *mcapReader) addChannel(c *mcap.Channel) {
	if m.channel(c.ID) != nil {
		return
	}
	for int(c.ID) >= len(m.channels) {
		m.channels = append(m.channels, nil)
	}
	note := topicNote{name: c.Topic, format: c.MessageEncoding, qos: m.run.qos(c.Metadata["offered_qos_profiles"])}
	var def *definition
	if schema := m.schemas[c.SchemaID]; schema != nil {
		note.typ = schema.Name
		if len(schema.Data) > 0 { // recorders that lack the definition leave it empty
			def = &definition{schema.Encoding, string(schema.Data)}
		}
	}
	m.channels[c.ID] = m.run.newStream(note, def, m.in.number)
}

// read returns n bytes of the file, valid until the next call.
func (m *mcapReader) read(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || n > m.file.size || at > m.file.size-n {
		return nil, fmt.Errorf("%d bytes at %d are beyond the end of the file", n, at)
	}
	b, err := m.room(n)
	if err != nil {
		return nil, err
	}
	if k, err := m.file.ReadAt(b, at); k < len(b) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b, nil
}

// room returns n bytes of memory, the same for each call.
func (m *mcapReader) room(n int64) ([]byte, error) {
	if n > maxRecord {
		return nil, fmt.Errorf("a record of %d bytes is not read; at most %d are", n, maxRecord)
	}
	if int64(cap(m.buf)) < n {
		m.buf = make([]byte, n)
	}
	return m.buf[:n], nil
}

// chunk reads the records of a chunk record's body.
func (m *mcapReader) chunk(body []byte, place uint64, q *queue) error {
	c, err := parseChunk(body)
	if err != nil {
		return err
	}
	records, err := m.unpacker.unpack(&c)
	if err != nil {
		return err
	}
	_, err = m.records(records, place, math.MaxInt, q)
	return err
}

func (m *mcapReader) close() {
	if m.unknown > 0 {
		m.run.found.add("unknown-topic", timeline.Warning, m.in.name, "",
			"left out: %s on channels that the file does not describe", number(m.unknown, "message"))
	}
	m.unpacker.close()
	m.file.Close()
}
