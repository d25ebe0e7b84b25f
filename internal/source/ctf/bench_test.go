package ctf

import (
	"errors"
	"fmt"
	"os/exec"
	"testing"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/source/ctf/trace/tracetest"
	"github.com/takt-rt/takt/timeline"
)

// loadEvents is how many events the traces of benchmarks have.
const loadEvents = 2_000_000

type nothing struct{}

func (nothing) Start(timeline.Origin)    {}
func (nothing) Describe(timeline.Entity) {}
func (nothing) Events([]timeline.Event)  {}

// BenchmarkTrace reads a trace of four CPUs: into a timeline that nobody looks
// at, with the analysis behind it, and with babeltrace2 into nothing.
func BenchmarkTrace(b *testing.B) {
	dir := b.TempDir()
	if err := tracetest.Load(dir, tracetest.Options{PacketSize: 512 << 10}, 4, loadEvents); err != nil {
		b.Fatal(err)
	}
	for _, to := range []string{"nothing", "analysis"} {
		b.Run(fmt.Sprintf("reader=takt/to=%s", to), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := Open(dir, Options{})
				if err != nil {
					b.Fatal(err)
				}
				var sink timeline.Sink = nothing{}
				if to == "analysis" {
					sink = analysis.New(analysis.Options{})
				}
				if _, err := s.Run(b.Context(), sink); err != nil {
					b.Fatal(err)
				}
				s.Close()
			}
			perEvent(b)
		})
	}
	b.Run("reader=babeltrace2/to=nothing", func(b *testing.B) {
		if _, err := exec.LookPath("babeltrace2"); errors.Is(err, exec.ErrNotFound) {
			b.Skip("babeltrace2 is not installed: apt-get install babeltrace2")
		}
		for b.Loop() {
			if out, err := exec.Command("babeltrace2", dir, "--component=sink.utils.dummy").CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
		}
		perEvent(b)
	})
}

func perEvent(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/loadEvents, "ns/event")
	b.ReportMetric(0, "ns/op")
}
