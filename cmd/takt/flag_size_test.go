package main

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSize(t *testing.T) {
	for _, c := range []struct {
		text string
		want size
		back string
	}{
		{"64MB", 64_000_000, "64MB"},
		{"0B", 0, "0B"},
		{"1.5kB", 1500, "1500B"},
		{"64MiB", 67_108_864, "64MiB"},
		{"3GiB", 3_221_225_472, "3GiB"},
		{"2000MB", 2_000_000_000, "2GB"},
		{"512B", 512, "512B"},
	} {
		var s size
		if err := s.Set(c.text); err != nil || s != c.want || s.String() != c.back {
			t.Errorf("%s: %d, %s, %v", c.text, s, s.String(), err)
		}
	}
}

func TestSizeThatIsNone(t *testing.T) {
	for text, want := range map[string]string{
		"64":              "write it like 64MB",
		"":                "write it like 64MB",
		"64mb":            "write it like 64MB",
		"-1MB":            "-1",
		"0.5B":            "not a whole number of bytes",
		"10000000000GB":   "below 9.2 EB",
		"MB":              "",
		"1e400000000MB":   "",
		"0x10MB":          "",
		"64 000 000 000B": "",
	} {
		var s size
		if err := s.Set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d, %v", text, s, err)
		}
	}
}

func TestSizeReadsBackWhatItWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := size(rapid.Int64Range(0, math.MaxInt64).Draw(t, "bytes"))
		var back size
		if err := back.Set(s.String()); err != nil || back != s {
			t.Fatalf("%d is written as %s and read as %d, %v", s, s.String(), back, err)
		}
	})
}
