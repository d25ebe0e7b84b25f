package wire

import (
	"math"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"pgregory.net/rapid"
)

// 100 ms is 00 00 00 00 9a 99 99 19 on the wire of both vendors: 0x1999999a is
// 429496730, the next integer above 0.1 * 2^32 = 429496729.6.
func TestDuration(t *testing.T) {
	for _, c := range []struct {
		std  time.Duration
		wire Duration
	}{
		{0, Duration{}},
		{100 * time.Millisecond, Duration{0, 0x1999999a}},
		{10 * time.Second, Duration{10, 0}},
		{500 * time.Millisecond, Duration{0, 0x80000000}},
		{-500 * time.Millisecond, Duration{-1, 0x80000000}},
		{math.MaxInt64, Infinite},
	} {
		if got := DurationOf(c.std); got != c.wire {
			t.Errorf("%v: got %v, want %v", c.std, got, c.wire)
		}
		if got := c.wire.Std(); got != c.std {
			t.Errorf("%v: got %v, want %v", c.wire, got, c.std)
		}
	}
	if got := DurationOf(math.MinInt64); got != (Duration{math.MinInt32, 0}) {
		t.Errorf("the lowest: %v", got)
	}
}

// Cyclone DDS sent 0x1a86c177: floor(0x1a86c177 * 1e9 / 2^32), worked out apart, is 103618709.
func TestTimestamp(t *testing.T) {
	ts := Timestamp{1796172607, 0x1a86c177}
	if got := ts.Wall(); got != 1796172607_103618709 {
		t.Errorf("got %d", got)
	}
	if got := TimestampOf(1796172607_500000000); got != (Timestamp{1796172607, 0x80000000}) {
		t.Errorf("got %v", got)
	}
	for _, w := range []clock.Wall{-1, math.MinInt64, (math.MaxUint32 + 1) * second, math.MaxInt64} {
		if got := TimestampOf(w); got != InvalidTimestamp {
			t.Errorf("%v: got %v", w, got)
		}
	}
}

func TestNanosecondsSurviveTheWire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := clock.Wall(rapid.Int64Range(0, math.MaxUint32*second+second-1).Draw(t, "wall"))
		if got := TimestampOf(w).Wall(); got != w {
			t.Fatalf("%d came back as %d", w, got)
		}
		d := time.Duration(rapid.Int64Range(math.MinInt32*second, math.MaxInt32*second).Draw(t, "duration"))
		if got := DurationOf(d).Std(); got != d {
			t.Fatalf("%d came back as %d", d, got)
		}
	})
}
