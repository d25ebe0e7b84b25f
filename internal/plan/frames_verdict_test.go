package plan

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
)

func TestFramesVerdicts(t *testing.T) {
	f := someFrames(t)["spikes"]
	for i, want := range []string{
		"falls behind",
		"falls behind",
		"falls behind", // 0.25 is above the mean's limit, 0.0625/0.28125
		"depends on clustering: 4 consecutive slow frames are absorbed, then frame 5 is lost",
		"every frame fits",
	} {
		if got := f.Runs[i].Verdict; got != want {
			t.Errorf("RTF %v: %q, want %q", f.Runs[i].RTF, got, want)
		}
	}
	notes := fmt.Sprint(f.Runs[4].Notes)
	if !strings.Contains(notes, "holds at this RTF only: at RTF 1, as on a real robot, about 25 % of the frames are processed") {
		t.Errorf("notes %s", notes)
	}
	wantNumber(t, "share at RTF 1", f.Runs[4].ShareAtRTF1, 0.25)
}

// At the limit exactly every frame fits, and nothing is to spare.
func TestVerdictAtTheLimit(t *testing.T) {
	s := FramesSetup{Rate: rat(16), RTFs: []*big.Rat{rat(0.25)}, Processing: 250 * ms, Depth: 1}
	_, r := oneRun(t, s)
	if r.Verdict != everyFrameFits || len(r.Notes) == 0 || !strings.HasPrefix(r.Notes[0], "no margin") {
		t.Errorf("%q, %q", r.Verdict, r.Notes)
	}
	s.RTFs = []*big.Rat{new(big.Rat).Add(rat(0.25), big.NewRat(1, 1_000_000_000_000))}
	if _, r := oneRun(t, s); r.Verdict != fallsBehind {
		t.Errorf("above it: %q", r.Verdict)
	}
}

func TestStaleQueueNamesWhatItCosts(t *testing.T) {
	f := someFrames(t)["default"]
	for _, found := range f.Findings {
		if found.ID != "stale-queue" {
			continue
		}
		if want := "about 25 %. But each waits its turn and is 562.5 ms to 625 ms old"; !strings.Contains(found.Text, want) {
			t.Errorf("%s\ndoes not say %s", found.Text, want)
		}
		return
	}
	t.Errorf("no finding stale-queue in %v", f.Findings)
}
