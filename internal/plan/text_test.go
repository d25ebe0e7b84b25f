package plan

import (
	"testing"
)

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		ids  []int64
		want string
	}{
		{nil, ""},
		{[]int64{3}, "3"},
		{[]int64{0, 1, 2, 3, 7, 11, 12}, "0-3, 7, 11-12"},
		{[]int64{0, 2, 4, 6}, "0, 2, 4, ..."},
	} {
		if got := ranges(c.ids, 3); got != c.want {
			t.Errorf("%v: %q, want %q", c.ids, got, c.want)
		}
	}
}

func TestShort(t *testing.T) {
	for s, want := range map[float64]string{0: "0 s", 0.0625: "62.5 ms", 240: "240 s", 0.28125: "281.25 ms", 1.2: "1.2 s", 0.0007: "700 µs"} {
		if got := short(s); got != want {
			t.Errorf("%v: %q, want %q", s, got, want)
		}
	}
}
