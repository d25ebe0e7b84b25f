package trace

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tracetest"
)

// A seen is what a test notes of an event.
type seen struct {
	at   int64
	cpu  int16
	pid  int64
	proc string
	n    uint64
	text string
}

// eventsOf reads a trace of events "e" with the fields n and text.
func eventsOf(t testing.TB, dir string) (all []seen, gaps []Gap, starts []int64) {
	t.Helper()
	tr, err := Open(dir, Options{Wants: func(string) ([]string, int) { return []string{"n", "text"}, 0 }})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	tr.Each(context.Background(), func(e *Event) {
		if e.Gap != nil {
			gaps = append(gaps, *e.Gap)
			starts = append(starts, e.At)
			return
		}
		all = append(all, seen{e.At, e.CPU, e.PID, string(cut(e.Proc)), e.Uint(0), string(e.Text(1))})
	})
	return all, gaps, starts
}

var layouts = map[string]tracetest.Options{
	"little, large":   {PacketSize: 512},
	"little, compact": {PacketSize: 512, Compact: true},
	"big, large":      {PacketSize: 512, BigEndian: true},
	"big, compact":    {PacketSize: 512, BigEndian: true, Compact: true},
}

var who = tracetest.Thread{Proc: "talker", PID: 7, TID: 8}

