package plan

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

func TestReadTimes(t *testing.T) {
	got, err := ReadTimes("t", strings.NewReader("# measured on Monday\n250ms\n\n  0.375s\r\n250000us"))
	if want := []time.Duration{250 * ms, 375 * ms, 250 * ms}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestReadTimesRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "t has no times"},
		{"# nothing\n", "t has no times"},
		{"250ms\n375\n", `t:2: "375" has no unit; write 375ms`},
		{"-1ms", `t:1: "-1ms" is negative`},
		{"0ms", "t:1: 0ms is not longer than zero"},
		{"NaN", `t:1: "NaN" is not a duration`},
		{"1ms\n" + strings.Repeat("9", 300) + "ms", "t:2: the line is longer than 256 bytes"},
		{strings.Repeat("1ms\n", maxTimes+1), "t:1000001: more than 1000000 times"},
	} {
		_, err := ReadTimes("t", strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v, want %q", c.text, err, c.want)
		}
	}
}

func FuzzReadTimes(f *testing.F) {
	f.Add("250ms\n375ms\n")
	f.Add("# c\n1.5s\r\n\n9us")
	f.Fuzz(func(t *testing.T, text string) {
		times, err := ReadTimes("t", strings.NewReader(text))
		if (err == nil) != (len(times) > 0) {
			t.Fatalf("%d times, %v", len(times), err)
		}
		for _, d := range times {
			if d <= 0 {
				t.Fatalf("a time of %v", d)
			}
		}
	})
}
