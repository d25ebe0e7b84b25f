package ctf_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/source"
)

const recordings = "../../../testdata/recordings"

// A trace is found by its content, whichever directory above it is named, or
// its metadata.
func TestTraceIsOpenedByItsContent(t *testing.T) {
	dir := filepath.Join(recordings, "ctf", "talker-listener")
	for _, path := range []string{dir, filepath.Join(dir, "ust"), filepath.Join(dir, "ust/uid/1000/64-bit"), filepath.Join(dir, "ust/uid/1000/64-bit/metadata")} {
		s, err := source.Open(path, source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a := analysis.New(analysis.Options{})
		if _, err := s.Run(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		jobs := uint64(0)
		f, _ := a.Figures()
		for _, c := range f.Callbacks {
			jobs += c.Jobs
		}
		if jobs != 23 || len(f.Callbacks) != 4 || len(f.Loops) != 1 {
			t.Errorf("%s: %d jobs of %d callbacks and %d loops, want 23 of 4 and 1", path, jobs, len(f.Callbacks), len(f.Loops))
		}
		s.Close()
	}
}

// The analysis gives the figures that babeltrace2's text gives: of /chatter, 5
// samples, taken 0.378 to 0.739 ms after their source timestamp at most (the
// callback starts a little later), and the publisher's period.
func TestTopicLatencyOfATrace(t *testing.T) {
	s, err := source.Open(filepath.Join(recordings, "ctf", "talker-listener"), source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a := analysis.New(analysis.Options{})
	if _, err := s.Run(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	f, _ := a.Figures()
	for _, topic := range f.Topics {
		if topic.Name != "/chatter" {
			continue
		}
		p := topic.PathS
		if topic.Count != 5 || p == nil || p.Max > 0.000739 || p.Max < 0.000639 || p.Min > 0.000378 || p.Min < 0.000278 {
			t.Errorf("%d samples, path %+v", topic.Count, p)
		}
		return
	}
	t.Error("/chatter is missing")
}

func TestTraceIsReadWhole(t *testing.T) {
	_, err := source.Open(filepath.Join(recordings, "ctf", "talker-listener"), source.Options{TimesOnly: true})
	if err == nil || !strings.Contains(err.Error(), "leave out --times") {
		t.Errorf("%v", err)
	}
}
