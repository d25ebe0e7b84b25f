package ctf

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tracetest"
	"github.com/takt-rt/takt/timeline"
)

// A stream of ros2_tracing's events may say anything: addresses of nothing,
// ends without starts, absurd places and periods.
func FuzzSource(f *testing.F) {
	dir := f.TempDir()
	if err := tracetest.Load(dir, tracetest.Options{PacketSize: 4096}, 1, 60); err != nil {
		f.Fatal(err)
	}
	meta, err := os.ReadFile(filepath.Join(dir, "metadata"))
	if err != nil {
		f.Fatal(err)
	}
	stream, err := os.ReadFile(filepath.Join(dir, "ros_0"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(stream)
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		for name, b := range map[string][]byte{"metadata": meta, "ros_0": b} {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(dir, Options{})
		if err != nil {
			return
		}
		defer s.Close()
		var described known
		if _, err := s.Run(context.Background(), &described); err != nil {
			t.Fatal(err)
		}
		if described.unknown > 0 {
			t.Errorf("%d events of entities that are not described", described.unknown)
		}
	})
}

// known counts events of entities that were not described before.
type known struct {
	entities map[timeline.EntityID]bool
	unknown  int
}

func (k *known) Start(timeline.Origin) { k.entities = map[timeline.EntityID]bool{0: true} }

func (k *known) Describe(e timeline.Entity) { k.entities[e.ID] = true }

func (k *known) Events(batch []timeline.Event) {
	for _, e := range batch {
		if !k.entities[e.Entity] || !k.entities[e.Cause.Entity] {
			k.unknown++
		}
	}
}

// Timers of absurd periods neither overflow nor hang.
func TestAbsurdPeriods(t *testing.T) {
	for _, period := range []int64{0, -5, 1, math.MaxInt64, math.MinInt64} {
		w := newWorld(t, tracetest.Options{})
		w.node("8.2.2")
		w.at(made, "rcl_timer_init", 3, period)
		w.ev("rclcpp_timer_callback_added", 3, 4)
		w.job(4, made+ms, made+2*ms)
		w.job(4, made+3*ms, made+4*ms)
		if g := w.read(); len(g.starts) != 1 {
			t.Errorf("period %d: %d callbacks", period, len(g.starts))
		}
	}
}
