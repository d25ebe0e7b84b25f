package rows

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/takt-rt/takt/timeline"
)

const million = 1_000_000

// many writes n rows of two callbacks, and returns the path. One callback after
// the other ("apart") needs all rows to be held.
func many(tb testing.TB, form string, n int) string {
	tb.Helper()
	var text []byte
	if form != "jsonl" {
		text = append(text, "start_mono_ns,start_ros_ns,end_mono_ns,end_ros_ns,mark,name\n"...)
	}
	for i := range n {
		at, name := i, [2]string{"plan", "control"}[i%2]
		if form == "csv-apart" {
			at, name = i%(n/2)*2+i/(n/2), [2]string{"plan", "control"}[i/(n/2)]
		}
		start := 5_000_000_000_000 + at*10_000_000
		ros := 1_000_000_000 + at*10_000_000
		if form == "jsonl" {
			text = fmt.Appendf(text, `{"start_mono_ns": %d, "start_ros_ns": %d, "end_mono_ns": %d, "end_ros_ns": %d, "mark": false, "name": %q}`+"\n",
				start, ros, start+300_000, ros, name)
		} else {
			text = fmt.Appendf(text, "%d,%d,%d,%d,False,%s\n", start, ros, start+300_000, ros, name)
		}
	}
	path := filepath.Join(tb.TempDir(), "rows")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		tb.Fatal(err)
	}
	return path
}

// A counter counts events.
type counter struct{ n int }

func (c *counter) Start(timeline.Origin)         {}
func (c *counter) Describe(timeline.Entity)      {}
func (c *counter) Events(batch []timeline.Event) { c.n += len(batch) }

func runAll(tb testing.TB, path string, rows int) {
	tb.Helper()
	s, err := Open(path, nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer s.Close()
	var c counter
	if _, err := s.Run(context.Background(), &c); err != nil || c.n != 2*rows {
		tb.Fatalf("%d events, %v", c.n, err)
	}
}

func TestManyRows(t *testing.T) {
	for form, n := range map[string]int{"csv": million, "csv-apart": 100_000, "jsonl": 100_000} {
		t.Run(form, func(t *testing.T) { runAll(t, many(t, form, n), n) })
	}
}

// BenchmarkRun reads a million rows, to the events.
func BenchmarkRun(b *testing.B) {
	for _, form := range []string{"csv", "csv-apart", "jsonl"} {
		b.Run("form="+form, func(b *testing.B) {
			path := many(b, form, million)
			b.ReportAllocs()
			for b.Loop() {
				runAll(b, path, million)
			}
		})
	}
}
