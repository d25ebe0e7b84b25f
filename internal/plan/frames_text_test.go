package plan

import (
	"bytes"
	"context"
	"math/big"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/takt-rt/takt/internal/golden"
)

// someFrames are plans that between them have every key and every verdict.
func someFrames(t *testing.T) map[string]*Frames {
	t.Helper()
	rtfs := []*big.Rat{rat(1), rat(0.5), rat(0.25), rat(0.2), rat(0.1)}
	spikes := []time.Duration{250 * ms, 250 * ms, 250 * ms, 375 * ms}
	fine, _ := new(big.Rat).SetString("0.12345678901234567")
	plans := map[string]*Frames{}
	for name, s := range map[string]FramesSetup{
		"spikes":   {Processing: 250 * ms, Worst: 375 * ms, Times: spikes, RTFs: rtfs, Depth: 1, Frames: 32, Length: time.Minute},
		"default":  {Processing: 250 * ms, Worst: 375 * ms, Depth: 10, Reliability: "reliable"},
		"keep-all": {Processing: 250 * ms, RTFs: rtfs[:2], ByCallback: true, Times: spikes},
		"at-once":  {Processing: 250 * ms, RTFs: rtfs[:1], Depth: 1, AtOnce: true},
		"drift":    {Processing: 250 * ms, Overhead: 700 * time.Microsecond, RTFs: []*big.Rat{rat(0.25)}, Depth: 1},
		"long":     {Processing: 250 * ms, RTFs: []*big.Rat{fine}, Depth: 1, Frames: 30_000},
	} {
		s.Rate = rat(16)
		f, err := NewFrames(context.Background(), s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		plans[name] = f
	}
	return plans
}

func TestFramesText(t *testing.T) {
	for name, f := range someFrames(t) {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := f.Text(&b); err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, "frames-"+name+".txt", b.Bytes())
			for line := range strings.SplitSeq(b.String(), "\n") {
				if n := utf8.RuneCountInString(line); n > 100 {
					t.Errorf("%d columns: %s", n, line)
				}
			}
		})
	}
}
