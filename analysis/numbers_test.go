package analysis

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/timeline"
)

func TestLateNumbers(t *testing.T) {
	var n numbers
	for _, s := range []struct {
		number uint64
		at, by time.Duration
		late   bool
	}{
		{number: 7, at: 0}, // what came before the observer leaves no gap
		{number: 8, at: 10 * ms},
		{number: 12, at: 20 * ms},
		{number: 10, at: 35 * ms, by: 15 * ms, late: true},
		{number: 10, at: 36 * ms}, // a repeat
		{number: 13, at: 37 * ms},
		{number: 9, at: 40 * ms, by: 20 * ms, late: true},
		{number: 11, at: 50 * ms, by: 30 * ms, late: true},
		{number: 6, at: 60 * ms},
	} {
		by, late := n.take(s.number, timeline.Instant(s.at))
		if by != s.by || late != s.late {
			t.Errorf("number %d: late %v by %v, want %v by %v", s.number, late, by, s.late, s.by)
		}
	}
	if len(n.gaps) > 0 {
		t.Errorf("gaps left: %v", n.gaps)
	}
}

// Whatever comes, a number is late once at most, and memory stays bounded.
func TestNumbersAreLateOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var n numbers
		late := map[uint64]bool{}
		for i, number := range rapid.SliceOf(rapid.Uint64Range(1, 300)).Draw(t, "numbers") {
			by, isLate := n.take(number, timeline.Instant(i))
			if isLate && (late[number] || by <= 0) {
				t.Fatalf("number %d late by %v, late before: %v", number, by, late[number])
			}
			late[number] = true
			if len(n.gaps) > numberGaps {
				t.Fatalf("%d gaps", len(n.gaps))
			}
		}
	})
}
