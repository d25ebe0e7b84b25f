package bag

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
)

// A fixture describes an MCAP file that a test or benchmark writes: small
// messages with a header, and images that make most of its size.
type fixture struct {
	compression  mcap.CompressionFormat
	small        int
	smallSize    int
	images       int
	imageSize    int
	chunkSize    int64
	unchunked    bool
	publishDelay uint64
}

// headerMessage is a CDR message that begins with a std_msgs/Header.
func headerMessage(size int, stamp uint64) []byte {
	b := make([]byte, max(size, 24))
	copy(b, []byte{0, 1, 0, 0})
	binary.LittleEndian.PutUint32(b[4:], uint32(stamp/1e9))
	binary.LittleEndian.PutUint32(b[8:], uint32(stamp%1e9))
	binary.LittleEndian.PutUint32(b[12:], 4)
	copy(b[16:], "map\x00")
	return b
}

// start0 is when the fixtures begin.
const start0 = 1_700_000_000_000_000_000

func (f fixture) write(t testing.TB, w io.Writer) {
	t.Helper()
	writer, err := mcap.NewWriter(w, &mcap.WriterOptions{
		Chunked: !f.unchunked, ChunkSize: max(f.chunkSize, 1<<20), Compression: f.compression, IncludeCRC: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(writer.WriteHeader(&mcap.Header{Profile: "ros2"}))
	check(writer.WriteSchema(&mcap.Schema{ID: 1, Name: "sensor_msgs/msg/Imu"}))
	check(writer.WriteSchema(&mcap.Schema{ID: 2, Name: "sensor_msgs/msg/Image"}))
	check(writer.WriteChannel(&mcap.Channel{ID: 1, SchemaID: 1, Topic: "/imu", MessageEncoding: "cdr"}))
	check(writer.WriteChannel(&mcap.Channel{ID: 2, SchemaID: 2, Topic: "/image", MessageEncoding: "cdr"}))
	image := headerMessage(f.imageSize, start0)
	random := rand.New(rand.NewPCG(1, 2))
	for i := 64; i < len(image); i += 8 {
		binary.LittleEndian.PutUint64(image[i&^7:], random.Uint64()) // as hard to pack as noise
	}
	for i := range f.small {
		at := start0 + uint64(i)*1_000_000
		check(writer.WriteMessage(&mcap.Message{ChannelID: 1, LogTime: at, PublishTime: at - f.publishDelay, Data: headerMessage(f.smallSize, at)}))
		if f.images > 0 && i%(f.small/f.images) == 0 {
			check(writer.WriteMessage(&mcap.Message{ChannelID: 2, LogTime: at, PublishTime: at, Data: image}))
		}
	}
	check(writer.Close())
}

func (f fixture) file(t testing.TB) (path string, size int64) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "fixture.mcap")
	w, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	f.write(t, w)
	info, err := w.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path, info.Size()
}

// BenchmarkMCAP compares with the loop of the format's own reader that drops
// every message. A file of images is what a robot with cameras records.
func BenchmarkMCAP(b *testing.B) {
	kinds := map[string]fixture{
		"small":  {small: 200_000, smallSize: 320},
		"images": {small: 4000, smallSize: 320, images: 200, imageSize: 1 << 20},
	}
	for _, kind := range []string{"small", "images"} {
		for _, compression := range []mcap.CompressionFormat{"", "lz4", "zstd"} {
			f := kinds[kind]
			f.compression = compression
			path, size := f.file(b)
			name := fmt.Sprintf("file=%s/compression=%s", kind, compression)
			b.Run(name+"/read=stamps", func(b *testing.B) { benchmarkRead(b, path, size, Options{}) })
			b.Run(name+"/read=times", func(b *testing.B) { benchmarkRead(b, path, size, Options{TimesOnly: true}) })
			b.Run(name+"/read=foxglove", func(b *testing.B) { benchmarkFoxglove(b, path, size) })
		}
	}
}

func benchmarkRead(b *testing.B, path string, size int64, opt Options) {
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		s, err := Open(path, opt)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Run(context.Background(), nobody{}); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkFoxglove(b *testing.B, path string, size int64) {
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		reader, err := mcap.NewReader(f)
		if err != nil {
			b.Fatal(err)
		}
		messages, err := reader.Messages()
		if err != nil {
			b.Fatal(err)
		}
		var msg mcap.Message
		for {
			if _, _, _, err := messages.NextInto(&msg); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
		f.Close()
	}
}

// BenchmarkSQLite reads a recording of a simulated robot.
func BenchmarkSQLite(b *testing.B) {
	path := filepath.Join(recordings, "rosbag2/gz-startup-stall")
	info, err := os.Stat(filepath.Join(path, "rosbag_0.db3"))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read=stamps", func(b *testing.B) { benchmarkRead(b, path, info.Size(), Options{}) })
	b.Run("read=times", func(b *testing.B) { benchmarkRead(b, path, info.Size(), Options{TimesOnly: true}) })
}
