package bag

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"pgregory.net/rapid"

	"github.com/takt-rt/takt/timeline"
)

// A logged is a message as a test writes it: its stamp, or simulated time, is
// a number by which it is known again.
type logged struct {
	at, sent uint64
	tick     bool
	number   uint32
}

func clockMessage(ns uint64) []byte {
	b := append([]byte{0, 1, 0, 0}, make([]byte, 8)...)
	binary.LittleEndian.PutUint32(b[4:], uint32(ns/1e9))
	binary.LittleEndian.PutUint32(b[8:], uint32(ns%1e9))
	return b
}

// writeMCAP writes messages of two topics.
func writeMCAP(t rapid.TB, w io.Writer, opt *mcap.WriterOptions, messages []logged) {
	writer, err := mcap.NewWriter(w, opt)
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(err)
	check(writer.WriteHeader(&mcap.Header{Profile: "ros2"}))
	check(writer.WriteSchema(&mcap.Schema{ID: 1, Name: clockType}))
	check(writer.WriteSchema(&mcap.Schema{ID: 2, Name: "sensor_msgs/msg/Imu"}))
	check(writer.WriteChannel(&mcap.Channel{ID: 1, SchemaID: 1, Topic: "/clock", MessageEncoding: "cdr"}))
	check(writer.WriteChannel(&mcap.Channel{ID: 2, SchemaID: 2, Topic: "/imu", MessageEncoding: "cdr"}))
	for _, m := range messages {
		msg := &mcap.Message{ChannelID: 2, LogTime: m.at, PublishTime: m.sent, Data: headerMessage(40, uint64(m.number))}
		if m.tick {
			msg.ChannelID, msg.Data = 1, clockMessage(uint64(m.number))
		}
		check(writer.WriteMessage(msg))
	}
	check(writer.Close())
}

// readBytes reads an MCAP file in memory.
func readBytes(b []byte, opt Options, sink timeline.Sink) timeline.Outcome {
	ctx := context.Background()
	r := newRun(new(recording), opt, sink)
	in := &input{name: "test.mcap", format: mcapFile, size: int64(len(b))}
	sink.Start(timeline.Origin{})
	r.opened, r.total = 1, in.size
	r.lanes = []*lane{{in: in, reader: openMCAP(ctx, r, in, &stored{bytes.NewReader(b), io.NopCloser(nil), in.size})}}
	if err := r.merge(ctx); err != nil {
		panic(err)
	}
	return r.outcome(true)
}

func drawMessages(t *rapid.T, n int) []logged {
	jitter := rapid.IntRange(0, 50).Draw(t, "jitter")
	messages := make([]logged, n)
	for i := range messages {
		at := uint64(1000 + i + rapid.IntRange(0, jitter).Draw(t, "late"))
		messages[i] = logged{at: at, sent: at, number: uint32(i), tick: rapid.Bool().Draw(t, "tick")}
	}
	return messages
}

func drawWriter(t *rapid.T) *mcap.WriterOptions {
	return &mcap.WriterOptions{
		Chunked:                  rapid.Bool().Draw(t, "chunked"),
		ChunkSize:                rapid.Int64Range(100, 3000).Draw(t, "chunk size"),
		Compression:              rapid.SampledFrom([]mcap.CompressionFormat{"", "", "", "", "", "", "lz4", "zstd"}).Draw(t, "compression"),
		IncludeCRC:               rapid.Bool().Draw(t, "crc"),
		SkipChunkIndex:           rapid.Bool().Draw(t, "skip chunk index"),
		SkipMessageIndexing:      rapid.Bool().Draw(t, "skip message index"),
		SkipRepeatedSchemas:      rapid.Bool().Draw(t, "skip schemas"),
		SkipStatistics:           rapid.Bool().Draw(t, "skip statistics"),
		SkipRepeatedChannelInfos: rapid.Bool().Draw(t, "skip channels"),
		SkipSummaryOffsets:       rapid.Bool().Draw(t, "skip offsets"),
	}
}

// inOrder sorts messages as a timeline must have them: by time, ticks first,
// and otherwise as they were written.
func inOrder(messages []logged) []logged {
	sorted := slices.Clone(messages)
	slices.SortStableFunc(sorted, func(a, b logged) int {
		switch {
		case a.at != b.at:
			return int(a.at) - int(b.at)
		case a.tick && !b.tick:
			return -1
		case b.tick && !a.tick:
			return 1
		}
		return 0
	})
	return sorted
}

