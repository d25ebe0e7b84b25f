package model

import (
	"strings"
	"testing"
)

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"rate", "rate", 0},
		{"rte", "rate", 1},
		{"raate", "rate", 1},
		{"rote", "rate", 1},
		{"arte", "rate", 1},
		{"", "rate", 4},
		{"kitten", "sitting", 3}, // the textbook's
		{"ca", "abc", 3},         // where optimal string alignment and Damerau-Levenshtein part
	} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"rate", "max_age", "max_gap"}
	for misspelt, want := range map[string]string{
		"rte":                     "rate",
		"max-age":                 "max_age",
		"max_gae":                 "max_age or max_gap",
		"maximum_age":             "rate, max_age or max_gap",
		strings.Repeat("x", 1000): "rate, max_age or max_gap",
	} {
		if got := nearest(misspelt, words); got != want {
			t.Errorf("%q: %s, want %s", misspelt, got, want)
		}
	}
}
