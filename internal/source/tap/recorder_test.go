package tap

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
	"github.com/takt-rt/takt/timeline/file"
)

// readBack returns what a file holds.
func readBack(t *testing.T, path string) (*log, timeline.Outcome) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := &log{now: noClock}
	o, err := file.Read(context.Background(), f, l)
	if err != nil {
		t.Fatal(err)
	}
	return l, o
}

// An interrupt ends a recording with all that was heard, and with an outcome.
func TestRecordEndsCleanly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.takt")
	synctest.Test(t, func(t *testing.T) {
		tt := newTapTest(t, Options{Name: "domain 7"})
		r, err := NewRecorder(path, RecorderOptions{Sync: true})
		if err != nil {
			t.Fatal(err)
		}
		ctx, interrupt := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := Record(ctx, tt.tap, r, tt.sink)
			done <- err
		}()
		synctest.Wait()
		tt.found(1, imuTopic)
		for i := range wire.SequenceNumber(100) {
			tt.publish(1, imuTopic, i+1, stamped(0, 0))
			tt.run(3 * time.Millisecond)
		}
		interrupt()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := len(tt.sink.events); n != 100 {
			t.Errorf("the other sink has %d events", n)
		}
	})
	got, o := readBack(t, path)
	wantNumbers(t, got.events, 100)
	if got.origin.Path != "domain 7" || got.last("/imu").Type != "sensor_msgs/msg/Imu" {
		t.Errorf("origin %+v, entities %+v", got.origin, got.entities)
	}
	if o.Partial || findingOf(o, "wall-clock").ID == "" {
		t.Errorf("outcome %+v", o)
	}
}

// wantNumbers checks that events are the samples from 1 on without a hole, at
// least so many, and returns how many.
func wantNumbers(t *testing.T, events []timeline.Event, least uint64) (n uint64) {
	t.Helper()
	for _, e := range events {
		if e.Kind == timeline.Hole {
			continue
		}
		if n++; e.Number != n {
			t.Fatalf("after sample %d comes %d", n-1, e.Number)
		}
	}
	if n < least {
		t.Errorf("%d samples, want at least %d", n, least)
	}
	return n
}

func TestFileThatIsThereIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.takt")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := NewRecorder(path, RecorderOptions{})
	if want := "recording to " + path + ": the file is there already; name another, or remove it"; !errors.Is(err, fs.ErrExist) || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "mine" {
		t.Errorf("the file is now %q, %v", b, err)
	}
}

func TestFileThatCannotBeCreated(t *testing.T) {
	_, err := NewRecorder(filepath.Join(t.TempDir(), "none", "x.takt"), RecorderOptions{})
	var e *RecordError
	if !errors.As(err, &e) || e.Remedy == "" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// second is a batch of one event at a second.
func second(s int) []timeline.Event {
	return []timeline.Event{{At: timeline.Instant(s) * 1e9, Kind: timeline.SampleArrived, Number: uint64(s)}}
}

// 10 MB go in each second: there is a warning when 5 minutes are left, and the
// recording ends by itself, whole, while others can still write.
func TestRecordingEndsBeforeTheDiskIsFull(t *testing.T) {
	free := int64(10_000_000_000)
	var warnings []timeline.Finding
	path := filepath.Join(t.TempDir(), "x.takt")
	r, err := NewRecorder(path, RecorderOptions{
		Free:    func() (int64, error) { return free, nil },
		Reserve: 1_000_000_000,
		Notice:  func(f timeline.Finding) { warnings = append(warnings, f) },
	})
	if err != nil {
		t.Fatal(err)
	}
	stopped := false
	r.stop = func() { stopped = true }
	r.Start(timeline.Origin{Kind: "test"})
	for s := 1; !stopped; s++ {
		if free -= 10_000_000; s > 2000 {
			t.Fatal("it never ends")
		}
		r.Events(second(s))
		// After 601 s 9,990 - 6,000 MB are free, 2,990 above the reserve: 299 s.
		if warned := len(warnings) == 1; warned != (s > 600) {
			t.Fatalf("at %d s warned: %v", s, warned)
		}
	}
	const want = "3990 MB are free on the disk, and the recording ends when 1000 MB are, which is in 4m59s at the present rate"
	if warnings[0].Text != want {
		t.Errorf("warning %+v", warnings[0])
	}
	const full = "only 1000 MB are free on its disk, of which 1000 MB are left to others"
	if err := r.Close(timeline.Outcome{}); err == nil || !strings.Contains(err.Error(), full) {
		t.Errorf("closed with %v", err)
	}
	got, o := readBack(t, path)
	wantNumbers(t, got.events, 900)
	if f := findingOf(o, "disk-nearly-full"); !o.Partial || f.Text != full || findingOf(o, "timeline-cut").ID != "" {
		t.Errorf("outcome %+v", o)
	}
}

func TestDiskThatIsFullBeforehand(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.takt")
	_, err := NewRecorder(path, RecorderOptions{Free: func() (int64, error) { return 64 << 20, nil }})
	var e *RecordError
	if !errors.As(err, &e) || e.Err != nil {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file was created: %v", err)
	}
}

func TestRoom(t *testing.T) {
	mb := func(n int64) int64 { return n * 1_000_000 }
	for _, c := range []struct {
		name          string
		reserve       int64
		free          []int64 // each 10 s
		warn, reached int     // with which of them; -1: never
	}{
		{"steady", mb(100), []int64{mb(900), mb(900), mb(900)}, -1, -1},
		{"more room", mb(100), []int64{mb(900), mb(901), mb(950)}, -1, -1},
		{"little from the beginning", mb(100), []int64{mb(199), mb(199)}, 0, -1},
		{"little at once", mb(100), []int64{mb(90_000), mb(89_999), mb(199)}, 2, -1},
		{"fast", mb(100), []int64{mb(900), mb(880), mb(840)}, 2, -1}, // 800 MB at 2 MB/s, 740 MB at 3 MB/s: 247 s
		{"reached", mb(100), []int64{mb(900_000), mb(100), mb(900_000)}, -1, 1},
		{"no reserve", 0, []int64{mb(900_000), 1, 0}, 1, -1},
	} {
		r, warn, reached := room{reserve: c.reserve}, -1, -1
		for i, free := range c.free {
			if r.look(free, timeline.Instant(i)*10e9) && warn < 0 {
				warn = i
			}
			if r.reached && reached < 0 {
				reached = i
			}
		}
		if warn != c.warn || reached != c.reached {
			t.Errorf("%s: warned at %d, reached at %d", c.name, warn, reached)
		}
	}
}
