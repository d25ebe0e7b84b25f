package synth

import (
	"cmp"
	"io"
	"iter"

	"github.com/foxglove/mcap/go/mcap"
)

// rosbag2's MCAP storage writes chunks of this many bytes unless told otherwise.
const defaultChunkSize = 768 << 10

// MCAPOptions say how an MCAP file is laid out. The zero value is what rosbag2
// writes: uncompressed chunks of 768 KiB, indexed, without checksums.
type MCAPOptions struct {
	Compression mcap.CompressionFormat // of chunks: none, lz4 or zstd
	ChunkSize   int64                  // bytes before compression; 0 means 768 KiB
	NoChunks    bool                   // messages stand in the file one by one
	NoIndex     bool                   // no message or chunk index and no statistics
	CRC         bool                   // checksums of chunks, data and summary
}

func (o MCAPOptions) writer() *mcap.WriterOptions {
	return &mcap.WriterOptions{
		IncludeCRC:               o.CRC,
		Chunked:                  !o.NoChunks,
		ChunkSize:                cmp.Or(o.ChunkSize, defaultChunkSize),
		Compression:              o.Compression,
		SkipMessageIndexing:      o.NoIndex,
		SkipChunkIndex:           o.NoIndex,
		SkipStatistics:           o.NoIndex,
		SkipSummaryOffsets:       o.NoIndex,
		SkipRepeatedSchemas:      o.NoIndex,
		SkipRepeatedChannelInfos: o.NoIndex,
	}
}

// WriteMCAP writes a recording as rosbag2 does: profile "ros2", payloads in
// CDR, the offered profiles in the metadata of the channels.
func WriteMCAP(w io.Writer, topics []Topic, messages iter.Seq[Message], opt MCAPOptions) error {
	s, err := newMCAPStorage(w, topics, opt)
	if err != nil {
		return err
	}
	for m := range messages {
		if err := s.write(m); err != nil {
			return err
		}
	}
	return s.close()
}

// An mcapStorage is an MCAP file that is being written.
type mcapStorage struct {
	w        *mcap.Writer
	channels map[string]uint16
	message  mcap.Message
}

func newMCAPStorage(w io.Writer, topics []Topic, opt MCAPOptions) (*mcapStorage, error) {
	mw, err := mcap.NewWriter(w, opt.writer())
	if err != nil {
		return nil, err
	}
	s := &mcapStorage{w: mw, channels: map[string]uint16{}}
	if err := mw.WriteHeader(&mcap.Header{Profile: "ros2", Library: "takt synth"}); err != nil {
		return nil, err
	}
	schemas := map[string]uint16{}
	for i, t := range topics {
		if err := s.describe(t, uint16(i+1), schemas); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// describe writes the topic's channel, before it the schema of its type unless
// schemas says that it stands in the file already.
func (s *mcapStorage) describe(t Topic, id uint16, schemas map[string]uint16) error {
	schema := schemas[t.Type]
	if schema == 0 {
		schema = uint16(len(schemas) + 1)
		schemas[t.Type] = schema
		// rosbag2 writes the type's name with an empty definition when it finds none.
		if err := s.w.WriteSchema(&mcap.Schema{ID: schema, Name: t.Type, Encoding: t.SchemaEncoding, Data: []byte(t.Schema)}); err != nil {
			return err
		}
	}
	s.channels[t.Name] = id
	return s.w.WriteChannel(&mcap.Channel{
		ID:              id,
		SchemaID:        schema,
		Topic:           t.Name,
		MessageEncoding: "cdr",
		Metadata:        map[string]string{"offered_qos_profiles": profiles(t.Offered), "topic_type_hash": ""},
	})
}

func (s *mcapStorage) write(m Message) error {
	id, ok := s.channels[m.Topic]
	if !ok {
		return topicError(m)
	}
	s.message = mcap.Message{
		ChannelID:   id,
		Sequence:    m.Sequence,
		LogTime:     uint64(m.Receive),
		PublishTime: uint64(cmp.Or(m.Publish, m.Receive)),
		Data:        m.Data,
	}
	return s.w.WriteMessage(&s.message)
}

func (s *mcapStorage) close() error { return s.w.Close() }
