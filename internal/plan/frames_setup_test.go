package plan

import (
	"context"
	"math/big"
	"strings"
	"testing"
	"time"
)

func TestFramesRefuses(t *testing.T) {
	for _, c := range []struct {
		s    FramesSetup
		want string
	}{
		{FramesSetup{Processing: ms}, "add --rate 16Hz"},
		{FramesSetup{Rate: rat(16)}, "add --processing 250ms, --pattern or --times"},
		{FramesSetup{Rate: rat(16), Processing: 2 * ms, Worst: ms}, "--worst 1 ms is shorter than the typical 2 ms"},
		{FramesSetup{Rate: rat(16), Times: []time.Duration{2 * ms}, Worst: ms}, "--worst 1 ms is shorter than a frame of 2 ms"},
		{FramesSetup{Rate: rat(16), Processing: ms, Margin: rat(1)}, "--margin: 100 % leaves no real time factor"},
		{FramesSetup{Rate: rat(16), Processing: ms, Depth: -1}, "--depth -1 is negative"},
		{FramesSetup{Rate: rat(16), Processing: ms, Frames: maxFrames + 1}, "--frames 10000001 is more"},
		{FramesSetup{Rate: rat(16), Processing: ms, Length: 300 * 24 * time.Hour}, "hold more than 10000000 frames"},
		{FramesSetup{Rate: rat(16), Processing: ms, RTFs: make([]*big.Rat, maxRTFs+1)}, "--rtf: 101 real time factors"},
		{FramesSetup{Rate: rat(2e9), Processing: ms, Frames: 5}, "faster than one in a nanosecond"},
		{FramesSetup{Rate: rat(1e-6), Processing: 1, Frames: 10_000}, "over 146 years"},
	} {
		_, err := NewFrames(context.Background(), c.s)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// Without RTFs the plan is for 1 and for what it recommends.
func TestDefaultRTFs(t *testing.T) {
	f := someFrames(t)["default"]
	if len(f.Runs) != 2 || f.Runs[0].RTF != 1 || f.Runs[1].RTF != f.RTFLimit.Recommended || f.Given.Frames != 960 {
		t.Errorf("%d runs of %d frames", len(f.Runs), f.Given.Frames)
	}
}