func wantMessages(t rapid.TB, events []timeline.Event, want []logged) {
	if len(events) != len(want) {
		t.Fatalf("%d events, want %d", len(events), len(want))
	}
	for i, m := range want {
		e := events[i]
		number, kind := int64(e.Stamp), timeline.SampleArrived
		if m.tick {
			number, kind = e.Value, timeline.TickArrived
		}
		if e.Kind != kind || uint64(e.At) != m.at || number != int64(m.number) {
			t.Fatalf("event %d is %+v, want %+v", i, e, m)
		}
	}
}

// However a file is written, its messages come in order.
func TestMCAPOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := drawMessages(t, rapid.IntRange(0, 300).Draw(t, "n"))
		var file bytes.Buffer
		writeMCAP(t, &file, drawWriter(t), messages)
		sink := new(gathered)
		out := readBytes(file.Bytes(), Options{}, sink)
		if out.Partial {
			t.Fatalf("%+v", out)
		}
		wantMessages(t, sink.events, inOrder(messages))
	})
}

// So do those of several files, whatever was written where.
func TestSplitMCAPOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		var all []logged
		for i, name := range []string{"b_2.mcap", "b_10.mcap"} {
			messages := drawMessages(rt, rapid.IntRange(0, 100).Draw(rt, "n"))
			for j := range messages {
				messages[j].number += uint32(i) * 1000
			}
			all = append(all, messages...)
			f, err := os.Create(filepath.Join(dir, name))
			if err != nil {
				rt.Fatal(err)
			}
			writeMCAP(rt, f, drawWriter(rt), messages)
			f.Close()
		}
		s, err := Open(dir, Options{})
		if err != nil {
			rt.Fatal(err)
		}
		sink := new(gathered)
		if out, err := s.Run(context.Background(), sink); err != nil || out.Partial {
			rt.Fatal(out, err)
		}
		wantMessages(rt, sink.events, inOrder(all))
	})
}

// Times come from the message indexes, in the same order.
func TestTimesOnlyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := drawMessages(t, rapid.IntRange(0, 300).Draw(t, "n"))
		for i := range messages {
			messages[i].tick = false
		}
		var file bytes.Buffer
		writeMCAP(t, &file, &mcap.WriterOptions{Chunked: true, ChunkSize: 500, Compression: "zstd"}, messages)
		sink := new(gathered)
		readBytes(file.Bytes(), Options{TimesOnly: true}, sink)
		for i, m := range inOrder(messages) {
			if e := sink.events[i]; uint64(e.At) != m.at || e.Flags != 0 || e.Size != 0 {
				t.Fatalf("event %d is %+v, want %+v", i, e, m)
			}
		}
	})
}

// noPayload fails if a chunk's data are read.
type noPayload struct {
	*bytes.Reader
	t      *testing.T
	chunks []chunkPlace
}

func (r noPayload) ReadAt(p []byte, at int64) (int, error) {
	for _, c := range r.chunks {
		if at < c.offset+c.length && at+int64(len(p)) > c.offset {
			r.t.Errorf("read %d bytes at %d, in the chunk at %d", len(p), at, c.offset)
		}
	}
	return r.Reader.ReadAt(p, at)
}

