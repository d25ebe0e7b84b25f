package kernel

import (
	"testing"
	"time"
)

func TestNowIsTheMonotonicClock(t *testing.T) {
	const slack = 100 * time.Microsecond // the constant error of the process, generously
	for range 1000 {
		before, now, after := monotonic(), Now(), monotonic()
		if now < before.Add(-slack) || now > after.Add(slack) {
			t.Fatalf("Now is %d between readings of CLOCK_MONOTONIC %d and %d", now, before, after)
		}
	}
}

func BenchmarkNow(b *testing.B) {
	for b.Loop() {
		Now()
	}
}
