package tap

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/takt-rt/takt/timeline"
)

func TestRecorderSaysHowFarItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.takt")
	r, err := NewRecorder(path, RecorderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r.Start(timeline.Origin{Kind: "test"})
	if p := r.Progress(); p.Events != 0 || p.Bytes == 0 {
		t.Errorf("at the beginning %+v", p)
	}
	r.Events(second(1))
	r.Events([]timeline.Event{{At: 2e9, Kind: timeline.SampleDropped}, {At: 2e9, Kind: timeline.SampleArrived}, {At: 3e9, Kind: timeline.SampleDropped}})
	info, err := os.Stat(path)
	if want := (Progress{Events: 4, Lost: 2, Bytes: info.Size()}); err != nil || r.Progress() != want {
		t.Errorf("got %+v, want %+v, %v", r.Progress(), want, err)
	}
	if err := r.Close(timeline.Outcome{}); err != nil || r.Progress().Events != 4 {
		t.Errorf("once closed %+v, %v", r.Progress(), err)
	}
}

// What could not be written does not count.
func TestRecorderCountsWhatIsWritten(t *testing.T) {
	r, err := NewRecorder(filepath.Join(t.TempDir(), "x.takt"), RecorderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r.Start(timeline.Origin{Kind: "test"})
	r.Events(second(1))
	r.file.Close() // writes fail from now on
	r.Events(second(2))
	if n := r.Progress().Events; n != 1 || r.Err() == nil {
		t.Errorf("%d events, %v", n, r.Err())
	}
}

func TestDiscardedRecordingIsGone(t *testing.T) {
	for _, closed := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "x.takt")
		r, err := NewRecorder(path, RecorderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if closed {
			r.Start(timeline.Origin{Kind: "test"})
			r.Close(timeline.Outcome{})
		}
		if err := r.Discard(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("closed %v: it is still there, %v", closed, err)
		}
	}
}