// write lays a trace out whose streams get what fill gives them.
func write(t testing.TB, opt tracetest.Options, streams int, fill func(s []*tracetest.Stream, e int)) string {
	t.Helper()
	dir := t.TempDir()
	w := tracetest.New(dir, opt)
	e := w.Define("e", "n u64", "text string")
	var all []*tracetest.Stream
	for cpu := range streams {
		all = append(all, w.Stream(cpu))
	}
	fill(all, e)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Whatever the layout, events come in the order of time over all streams, with
// clocks that count on over many packets, and gaps of time longer than their
// low bits count.
func TestEventsOfEveryLayout(t *testing.T) {
	for name, opt := range layouts {
		t.Run(name, func(t *testing.T) {
			var want []seen
			dir := write(t, opt, 3, func(s []*tracetest.Stream, e int) {
				at := uint64(5_000_000_000)
				for i := range 300 {
					cpu := i * i % 3
					at += []uint64{1, 1000, 1 << 20, 1<<27 - 1, 1 << 27, 1<<32 - 1, 1 << 32, 1 << 40}[i%8]
					text := strings.Repeat("x", i%50)
					s[cpu].Event(at, e, who, uint64(i)<<50, text)
					want = append(want, seen{int64(at), int16(cpu), 7, "talker", uint64(i) << 50, text})
				}
			})
			got, gaps, _ := eventsOf(t, dir)
			if !slices.Equal(got, want) || len(gaps) > 0 {
				t.Errorf("%d events of %d, or others; gaps %v", len(got), len(want), gaps)
			}
		})
	}
}

// An event may be longer than the window that is read at once, and lie over
// its end.
func TestEventsLongerThanTheWindow(t *testing.T) {
	lengths := []int{10, windowSize - 100, windowSize, windowSize + 1, 5 * windowSize, 10}
	dir := write(t, tracetest.Options{PacketSize: 8 * windowSize}, 1, func(s []*tracetest.Stream, e int) {
		for i, n := range lengths {
			s[0].Event(uint64(1000+i), e, who, i, strings.Repeat("x", n))
		}
	})
	got, gaps, _ := eventsOf(t, dir)
	if len(got) != len(lengths) || len(gaps) > 0 {
		t.Fatalf("%d events, gaps %v", len(got), gaps)
	}
	for i, n := range lengths {
		if len(got[i].text) != n || got[i].n != uint64(i) {
			t.Errorf("event %d: number %d, %d bytes, want %d", i, got[i].n, len(got[i].text), n)
		}
	}
}

func TestEventsThatTheTracerDiscarded(t *testing.T) {
	dir := write(t, tracetest.Options{}, 1, func(s []*tracetest.Stream, e int) {
		s[0].Event(1000, e, who, 1, "")
		s[0].Event(1100, e, who, 2, "")
		s[0].Flush()
		s[0].Discard(5)
		s[0].Event(2000, e, who, 3, "")
		s[0].Event(2100, e, who, 4, "")
		s[0].Flush()
		s[0].Event(3000, e, who, 5, "")
	})
	got, gaps, starts := eventsOf(t, dir)
	if len(got) != 5 || len(gaps) != 1 {
		t.Fatalf("%d events, gaps %v", len(got), gaps)
	}
	if g := gaps[0]; g.Why != Discarded || g.Count != 5 || starts[0] != 1100 || g.Until != 2100 {
		t.Errorf("gap from %d: %+v", starts[0], g)
	}
}

// The count in the first packet tells of events before it only if it is the
// first of all.
func TestDiscardedBeforeTheFirstPacket(t *testing.T) {
	for skip, want := range []int{1, 0} {
		dir := write(t, tracetest.Options{}, 1, func(s []*tracetest.Stream, e int) {
			s[0].Skip(uint64(skip))
			s[0].Discard(5)
			s[0].Event(1000, e, who, 1, "")
		})
		if _, gaps, _ := eventsOf(t, dir); len(gaps) != want {
			t.Errorf("packet number %d: gaps %v", skip, gaps)
		}
	}
}

func TestPacketsThatAreMissing(t *testing.T) {
	dir := write(t, tracetest.Options{}, 1, func(s []*tracetest.Stream, e int) {
		s[0].Event(1000, e, who, 1, "")
		s[0].Flush()
		s[0].Skip(3)
		s[0].Event(2000, e, who, 2, "")
	})
	got, gaps, starts := eventsOf(t, dir)
	if len(got) != 2 || len(gaps) != 1 {
		t.Fatalf("%d events, gaps %v", len(got), gaps)
	}
	if g := gaps[0]; g.Why != Missing || g.Count != 3 || starts[0] != 1000 || g.Until != 2000 {
		t.Errorf("gap from %d: %+v", starts[0], g)
	}
}

// twoPackets writes two packets of four events each, and returns their stream.
func twoPackets(t testing.TB) (dir, file string, b []byte) {
	dir = write(t, tracetest.Options{PacketSize: 1024}, 1, func(s []*tracetest.Stream, e int) {
		for i := range 8 {
			if i == 4 {
				s[0].Flush()
			}
			s[0].Event(uint64(1000+i), e, who, i, "text")
		}
	})
	file = filepath.Join(dir, "ros_0")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return dir, file, b
}

// Where a packet says how large it is: header 4+16+4+8, then two instants.
const (
	atContent = 32 + 16
	atPacket  = atContent + 8
)

// A file that ends early gives what is whole; what says of itself what cannot
// be is passed over, up to the next packet if it is known where that begins.
func TestDamage(t *testing.T) {
	set := func(at int, bits uint64) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint64(b[at:], bits); return b }
	}
	for _, c := range []struct {
		name   string
		damage func(b []byte) []byte
		events int
		why    Why
		err    string
	}{
		{"cut in the second packet", func(b []byte) []byte { return b[:1024+84+44+30] }, 5, CutOff, "packet at byte 1024: it has 1024 bytes, and the file ends after 158"},
		{"cut in the header", func(b []byte) []byte { return b[:1024+50] }, 4, Damaged, "packet at byte 1024"},
		{"cut in the first packet", func(b []byte) []byte { return b[:84] }, 0, CutOff, "the file ends after 84"},
		{"size zero", set(1024+atPacket, 0), 4, Damaged, "says that"},
		{"absurd size", set(1024+atPacket, math.MaxUint64-7), 8, CutOff, "the file ends after 1024"},
		{"size of half a byte", set(1024+atPacket, 8*1024+4), 4, Damaged, "says that"},
		{"absurd size, absurd content", func(b []byte) []byte {
			set(1024+atPacket, 1<<62)(b)
			return set(1024+atContent, 1<<62)(b)
		}, 8, CutOff, "the file ends after 1024"},
		{"more content than packet", set(atContent, 8*2048), 0, Damaged, "says that"},
		{"less content than header", set(atContent, 8), 0, Damaged, "says that"},
		{"no magic", func(b []byte) []byte { b[1024] ^= 0xff; return b }, 4, Damaged, "no packet begins here"},
		{"another trace", func(b []byte) []byte { b[1024+4] ^= 0xff; return b }, 4, Damaged, "of another trace"},
		{"another stream", func(b []byte) []byte { b[1024+20] = 9; return b }, 4, Damaged, "of kind 9"},
		{"unknown event", func(b []byte) []byte { b[84] = 200; return b }, 4, Damaged, "of kind 200"},
		{"event beyond the content", set(atContent, 8*(84+50)), 5, Damaged, "does not fit"},
		{"not a stream", func([]byte) []byte { return []byte("hello") }, 0, Damaged, "packet at byte 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, file, b := twoPackets(t)
			if err := os.WriteFile(file, c.damage(b), 0o666); err != nil {
				t.Fatal(err)
			}
			got, gaps, _ := eventsOf(t, dir)
			if len(gaps) != 1 || gaps[0].Why != c.why || !strings.Contains(gaps[0].Err.Error(), c.err) {
				t.Fatalf("gaps %+v, want why %d, %q", gaps, c.why, c.err)
			}
			if len(got) != c.events {
				t.Errorf("%d events, want %d", len(got), c.events)
			}
		})
	}
}

// Memory is that of the windows, whatever the packets' size.
func TestAllocationsDoNotGrowWithTheTrace(t *testing.T) {
	allocs := func(events int) float64 {
		dir := t.TempDir()
		if err := tracetest.Load(dir, tracetest.Options{PacketSize: 1 << 20}, 2, events); err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(2, func() {
			tr, err := Open(dir, Options{Wants: func(string) ([]string, int) { return []string{"callback", "message"}, 0 }})
			if err != nil {
				t.Fatal(err)
			}
			defer tr.Close()
			tr.Each(context.Background(), func(*Event) {})
		})
	}
	if few, many := allocs(5_000), allocs(50_000); many > few+100 {
		t.Errorf("%v allocations for 5,000 events, %v for ten times as many", few, many)
	}
}
