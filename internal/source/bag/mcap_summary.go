package bag

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/foxglove/mcap/go/mcap"
)

// A summary is the part at the end of an MCAP file that says what is where.
type summary struct {
	schemas  []*mcap.Schema
	channels []*mcap.Channel
	chunks   []chunkPlace // in the order of the file
	stats    *mcap.Statistics
}

// A chunkPlace is where a chunk is, and what its index says of it.
type chunkPlace struct {
	start, end     int64 // log times, saturated
	offset, length int64 // of the record, head included
	index          int64 // length of the message indexes right behind it
	channels       []uint16
	number         uint64 // of the chunk in the file
}

// Why a file is read without an index.
var (
	errNotClosed = errors.New("the file was not closed")
	errNoSummary = errors.New("the file has no summary")
	errNoIndex   = errors.New("the summary of the file has no index")
)

// footerLen is the length of what ends an MCAP file: the footer record and the magic.
//
//	opcode 1 | length 8 | summary start 8 | summary offset start 8 | summary CRC 4 | magic 8
const footerLen = recordHead + 8 + 8 + 4 + 8

// readSummary reads the summary of a file. The error is errNotClosed if the
// file does not end as one should, errNoSummary if its writer left it out.
func readSummary(file io.ReaderAt, size int64) (*summary, error) {
	if size < int64(len(mcap.Magic))+footerLen {
		return nil, errNotClosed
	}
	foot := make([]byte, footerLen)
	if n, err := file.ReadAt(foot, size-footerLen); n < len(foot) {
		return nil, err
	}
	op, body, rest, err := nextRecord(foot)
	if err != nil || op != mcap.OpFooter || len(body) != 20 || !bytes.Equal(rest, mcap.Magic) {
		return nil, errNotClosed
	}
	footer, err := mcap.ParseFooter(body)
	if err != nil {
		return nil, err
	}
	if footer.SummaryStart == 0 {
		return nil, errNoSummary
	}
	end := uint64(size - footerLen)
	if footer.SummaryStart > end {
		return nil, fmt.Errorf("the footer places the summary at %d, beyond its own place", footer.SummaryStart)
	}
	b := make([]byte, end-footer.SummaryStart)
	if n, err := file.ReadAt(b, int64(footer.SummaryStart)); n < len(b) {
		return nil, err
	}
	// The checksum covers the footer too, up to itself.
	if crc := crc32.Update(crc32.ChecksumIEEE(b), crc32.IEEETable, foot[:recordHead+16]); footer.SummaryCRC != 0 && crc != footer.SummaryCRC {
		return nil, errors.New("the checksum of the summary is wrong")
	}
	return parseSummary(b)
}

func parseSummary(b []byte) (*summary, error) {
	s := new(summary)
	for len(b) > 0 {
		op, body, rest, err := nextRecord(b)
		if err != nil {
			return nil, err
		}
		if err := s.add(op, body); err != nil {
			return nil, err
		}
		b = rest
	}
	return s, nil
}

func (s *summary) add(op mcap.OpCode, body []byte) error {
	switch op {
	case mcap.OpSchema:
		schema, err := mcap.ParseSchema(body)
		if err != nil {
			return err
		}
		s.schemas = append(s.schemas, schema)
	case mcap.OpChannel:
		channel, err := mcap.ParseChannel(body)
		if err != nil {
			return err
		}
		s.channels = append(s.channels, channel)
	case mcap.OpStatistics:
		stats, err := mcap.ParseStatistics(body)
		if err != nil {
			return err
		}
		s.stats = stats
	case mcap.OpChunkIndex:
		index, err := mcap.ParseChunkIndex(body)
		if err != nil {
			return err
		}
		s.chunks = append(s.chunks, placeOf(index, len(s.chunks)))
	}
	return nil
}

func placeOf(index *mcap.ChunkIndex, number int) chunkPlace {
	c := chunkPlace{
		start:  saturate(index.MessageStartTime),
		end:    saturate(index.MessageEndTime),
		offset: saturate(index.ChunkStartOffset),
		length: saturate(index.ChunkLength),
		index:  saturate(index.MessageIndexLength),
		number: uint64(number),
	}
	for id := range index.MessageIndexOffsets {
		c.channels = append(c.channels, id)
	}
	return c
}

// indexed reports whether the summary is enough to find and name every
// message. Writers may leave out any part of it.
func (s *summary) indexed() bool {
	if len(s.chunks) == 0 || !s.named() || s.stats != nil && int(s.stats.ChannelCount) > len(s.channels) {
		return false
	}
	known := make(map[uint16]bool)
	for _, c := range s.channels {
		known[c.ID] = true
	}
	for _, chunk := range s.chunks {
		for _, id := range chunk.channels {
			if !known[id] {
				return false
			}
		}
	}
	return true
}

// named reports whether the summary repeats the channels, and their schemas.
func (s *summary) named() bool {
	known := map[uint16]bool{0: true} // a channel without a schema
	for _, schema := range s.schemas {
		known[schema.ID] = true
	}
	for _, c := range s.channels {
		if !known[c.SchemaID] {
			return false
		}
	}
	return len(s.channels) > 0
}

func saturate(n uint64) int64 { return int64(min(n, math.MaxInt64)) }
