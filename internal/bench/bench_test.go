package bench

import (
	"bytes"
	"crypto/sha256"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/internal/synth"
)

// A tally is what was seen of a topic.
type tally struct {
	count, bytes int
	first, last  clock.Wall // published
}

func count(t *testing.T, c Config) (topics map[string]*tally, bytes int) {
	t.Helper()
	messages, err := Messages(c)
	if err != nil {
		t.Fatal(err)
	}
	topics = map[string]*tally{}
	var received clock.Wall
	for m := range messages {
		if late := m.Receive.Sub(m.Publish); m.Receive <= received || late < 50*time.Microsecond || late > time.Millisecond {
			t.Fatalf("%s received %v after it was published, %v after the message before", m.Topic, late, m.Receive.Sub(received))
		}
		received = m.Receive
		s := topics[m.Topic]
		if s == nil {
			s = &tally{first: m.Publish}
			topics[m.Topic] = s
		}
		s.count++
		s.bytes += len(m.Data)
		s.last = m.Publish
		bytes += len(m.Data)
	}
	return topics, bytes
}

func TestRobotMixIsWhatItSays(t *testing.T) {
	topics, bytes := count(t, Config{Mix: Robot, Size: 70e6, Topics: 2}) // some 1.1 s
	for name, want := range map[string]struct {
		hz float64
		lo int // bytes of a message, at least
		hi int // and at most
	}{
		"/clock":          {100, 12, 12},
		"/imu":            {200, 320, 328},
		"/joint_states":   {100, 400, 600},
		"/tf":             {50, 100, 120},
		"/scan":           {10, 8000, 8100},
		"/camera_0/image": {30, 1 << 20, 1<<20 + 100},
		"/camera_1/image": {30, 1 << 20, 1<<20 + 100},
	} {
		s := topics[name]
		if s == nil {
			t.Errorf("%s: no messages", name)
			continue
		}
		hz := float64(s.count-1) / s.last.Sub(s.first).Seconds()
		if size := s.bytes / s.count; math.Abs(hz-want.hz) > 1e-3*want.hz || size < want.lo || size > want.hi {
			t.Errorf("%s: %.3f Hz of %d bytes, want %v", name, hz, size, want)
		}
	}
	if share := float64(topics["/camera_0/image"].bytes) / float64(bytes); len(topics) != 7 || share < 0.49 {
		t.Errorf("%d topics; one of two cameras has a share of %.3f", len(topics), share)
	}
	if bytes < 70e6 || bytes > 72e6 {
		t.Errorf("%d bytes, want 70 MB and at most an image more", bytes)
	}
}

func TestSmallMixIsWhatItSays(t *testing.T) {
	topics, bytes := count(t, Config{Mix: Small, Size: 1e6, Topics: 4})
	if len(topics) != 4 || bytes != 1e6 {
		t.Errorf("%d topics, %d bytes", len(topics), bytes)
	}
	for name, s := range topics {
		if s.count != 2500 || s.bytes != 250_000 || s.last.Sub(s.first) != 2499*10*time.Millisecond {
			t.Errorf("%s: %+v", name, *s)
		}
	}
}

func TestImagesAreHalfCompressible(t *testing.T) {
	messages, err := Messages(Config{Mix: Robot, Size: 10e6})
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	var all []byte
	for m := range messages {
		all = append(all, m.Data...)
	}
	if ratio := float64(len(encoder.EncodeAll(all, nil))) / float64(len(all)); ratio < 0.48 || ratio > 0.52 {
		t.Errorf("compresses to %.2f, want 0.50", ratio)
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	dir := t.TempDir()
	sum := func(name string, seed uint64) [32]byte {
		path := filepath.Join(dir, name)
		if err := WriteFile(path, Config{Mix: Robot, Size: 3e6, Seed: seed}, synth.MCAPOptions{Compression: mcap.CompressionZSTD}); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return sha256.Sum256(b)
	}
	if sum("a.mcap", 1) != sum("b.mcap", 1) {
		t.Error("same seed, other bytes")
	}
	if sum("a.mcap", 1) == sum("c.mcap", 2) {
		t.Error("other seed, same bytes")
	}
}

func TestWriteFileGoesByTheName(t *testing.T) {
	for name, magic := range map[string]string{"x.mcap": string(mcap.Magic), "x.db3": "SQLite format 3"} {
		path := filepath.Join(t.TempDir(), name)
		if err := WriteFile(path, Config{Mix: Small, Size: 1000}, synth.MCAPOptions{}); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(b, []byte(magic)) {
			t.Errorf("%s begins with %q, %v", name, b[:16], err)
		}
	}
	err := WriteFile(filepath.Join(t.TempDir(), "x.mcap"), Config{Mix: "big"}, synth.MCAPOptions{})
	if err == nil || !strings.Contains(err.Error(), `"big"`) {
		t.Errorf("unknown mix: %v", err)
	}
}
