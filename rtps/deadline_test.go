package rtps

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

const ms = clock.Mono(time.Millisecond)

// TestTenDeadlinesMissed: 100 ms, samples at 0 and 1.05 s. Those at 0.1, 0.2,
// up to 1.0 s are missed, which makes ten, and the eleventh would be at 1.1 s.
func TestTenDeadlinesMissed(t *testing.T) {
	at := map[string]func(*Deadline) uint64{
		"noticed with the sample": func(d *Deadline) uint64 { return d.Sample(1050 * ms) },
		"noticed by the timer": func(d *Deadline) (n uint64) {
			for d.Next() < 1050*ms {
				n += d.Tick(d.Next())
			}
			return n + d.Sample(1050*ms)
		},
		"noticed late": func(d *Deadline) uint64 { return d.Tick(777*ms) + d.Sample(1050*ms) },
	}
	for name, missed := range at {
		d := Deadline{Period: 100 * time.Millisecond}
		if n := d.Sample(0); n != 0 {
			t.Errorf("%s: %d missed by the first sample", name, n)
		}
		if n := missed(&d); n != 10 {
			t.Errorf("%s: %d missed, want 10", name, n)
		}
		if d.Next() != 1150*ms+1 {
			t.Errorf("%s: the next is %d, want just after 1.15 s", name, d.Next())
		}
	}
}

func TestNoSampleNoDeadline(t *testing.T) {
	for _, d := range []Deadline{{Period: time.Millisecond}, {}} {
		if d.Next() != never || d.Tick(1<<60) != 0 {
			t.Errorf("%+v: something is due that never began", d)
		}
	}
	var none Deadline
	if none.Sample(0)+none.Sample(1<<60) != 0 || none.Next() != never {
		t.Error("without a period something was missed")
	}
}

func TestSampleExactlyAtTheDeadlineIsInTime(t *testing.T) {
	d := Deadline{Period: 10 * time.Millisecond}
	d.Sample(0)
	if n := d.Tick(10*ms) + d.Sample(10*ms); n != 0 {
		t.Errorf("%d missed, want 0", n)
	}
	if n := d.Sample(20*ms + 1); n != 1 {
		t.Errorf("%d missed a nanosecond late, want 1", n)
	}
}

// TestDeadlinesAreThoseOnTheGrid: of the last sample at a, those missed before
// the next at b are the whole periods that end before b, however often and
// whenever somebody looks.
func TestDeadlinesAreThoseOnTheGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := rapid.IntRange(1, 50).Draw(t, "period")
		d := Deadline{Period: time.Duration(period)}
		d.Sample(0)
		now, last, got, want := 0, 0, uint64(0), 0
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			now += rapid.IntRange(0, 200).Draw(t, "later")
			if rapid.Bool().Draw(t, "look") {
				got += d.Tick(clock.Mono(now))
				continue
			}
			got += d.Sample(clock.Mono(now))
			for at := last + period; at < now; at += period {
				want++
			}
			last = now
		}
		if got += d.Sample(clock.Mono(now)); got < uint64(want) {
			t.Fatalf("%d missed, want at least %d", got, want)
		}
		for at := last + period; at < now; at += period {
			want++
		}
		if got != uint64(want) {
			t.Fatalf("%d missed, want %d", got, want)
		}
	})
}
