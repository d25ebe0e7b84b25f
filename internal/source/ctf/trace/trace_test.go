package trace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tracetest"
	"github.com/takt-rt/takt/internal/source/ctf/trace/tsdl"
)

// put writes a file, with the directories above it.
func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsNoTrace(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "bag", "metadata.yaml"), "rosbag2_bagfile_information:")
	put(t, filepath.Join(dir, "other", "metadata"), "name: something else")
	put(t, filepath.Join(dir, "alone", "metadata"), "/* CTF 1.8 */")
	put(t, filepath.Join(dir, "broken", "metadata"), "/* CTF 1.8 */\ntrace {")
	put(t, filepath.Join(dir, "broken", "s_0"), "x")
	put(t, filepath.Join(dir, "large", "metadata"), "/* CTF 1.8 */"+strings.Repeat(" ", tsdl.MaxSize))
	put(t, filepath.Join(dir, "deep", strings.Repeat("a/", 20), "metadata"), "/* CTF 1.8 */")
	for name, want := range map[string]string{
		"bag": "holds no file called metadata", "other": "holds no file called metadata", "deep": "holds no file called metadata",
		"alone": "no streams beside it", "broken": "metadata line 2: the end stands where", "large": "16777229 bytes of metadata",
	} {
		path := filepath.Join(dir, name)
		_, err := Open(path, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		if no := strings.HasPrefix(want, "holds no"); Is(path) == no || errors.Is(err, ErrNotTrace) != no {
			t.Errorf("%s: taken for a trace: %v", name, Is(path))
		}
	}
	if Is(filepath.Join(dir, "nowhere")) {
		t.Error("what is not there is taken for a trace")
	}
}

// More streams than are kept open are read one window at a time.
func TestManyStreams(t *testing.T) {
	dir := write(t, tracetest.Options{PacketSize: 256}, maxOpen+20, func(s []*tracetest.Stream, e int) {
		for i := range 3 {
			for cpu := range s {
				s[cpu].Event(uint64(1000+i*len(s)+cpu), e, who, i, "")
			}
		}
	})
	got, gaps, _ := eventsOf(t, dir)
	if len(got) != 3*(maxOpen+20) || len(gaps) > 0 {
		t.Fatalf("%d events, gaps %v", len(got), gaps)
	}
	for i, e := range got {
		if e.at != int64(1000+i) {
			t.Fatalf("event %d at %d", i, e.at)
		}
	}
}

// rewrite puts the metadata of a trace as text, changed.
func rewrite(t *testing.T, opt tracetest.Options, old, text string) (dir string) {
	dir = t.TempDir()
	w := tracetest.New(dir, opt)
	e := w.Define("e", "n u64", "text string")
	w.Stream(0).Event(5_000_000, e, who, 1, "x")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(w.Metadata(), old) {
		t.Fatalf("the metadata has no %s", old)
	}
	put(t, filepath.Join(dir, "metadata"), strings.ReplaceAll(w.Metadata(), old, text))
	return dir
}

func clockAndEvent(t *testing.T, dir string) (c Clock, at int64) {
	t.Helper()
	tr, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	tr.Each(context.Background(), func(e *Event) { at = e.At })
	return tr.Clock, at
}

func TestClocks(t *testing.T) {
	wall := fmt.Sprintf("offset = %d;", int64(tracetest.Offset))
	for _, c := range []struct {
		name, old, text string
		want            Clock
		at              int64
	}{
		{"monotonic", wall, wall, Clock{true, "01234567-89ab-cdef-0123-456789abcdef", tracetest.Offset}, 5_000_000},
		{"seconds and counts", wall, "offset_s = 100; offset = 7;", Clock{true, "01234567-89ab-cdef-0123-456789abcdef", 100_000_000_007}, 5_000_000},
		{"no UUID", `uuid = "01234567-89ab-cdef-0123-456789abcdef";`, "", Clock{true, "", tracetest.Offset}, 5_000_000},
		// 5,000,000 counts of 1 MHz are 5 s.
		{"1 MHz", "freq = 1000000000; /* Hz */\n\t" + wall, "freq = 1000000; offset = 3000000;", Clock{true, "01234567-89ab-cdef-0123-456789abcdef", 3_000_000_000}, 5_000_000_000},
		// Of another clock instants are on the wall clock.
		{"another clock", "monotonic", "tai", Clock{}, tracetest.Offset + 5_000_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, at := clockAndEvent(t, rewrite(t, tracetest.Options{}, c.old, c.text))
			if c.name == "another clock" {
				got.Boot = ""
			}
			if got != c.want || at != c.at {
				t.Errorf("%+v at %d, want %+v at %d", got, at, c.want, c.at)
			}
		})
	}
}

// Traces of two boots have no monotonic clock in common.
func TestTracesOfTwoBoots(t *testing.T) {
	dir := t.TempDir()
	for i, uuid := range []string{"01234567-89ab-cdef-0123-456789abcdef", "ffffffff-89ab-cdef-0123-456789abcdef"} {
		one := rewrite(t, tracetest.Options{}, "01234567-89ab-cdef-0123-456789abcdef", uuid)
		if err := os.Rename(one, filepath.Join(dir, fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	c, at := clockAndEvent(t, dir)
	if c.Monotonic || at != tracetest.Offset+5_000_000 {
		t.Errorf("%+v, event at %d", c, at)
	}
}

func TestCountsAreNanoseconds(t *testing.T) {
	for _, c := range []struct {
		n, freq uint64
		want    int64
	}{
		{5, 1e9, 5},
		{1, 3, 333_333_333},
		{3_000_000_000 * 3600, 3e9, 3600e9},
		{math.MaxUint64, 1e9, math.MaxInt64},
		{math.MaxUint64, 1, math.MaxInt64},
		{math.MaxUint64, math.MaxUint64, 1e9},
	} {
		if got := counts(c.n, c.freq); got != c.want {
			t.Errorf("%d counts at %d Hz: %d ns, want %d", c.n, c.freq, got, c.want)
		}
	}
}

// A trace of one process alone says in its env which it is.
func TestTraceOfOneProcess(t *testing.T) {
	dir := rewrite(t, tracetest.Options{NoContext: true}, `hostname = "robot";`, `hostname = "robot"; vpid = 42; procname = "talker";`)
	got, _, _ := eventsOf(t, dir)
	if len(got) != 1 || got[0].pid != 42 || got[0].proc != "talker" {
		t.Errorf("%+v", got)
	}
}

// An event that takes no room would have no end.
func TestEventsOfNoSize(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "metadata"), "/* CTF 1.8 */ event { name = e; };")
	put(t, filepath.Join(dir, "s"), "x")
	_, gaps, _ := eventsOf(t, dir)
	if len(gaps) != 1 || gaps[0].Why != Damaged || !strings.Contains(gaps[0].Err.Error(), "no room") {
		t.Errorf("gaps %+v", gaps)
	}
}
