package bench

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/foxglove/mcap/go/mcap"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/source"
	"github.com/takt-rt/takt/internal/synth"
	"github.com/takt-rt/takt/timeline"
)

// recordings are the files to read, by name; each is written once.
var recordings = map[string]func(path string) error{
	"small": func(path string) error {
		return WriteFile(path, Config{Mix: Small, Size: 100 << 20, Topics: 10}, synth.MCAPOptions{Compression: "zstd"})
	},
	"robot": func(path string) error {
		return WriteFile(path, Config{Mix: Robot, Size: 200 << 20}, synth.MCAPOptions{Compression: "zstd"})
	},
}

var folder = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "takt-bench")
	if err != nil {
		panic(err)
	}
	return dir
})

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(folder())
	os.Exit(code)
}

func recording(b *testing.B, mix string) (path string, size int64) {
	b.Helper()
	path = filepath.Join(folder(), mix+".mcap")
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		err = recordings[mix](path)
	}
	if err == nil {
		info, err = os.Stat(path)
	}
	if err != nil {
		b.Fatal(err)
	}
	return path, info.Size()
}

// BenchmarkRead reads a recording whole: with foxglove's reader, which gives
// every message and the loop drops it; with takt to events with their stamps,
// which are dropped; and with takt to the figures.
func BenchmarkRead(b *testing.B) {
	for _, mix := range []string{"small", "robot"} {
		for _, r := range []struct {
			name string
			read func(path string) (messages uint64, err error)
		}{
			{"foxglove", drop},
			{"takt-events", events},
			{"takt-stamps", func(path string) (uint64, error) { return figures(path, source.Options{}) }},
			{"takt-times", func(path string) (uint64, error) { return figures(path, source.Options{TimesOnly: true}) }},
		} {
			b.Run("mix="+mix+"/reader="+r.name, func(b *testing.B) {
				path, size := recording(b, mix)
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					n, err := r.read(path)
					if err != nil || n == 0 {
						b.Fatalf("%d messages, %v", n, err)
					}
				}
			})
		}
	}
}

// drop reads every message with the reader's cheapest call and drops it.
func drop(path string) (n uint64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r, err := mcap.NewReader(f)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	messages, err := r.Messages()
	if err != nil {
		return 0, err
	}
	var m mcap.Message
	for {
		if _, _, _, err := messages.NextInto(&m); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return n, err
		}
		n++
	}
}

// events reads a recording to a sink that only counts.
func events(path string) (uint64, error) {
	s, err := source.Open(path, source.Options{})
	if err != nil {
		return 0, err
	}
	defer s.Close()
	var n counter
	_, err = s.Run(context.Background(), &n)
	return uint64(n), err
}

type counter uint64

func (*counter) Start(timeline.Origin)       {}
func (*counter) Describe(timeline.Entity)    {}
func (c *counter) Events(b []timeline.Event) { *c += counter(len(b)) }

func figures(path string, opt source.Options) (uint64, error) {
	s, err := source.Open(path, opt)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	a := analysis.New(analysis.Options{})
	sink, wait := timeline.Async(a)
	_, err = s.Run(context.Background(), sink)
	wait()
	if err != nil {
		return 0, err
	}
	f, _ := a.Figures()
	return f.Messages, nil
}
