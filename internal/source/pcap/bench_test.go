package pcap

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/takt-rt/takt/timeline"
)

type nowhere struct{}

func (nowhere) Start(timeline.Origin)    {}
func (nowhere) Describe(timeline.Entity) {}
func (nowhere) Events([]timeline.Event)  {}

// Reading a capture into a timeline, from memory.
func BenchmarkCapture(b *testing.B) {
	for _, name := range []string{"half_speed_clock_and_topics", "image_640x480"} {
		b.Run("file="+name, func(b *testing.B) {
			whole, err := os.ReadFile(filepath.Join(captures, name+".pcap"))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(whole)))
			b.ReportAllocs()
			for b.Loop() {
				r := newRun(name, Options{}, nowhere{})
				if _, err := Read(bytes.NewReader(whole), r.take); err != nil {
					b.Fatal(err)
				}
				r.finish()
			}
		})
	}
}
