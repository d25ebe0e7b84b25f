package kernel

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
)

// fakeClocks are two clocks of a test: reading both takes width, and wall is
// ahead of mono by offset.
type fakeClocks struct {
	mono   clock.Mono
	offset time.Duration
	widths []time.Duration // of the readings to come; the last one stays
}

func (f *fakeClocks) read() (before clock.Mono, wall clock.Wall, after clock.Mono) {
	width := f.widths[0]
	if len(f.widths) > 1 {
		f.widths = f.widths[1:]
	}
	before = f.mono
	// Asymmetric on purpose: the wall clock is read at the very end.
	f.mono = f.mono.Add(width)
	return before, clock.Wall(int64(f.mono) + int64(f.offset)), f.mono
}

func TestClocksTakeTheNarrowestBracket(t *testing.T) {
	f := &fakeClocks{offset: 1000 * time.Second, widths: []time.Duration{900, 31, 400, 700, 2000}}
	c := newClocks(f.read)
	if got := c.Error(); got != 16 {
		t.Errorf("error %v; half of a bracket of 31 ns, rounded up, is 16 ns", got)
	}
	now := f.mono
	arrived := now.Add(-10 * time.Microsecond)
	got := c.Past(now, clock.Wall(int64(arrived)+int64(f.offset)))
	if d := got.Sub(arrived).Abs(); d > c.Error() {
		t.Errorf("mapped %v off, more than the error %v", d, c.Error())
	}
}

func TestClocksNoticeAStep(t *testing.T) {
	for _, c := range []struct {
		name  string
		step  time.Duration
		after time.Duration // since the offset was measured
		steps uint64
	}{
		{"forward, in the future of now: at once", time.Hour, time.Millisecond, 1},
		{"backward, long ago: at once", -time.Hour, time.Millisecond, 1},
		{"backward by less than the second that a queue may take: when measured anew", -300 * time.Millisecond, time.Second, 1},
		{"virtual clocks drift apart: no step", 50 * time.Microsecond, time.Second, 0},
		{"nothing happened", 0, time.Second, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fakeClocks{offset: 1000 * time.Second, widths: []time.Duration{100}}
			clocks := newClocks(f.read)
			f.mono = f.mono.Add(c.after)
			f.offset += c.step
			arrived, stamp := f.mono, clock.Wall(int64(f.mono)+int64(f.offset))
			f.mono = f.mono.Add(20 * time.Microsecond)

			got := clocks.Past(f.mono, stamp)
			if d := got.Sub(arrived).Abs(); d > clocks.Error() {
				t.Errorf("mapped %v off, more than the error %v", d, clocks.Error())
			}
			n, last := clocks.Steps()
			if n != c.steps {
				t.Errorf("%d steps, want %d", n, c.steps)
			}
			if n > 0 && (last-c.step).Abs() > 2*clocks.Error() {
				t.Errorf("stepped by %v, want %v", last, c.step)
			}
		})
	}
}

func TestPastIsNeverAfterNow(t *testing.T) {
	f := &fakeClocks{widths: []time.Duration{100}}
	c := newClocks(f.read)
	now := f.mono.Add(time.Millisecond)
	if got := c.Past(now, clock.Wall(now.Add(time.Minute))); got != now {
		t.Errorf("a stamp of the future is mapped to %d, want now, %d", got, now)
	}
}

// The wall clock is read between two readings of the other, so the true instant
// is known to lie between them.
func TestClocksKeepTheirError(t *testing.T) {
	c := NewClocks()
	for range 10_000 {
		before, wall, after := bracket()
		got := c.Past(after, wall)
		if n, _ := c.Steps(); n > 0 {
			t.Skip("the clock was set during the test")
		}
		if got < before.Add(-c.Error()) || got > after {
			t.Fatalf("mapped to %d, outside [%d - %v, %d]", got, before, c.Error(), after)
		}
	}
}