func TestTimesOnlyReadsNoPayload(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(recordings, "derived/mcap-zstd-chunks/imu_joint_zstd.mcap"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := readSummary(bytes.NewReader(b), int64(len(b)))
	if err != nil || len(s.chunks) != 44 {
		t.Fatal(err)
	}
	r := newRun(new(recording), Options{TimesOnly: true}, nobody{})
	in := &input{size: int64(len(b))}
	reader := openMCAP(t.Context(), r, in, &stored{noPayload{bytes.NewReader(b), t, s.chunks}, io.NopCloser(nil), in.size})
	defer reader.close()
	for {
		if _, ok := reader.bound(); !ok {
			break
		}
		reader.load(t.Context(), &r.order.queue)
	}
	if n := r.messages(); n != 6578 {
		t.Errorf("%d messages", n)
	}
}

// Publish times count from the first that is not the log time; those of
// another clock never.
func TestPublishTimes(t *testing.T) {
	const at = start0
	var file bytes.Buffer
	writeMCAP(t, &file, &mcap.WriterOptions{Chunked: true}, []logged{
		{at: at, sent: at}, {at: at + 10, sent: at + 4}, {at: at + 20, sent: at + 20}, {at: at + 30, sent: 5},
		{at: at + 40, sent: 0}, {at: at + 50, sent: at + 50, tick: true},
	})
	sink := new(gathered)
	out := readBytes(file.Bytes(), Options{}, sink)
	want := []timeline.Instant{0, at + 4, at + 20, 0, 0, 0}
	for i, e := range sink.events {
		if e.Sent != want[i] || e.Has(timeline.HasSent) != (want[i] != 0) {
			t.Errorf("event %d: %+v, want Sent %d", i, e, want[i])
		}
	}
	if ids(out)["publish-time-other-clock"] != 1 {
		t.Errorf("%+v", out)
	}
}

func TestAbsurdTimesAreLeftOut(t *testing.T) {
	var file bytes.Buffer
	writeMCAP(t, &file, &mcap.WriterOptions{Chunked: true}, []logged{{at: 1 << 63}, {at: 7}, {at: 1<<64 - 1}})
	sink := new(gathered)
	out := readBytes(file.Bytes(), Options{}, sink)
	if len(sink.events) != 1 || ids(out)["absurd-time"] != 1 || !out.Partial {
		t.Errorf("%+v, %+v", sink.events, out)
	}
}

// A file of nothing but beginnings and lies is no harm.
func TestHostileMCAP(t *testing.T) {
	record := func(op mcap.OpCode, length uint64, body ...byte) []byte {
		return append(binary.LittleEndian.AppendUint64([]byte{byte(op)}, length), body...)
	}
	chunk := func(size uint64, compression string, packed []byte) []byte {
		b := make([]byte, 16)
		b = binary.LittleEndian.AppendUint64(b, size)
		b = append(b, 0, 0, 0, 0)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(compression)))
		b = append(b, compression...)
		b = binary.LittleEndian.AppendUint64(b, uint64(len(packed)))
		return append(b, packed...)
	}
	whole := func(op mcap.OpCode, body []byte) []byte { return record(op, uint64(len(body)), body...) }
	for name, test := range map[string]struct {
		records []byte
		finding string
	}{
		"nothing":            {nil, "not-closed"},
		"a length of 2^63":   {record(mcap.OpMessage, 1<<63), "truncated"},
		"half a head":        {[]byte{5, 0, 0}, "truncated"},
		"zeros":              {make([]byte, 1000), "damaged"},
		"a short message":    {whole(mcap.OpMessage, []byte{1}), "damaged-chunk"},
		"a short channel":    {whole(mcap.OpChannel, []byte{1, 0, 1, 0, 255, 255, 255, 255}), "damaged-chunk"},
		"an unknown opcode":  {whole(0x7f, []byte("whatever")), "not-closed"},
		"a great chunk":      {whole(mcap.OpChunk, chunk(1<<40, "zstd", nil)), "damaged-chunk"},
		"a bomb":             {whole(mcap.OpChunk, chunk(1<<29, "zstd", []byte{0x28, 0xb5, 0x2f, 0xfd})), "damaged-chunk"},
		"other compression":  {whole(mcap.OpChunk, chunk(1, "brotli", []byte{1})), "damaged-chunk"},
		"an unknown channel": {whole(mcap.OpMessage, make([]byte, messageHead)), "unknown-topic"},
	} {
		t.Run(name, func(t *testing.T) {
			out := readBytes(append(slices.Clone(mcap.Magic), test.records...), Options{}, nobody{})
			if ids(out)[test.finding] != 1 || !out.Partial {
				t.Errorf("%+v", out)
			}
		})
	}
}

// FuzzMCAP changes and cuts small files of every kind.
func FuzzMCAP(f *testing.F) {
	for _, opt := range []mcap.WriterOptions{
		{}, {Chunked: true, ChunkSize: 200, IncludeCRC: true},
		{Chunked: true, ChunkSize: 300, Compression: "zstd"}, {Chunked: true, Compression: "lz4", SkipChunkIndex: true},
	} {
		var file bytes.Buffer
		writeMCAP(f, &file, &opt, []logged{{at: 1, sent: 1}, {at: 3, sent: 2, tick: true}, {at: 2, number: 9}, {at: 4, tick: true}})
		f.Add(file.Bytes(), false)
		f.Add(file.Bytes()[:file.Len()*2/3], true)
	}
	f.Fuzz(func(t *testing.T, b []byte, timesOnly bool) {
		if !bytes.HasPrefix(b, mcap.Magic) {
			return
		}
		c := newCollector(t)
		c.hostile = true
		readBytes(b, Options{TimesOnly: timesOnly}, c)
	})
}
