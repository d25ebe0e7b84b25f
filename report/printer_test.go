package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		prose string
		width int
		want  []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"a_word_that_is_longer one", 5, []string{"a_word_that_is_longer", "one"}},
		{"of 100 ms each", 6, []string{"of", "100 ms", "each"}}, // a figure keeps its unit
		{"of 100 ms; each", 7, []string{"of", "100 ms;", "each"}},
		{"", 5, nil},
	} {
		if diff := cmp.Diff(test.want, wrap(test.prose, test.width)); diff != "" {
			t.Errorf("wrap(%q, %d) (-want +got):\n%s", test.prose, test.width, diff)
		}
	}
}

// Wrapping loses and invents nothing but space.
func TestWrapKeepsTheWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prose := rapid.String().Draw(t, "prose")
		lines := wrap(prose, rapid.IntRange(-5, 60).Draw(t, "width"))
		got, want := strings.Fields(strings.Join(lines, " ")), strings.Fields(prose)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s", diff)
		}
	})
}

func TestMiddle(t *testing.T) {
	for _, test := range []struct {
		s    string
		n    int
		want string
	}{
		{"/imu", 4, "/imu"},
		{"/parameter_events", 9, "/par…ents"},
		{"/parameter_events", 8, "/pa…ents"},
		{"/µµµµµ", 3, "/…µ"},
		{"/imu", 2, "/imu"},
	} {
		if got := middle(test.s, test.n); got != test.want {
			t.Errorf("middle(%q, %d) = %q, want %q", test.s, test.n, got, test.want)
		}
	}
}
