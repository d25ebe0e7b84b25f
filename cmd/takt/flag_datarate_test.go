package main

import "testing"

func TestDataRate(t *testing.T) {
	for _, c := range []struct {
		text string
		want dataRate
		back string
	}{
		{"5MB/s", 5_000_000, "5MB/s"},
		{"500kB/s", 500_000, "500kB/s"},
		{"1.5GB/s", 1_500_000_000, "1500MB/s"},
		{"20B/s", 20, "20B/s"},
	} {
		var r dataRate
		if err := r.Set(c.text); err != nil || r != c.want || r.String() != c.back {
			t.Errorf("%s is %d, written %s, %v; want %d", c.text, r, r.String(), err, c.want)
		}
	}
	for _, text := range []string{"", "5", "5MB", "MB/s", "0MB/s", "-1MB/s", "NaNB/s", "1e300GB/s", "5 m/s"} {
		var r dataRate
		if err := r.Set(text); err == nil {
			t.Errorf("%q is taken for %d", text, r)
		}
	}
}
