package file

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"
	"testing"

	"github.com/takt-rt/takt/timeline"
)

// Batches of 16 are a live graph's that is written often, batches of 1024 a recording's.
func BenchmarkWrite(b *testing.B) {
	for _, size := range []int{16, 1024} {
		b.Run("batch="+strconv.Itoa(size), func(b *testing.B) {
			events := robotEvents(1 << 15)
			out := &counter{}
			w, err := NewWriter(out, Options{})
			if err != nil {
				b.Fatal(err)
			}
			w.Start(timeline.Origin{})
			b.ReportAllocs()
			before, n := out.n, 0
			for b.Loop() {
				i := n % len(events)
				w.Events(events[i : i+size])
				n += size
			}
			if w.Err() != nil {
				b.Fatal(w.Err())
			}
			perEvent(b, n, out.n-before)
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, size := range []int{16, 1024} {
		b.Run("batch="+strconv.Itoa(size), func(b *testing.B) {
			var file bytes.Buffer
			w, err := NewWriter(&file, Options{})
			if err != nil {
				b.Fatal(err)
			}
			w.Start(timeline.Origin{})
			events := robotEvents(1 << 17)
			for batch := range slices.Chunk(events, size) {
				w.Events(batch)
			}
			if err := w.Close(timeline.Outcome{}); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if _, err := Read(context.Background(), bytes.NewReader(file.Bytes()), discard{}); err != nil {
					b.Fatal(err)
				}
				n += len(events)
			}
			perEvent(b, n, n/len(events)*file.Len())
		})
	}
}

func BenchmarkBatch(b *testing.B) {
	events := robotEvents(1024)
	var c codec
	packed := c.appendBatch(nil, events)
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			packed = c.appendBatch(packed[:0], events)
			n += len(events)
		}
		perEvent(b, n, n/len(events)*len(packed))
	})
	b.Run("parse", func(b *testing.B) {
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			var err error
			if events, err = c.parseBatch(packed, events); err != nil {
				b.Fatal(err)
			}
			n += len(events)
		}
		perEvent(b, n, n/len(events)*len(packed))
	})
}

func perEvent(b *testing.B, events, bytes int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
	b.ReportMetric(float64(bytes)/float64(events), "B/event")
}

type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p)
	return io.Discard.Write(p)
}

type discard struct{}

func (discard) Start(timeline.Origin)    {}
func (discard) Describe(timeline.Entity) {}
func (discard) Events([]timeline.Event)  {}
