package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/kernel"
)

// A recordProcess is takt record as a process of its own, which says every few
// milliseconds how many events are in the file.
type recordProcess struct {
	t       *testing.T
	cmd     *exec.Cmd
	reading sync.WaitGroup
	first   chan struct{} // closed once it has said something

	errs   strings.Builder // all it said; once it has ended
	events uint64          // the last number of events that it said
}

func startRecord(t *testing.T, cmd *exec.Cmd) *recordProcess {
	t.Helper()
	p := &recordProcess{t: t, cmd: cmd, first: make(chan struct{})}
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.reading.Go(func() { p.read(errs) })
	return p
}

func (p *recordProcess) read(errs io.Reader) {
	lines := bufio.NewReader(errs)
	for {
		line, err := lines.ReadString('\n')
		p.errs.WriteString(line)
		var elapsed float64
		var n uint64
		if _, bad := fmt.Sscanf(line, "%f s: %d event", &elapsed, &n); bad == nil && err == nil && n > 0 {
			if p.events == 0 {
				close(p.first)
			}
			p.events = n
		}
		if err != nil {
			return
		}
	}
}

// begun waits until something is in the file.
func (p *recordProcess) begun() {
	p.t.Helper()
	select {
	case <-p.first:
	case <-time.After(20 * time.Second):
		p.cmd.Process.Kill()
		p.wait()
		p.t.Fatalf("nothing in the file within 20 s: %s", &p.errs)
	}
}

// wait returns the exit code, -1 of a process that was killed.
func (p *recordProcess) wait() int {
	p.reading.Wait()
	p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

func recordCommand(k *talker, path string) *exec.Cmd {
	return exec.Command("takt", "record", k.topic, onRecordDomain, "-o", path, "--progress", "10ms")
}

// Whatever the instant of a kill, the file opens and holds all that the recorder
// had said is in it, and all that the publisher wrote but for the last batch:
// what came in the last 200 ms. A busy machine may keep the recorder waiting
// for longer, so a few of the kills may find it behind; what it said always holds.
func TestKilledRecordLosesTheLastBatchAtMost(t *testing.T) {
	const kills, mayBeBehind = 20, 5
	k := newTalker(t, "std_msgs/msg/Float64", time.Millisecond, float64Message)
	random := rand.New(rand.NewPCG(3, 4))
	behind := 0
	for i := range kills {
		path := filepath.Join(t.TempDir(), "run.mcap")
		p := startRecord(t, recordCommand(k, path))
		p.begun()
		k.until(0) // how late it is counts from here
		time.Sleep(time.Duration(random.Int64N(int64(700 * time.Millisecond))))
		at := kernel.Now()
		p.cmd.Process.Kill()
		if code := p.wait(); code != -1 {
			t.Fatalf("it ended by itself, exit code %d: %s", code, &p.errs)
		}
		got, o := readKept(t, path, k.topic)
		_, last := got.contiguous(t)
		if n := uint64(len(got.samples) + got.losses); n < p.events || !o.Partial {
			t.Errorf("kill %d: %d events are there, and it had said %d; outcome %+v", i, n, p.events, o)
		}
		if want := k.before(at); last < want {
			t.Logf("kill %d: the last sample there is %d, %d had been written 200 ms before", i, last, want)
			behind++
		}
	}
	if behind > mayBeBehind {
		t.Errorf("after %d of %d kills more than the last batch was missing", behind, kills)
	}
}

// before returns the number of the last sample that must be in the file of a
// recorder that was killed at an instant: it was written 200 ms before, and as
// much earlier as the machine has kept this process waiting itself.
func (k *talker) before(at clock.Mono) uint64 {
	_, late := k.until(0)
	number, _ := k.until(at.Add(-200*time.Millisecond - 2*late))
	return number
}

// SIGTERM ends a recording as Ctrl-C does.
func TestTerminatedRecordIsWhole(t *testing.T) {
	k := newTalker(t, "std_msgs/msg/Float64", 10*time.Millisecond, float64Message)
	path := filepath.Join(t.TempDir(), "run.mcap")
	p := startRecord(t, recordCommand(k, path))
	p.begun()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(); code != 0 || !strings.Contains(p.errs.String(), "wrote "+path) {
		t.Errorf("exit code %d: %s", code, &p.errs)
	}
	got, o := readKept(t, path, k.topic)
	got.contiguous(t)
	if o.Partial {
		t.Errorf("outcome %+v", o)
	}
}
