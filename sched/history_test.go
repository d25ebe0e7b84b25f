package sched

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A queue is a history of frames and what became of each.
type queue struct {
	t    *testing.T
	h    *History[int]
	lost []int
}

func (q *queue) arrive(frames ...int) {
	for _, f := range frames {
		if lost, overwritten := q.h.Arrive(f); overwritten {
			q.lost = append(q.lost, lost)
		}
	}
}

func (q *queue) wantTaken(want ...int) {
	q.t.Helper()
	var got []int
	for f, ok := q.h.Take(); ok; f, ok = q.h.Take() {
		got = append(got, f)
	}
	if !slices.Equal(got, want) {
		q.t.Errorf("took %d, want %d", got, want)
	}
}

func (q *queue) wantLost(want ...int) {
	q.t.Helper()
	if !slices.Equal(q.lost, want) {
		q.t.Errorf("lost %d, want %d", q.lost, want)
	}
}

func TestKeepLastOverwritesTheOldest(t *testing.T) {
	q := &queue{t: t, h: NewHistory[int](3)}
	q.arrive(1, 2, 3, 4, 5)
	q.wantLost(1, 2)
	q.wantTaken(3, 4, 5)
	q.arrive(6)
	q.wantTaken(6)
	q.wantTaken()
}

func TestDepthOfOneKeepsTheNewest(t *testing.T) {
	q := &queue{t: t, h: NewHistory[int](1)}
	q.arrive(1, 2, 3)
	q.wantLost(1, 2)
	q.wantTaken(3)
}

// KEEP_ALL is a depth of 0; less counts as that.
func TestKeepAllLosesNothing(t *testing.T) {
	for _, depth := range []int{0, -1} {
		q := &queue{t: t, h: NewHistory[int](depth)}
		var all []int
		for f := range 1000 {
			q.arrive(f)
			all = append(all, f)
		}
		if q.h.Len() != 1000 {
			t.Errorf("keeps %d", q.h.Len())
		}
		q.wantLost()
		q.wantTaken(all...)
	}
}

// A history keeps the newest samples in order, and each that arrived was taken,
// was overwritten, or is kept.
func TestHistoryConservesSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.SampledFrom([]int{0, 1, 2, 3, 10, 63, 64, 65, 200}).Draw(t, "depth")
		h := NewHistory[int](depth)
		var kept []int // what a slice would do
		arrived, taken, lost := 0, 0, 0
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			if rapid.IntRange(0, 3).Draw(t, "take") == 0 {
				got, ok := h.Take()
				if ok != (len(kept) > 0) || ok && got != kept[0] {
					t.Fatalf("took %d, %v of %d", got, ok, kept)
				}
				if ok {
					kept = kept[1:]
					taken++
				}
				continue
			}
			old, overwritten := h.Arrive(arrived)
			kept = append(kept, arrived)
			arrived++
			if full := depth > 0 && len(kept) > depth; overwritten != full || full && old != kept[0] {
				t.Fatalf("overwrote %d, %v with %d kept at a depth of %d", old, overwritten, len(kept), depth)
			}
			if overwritten {
				kept = kept[1:]
				lost++
			}
			if h.Len() != len(kept) || arrived != taken+lost+h.Len() {
				t.Fatalf("%d arrived, %d taken, %d lost, %d kept", arrived, taken, lost, h.Len())
			}
		}
	})
}

// Samples that were taken or overwritten are not held on to.
func TestHistoryLetsGo(t *testing.T) {
	h := NewHistory[*int](2)
	for range 5 {
		h.Arrive(new(int))
	}
	h.Take()
	h.Take()
	for _, p := range h.ring {
		if p != nil {
			t.Error("a taken sample is still held")
		}
	}
}

// BenchmarkHistory overwrites and takes, at a full queue.
func BenchmarkHistory(b *testing.B) {
	for _, depth := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			h := NewHistory[int64](depth)
			for n := int64(0); b.Loop(); n++ {
				h.Arrive(n)
				if n%4 == 0 {
					h.Take()
				}
			}
		})
	}
}
