package file

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/foxglove/mcap/go/mcap"

	"github.com/takt-rt/takt/timeline"
)

// Options say how a timeline is written.
type Options struct {
	// Sync asks the disk to keep each batch before Events returns, so that a
	// loss of power leaves what a kill leaves. It costs a write to the disk for
	// each batch, milliseconds on most, and needs a writer with a Sync method,
	// such as an *os.File; on others it does nothing.
	Sync bool
}

// A Writer writes a timeline file. It is a timeline.Sink for one goroutine.
//
// The calls of a Sink return no error, so the first one stays: after it, the
// Writer does nothing and Err and Close return it. Who records for long asks
// Err now and then, so as not to run for hours beside a full disk.
type Writer struct {
	mcap     *mcap.Writer
	out      *bufio.Writer
	sync     func() error // nil without Options.Sync
	err      error
	codec    codec
	packed   []byte
	message  mcap.Message
	sequence uint32
	last     timeline.Instant // of the last event
}

// NewWriter returns a Writer to w, which should be a file without a buffer
// before it, and which the Writer does not close. Nothing is written before Start.
func NewWriter(w io.Writer, opt Options) (*Writer, error) {
	out := bufio.NewWriterSize(w, 64<<10)
	m, err := mcap.NewWriter(out, &mcap.WriterOptions{
		IncludeCRC:          true,
		Chunked:             true,
		ChunkSize:           1, // each message fills its chunk
		Compression:         mcap.CompressionZSTD,
		CompressionLevel:    mcap.CompressionLevelFastest,
		SkipMessageIndexing: true,
		SkipChunkIndex:      true,
		OverrideLibrary:     true,
	})
	if err != nil {
		return nil, err
	}
	wr := &Writer{mcap: m, out: out}
	if f, ok := w.(interface{ Sync() error }); ok && opt.Sync {
		wr.sync = f.Sync
	}
	wr.err = wr.begin()
	return wr, wr.err
}

func (w *Writer) begin() error {
	if err := w.mcap.WriteHeader(&mcap.Header{Profile: profile, Library: libraryPrefix + strconv.Itoa(version)}); err != nil {
		return err
	}
	for id := uint16(originChannel); id <= outcomeChannel; id++ {
		encoding := "json"
		if id == eventChannel {
			encoding = "takt"
		}
		if err := w.mcap.WriteChannel(&mcap.Channel{ID: id, Topic: topics[id], MessageEncoding: encoding}); err != nil {
			return err
		}
	}
	return nil
}

// Err returns the first error.
func (w *Writer) Err() error { return w.err }

// Start writes the origin.
func (w *Writer) Start(o timeline.Origin) { w.writeJSON(originChannel, o) }

// Describe writes a description.
func (w *Writer) Describe(e timeline.Entity) { w.writeJSON(entityChannel, e) }

// Events writes a batch. Whoever reads the file meets batches of at most 16384 events.
func (w *Writer) Events(events []timeline.Event) {
	for len(events) > 0 {
		n := min(len(events), maxBatch)
		w.packed = w.codec.appendBatch(w.packed[:0], events[:n])
		w.write(eventChannel, events[0].At, events[n-1].At, w.packed)
		w.last, events = events[n-1].At, events[n:]
	}
}

// Close writes the outcome and ends the file. Nothing may be called after it.
func (w *Writer) Close(o timeline.Outcome) error {
	w.writeJSON(outcomeChannel, o)
	if w.err != nil {
		return w.err
	}
	w.err = errors.Join(w.mcap.Close(), w.flush())
	return w.err
}

func (w *Writer) writeJSON(channel uint16, v any) {
	if w.err != nil {
		return
	}
	var data []byte
	if data, w.err = json.Marshal(v); w.err == nil {
		w.write(channel, w.last, w.last, data)
	}
}

// write writes one message and hands it to the operating system.
func (w *Writer) write(channel uint16, first, last timeline.Instant, data []byte) {
	if w.err != nil {
		return
	}
	w.message = mcap.Message{
		ChannelID:   channel,
		Sequence:    w.sequence,
		LogTime:     uint64(max(first, 0)),
		PublishTime: uint64(max(last, 0)),
		Data:        data,
	}
	if w.err = w.mcap.WriteMessage(&w.message); w.err == nil {
		w.err = w.flush()
	}
	w.sequence++
	// The writer keeps an index entry for each chunk, for an index that is not written.
	w.mcap.ChunkIndexes = w.mcap.ChunkIndexes[:0]
}

func (w *Writer) flush() error {
	if err := w.out.Flush(); err != nil {
		return err
	}
	if w.sync == nil {
		return nil
	}
	return w.sync()
}
