package plan

import (
	"bytes"
	"math/big"
	"strings"
	"testing"
	"time"
)

// The published plan of a slow node: at RTF 0.25 and a queue of one, frames 8,
// 16 and 24 of 32 are lost, where every fourth takes 375 ms.
func TestFramesHTML(t *testing.T) {
	p, err := NewFrames(t.Context(), FramesSetup{
		Rate: big.NewRat(16, 1), Processing: 250 * time.Millisecond, Worst: 375 * time.Millisecond,
		Times: []time.Duration{250 * time.Millisecond, 250 * time.Millisecond, 250 * time.Millisecond, 375 * time.Millisecond},
		RTFs:  []*big.Rat{big.NewRat(1, 4), big.NewRat(1, 10)}, Margin: big.NewRat(1, 5), Depth: 1, Frames: 32, Length: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.HTML(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<title>Frames at RTF 0.25: 29 ran, 3 dropped.</title>", "<dd>3: 8, 16, 24</dd>",
		"<title>Frames at RTF 0.1: 32 ran.</title>", "every frame fits", "falls behind",
		"0.1667", "0.1333", // the limit of the worst time, 62.5 / 375, and that less 20 %
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
