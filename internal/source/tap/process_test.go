package tap

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// recordTo names the file that this program, started once more, records to.
const recordTo = "TAKT_TEST_RECORD_TO"

func TestMain(m *testing.M) {
	if path := os.Getenv(recordTo); path != "" {
		os.Exit(record(path))
	}
	os.Exit(m.Run())
}

// record feeds 20,000 samples per second through a tap into a file, numbered
// from 1, and prints the number of the last one after each batch that the
// recorder has taken.
func record(path string) int {
	signal.Ignore(syscall.SIGXFSZ) // a file size limit is then an error of the write
	begin := time.Now()
	now := func() clock.Mono { return clock.Mono(time.Since(begin)) }
	g := newGraph()
	t := New(g, Options{Now: now, Offset: func() Offset { return Offset{} }})
	r, err := NewRecorder(path, RecorderOptions{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	t.Found(Endpoint{GUID: writer(1), Topic: imuTopic})
	t.follow()
	ctx, stop := context.WithCancel(context.Background())
	go feed(ctx, g, now)
	_, err = Record(ctx, t, r, &announcer{recorder: r})
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	return 0
}

func feed(ctx context.Context, g *graph, now func() clock.Mono) {
	take, payload := g.take(imuTopic), stamped(1, 2)
	for n := wire.SequenceNumber(0); ctx.Err() == nil; time.Sleep(time.Millisecond) {
		for due := wire.SequenceNumber(now() / 50_000); n < due; {
			n++
			take(sample(1, n, now(), payload))
		}
	}
}

// An announcer prints how far a recorder has come.
type announcer struct {
	log
	recorder *Recorder
}

func (a *announcer) Events(batch []timeline.Event) {
	if a.recorder.Err() == nil {
		fmt.Println(batch[len(batch)-1].Number)
	}
}

// lastAnnounced returns the last number of what a recording process printed.
func lastAnnounced(t *testing.T, out string) (n uint64) {
	t.Helper()
	for line := range strings.Lines(out) {
		if !strings.HasSuffix(line, "\n") {
			break
		}
		var err error
		if n, err = strconv.ParseUint(strings.TrimSpace(line), 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// A process that is killed loses no batch that it has handed to the recorder.
func TestKilledRecordingHoldsAllButTheLastBatch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		path := filepath.Join(t.TempDir(), "x.takt")
		announced := killed(t, path, time.Duration(random.Int64N(int64(400*time.Millisecond))))
		got, o := readBack(t, path)
		n := wantNumbers(t, got.events, announced)
		if announced == 0 || !o.Partial || findingOf(o, "timeline-cut").ID == "" {
			t.Errorf("kill %d: %d samples were announced, outcome %+v", i, announced, o)
		}
		t.Logf("kill %d: %d announced, %d there", i, announced, n)
	}
}

// killed records for a while beyond the first batch, and returns the last
// number that was announced.
func killed(t *testing.T, path string, after time.Duration) uint64 {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), recordTo+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	text, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer timer.Stop()
	var rest bytes.Buffer
	if _, err := rest.ReadFrom(lines); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("the recording ended by itself: %v", err)
	}
	return lastAnnounced(t, text+rest.String())
}

// A disk of 128 KiB fills within seconds: the recording ends by itself, says
// so with the remedy, and the file holds all batches before.
func TestFullDiskEndsTheRecording(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "disk", "x.takt")
	kept := filepath.Join(dir, "kept.takt")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := onSmallDisk(t, filepath.Dir(path), path, kept)
	var out, errs bytes.Buffer
	cmd.Env = append(os.Environ(), recordTo+"="+path)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 3 {
		t.Fatalf("%v, %s", cmd.ProcessState, &errs)
	}
	for _, want := range []string{"recording to " + path, "all but the last batch is in the file", "free some space, or record elsewhere"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("the error does not say %q: %s", want, &errs)
		}
	}
	announced := lastAnnounced(t, out.String())
	got, o := readBack(t, kept)
	n := wantNumbers(t, got.events, announced)
	if announced == 0 || !o.Partial {
		t.Errorf("%d samples were announced, outcome %+v", announced, o)
	}
	t.Logf("%d announced, %d there; %s", announced, n, &errs)
}

// onSmallDisk returns this program on a file system of 128 KiB of its own, from
// which the file is copied before it goes; where that may not be mounted, with
// files limited to as much.
func onSmallDisk(t *testing.T, dir, from, to string) *exec.Cmd {
	const mounted = `mount -t tmpfs -o size=128k none "$1" && { "$0"; code=$?; cp "$2" "$3"; exit $code; }`
	const limited = `ulimit -f 256; "$0"; code=$?; cp "$2" "$3"; exit $code` // in units of 512 bytes
	for _, how := range []string{"-m", "-Urm"} {
		if err := exec.Command("unshare", how, "sh", "-c", "mount -t tmpfs -o size=128k none "+dir).Run(); err == nil {
			return exec.Command("unshare", how, "sh", "-c", mounted, os.Args[0], dir, from, to)
		}
	}
	t.Log("no file system may be mounted here: with a limit of the file size instead")
	return exec.Command("sh", "-c", limited, os.Args[0], dir, from, to)
}
