package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// others are the implementations that a watching takt meets, in a domain where
// no row of the matrix is.
var others = []string{"cyclone", "fastdds"}

const watchDomain = "62"

// The rate is the writer's own: what it says it wrote, over the time it took.
// The reader that wants more than is offered is told of, by its policy.
func TestWatchRatesAndMismatches(t *testing.T) {
	for _, vendor := range others {
		t.Run(vendor, func(t *testing.T) {
			start(t, vendor, "sub", "--domain", watchDomain, "--reliable")
			p := start(t, vendor, "pub", "--domain", watchDomain, "--rate", "100", "--size", "1024")
			began := time.Now()
			r := startWatch(t, "--for", "5s").report()
			took := time.Since(began)
			written := done(t, p.stop())

			topic := r.topic(t, "/blob")
			want := float64(written) / took.Seconds()
			if math.Abs(topic.RateHz/want-1) > 0.02 {
				t.Errorf("%.2f Hz; the writer wrote %d samples in %v, %.2f Hz", topic.RateHz, written, took, want)
			}
			if topic.SizeBytes.Max != 1024 || topic.SizeBytes.Mean != 1024 {
				t.Errorf("sizes %+v, want 1024 bytes", topic.SizeBytes)
			}
			if topic.OwnLosses == nil || topic.OwnLosses.LostOnWire != 0 {
				t.Errorf("losses %+v, want none", topic.OwnLosses)
			}
			if m := topic.Mismatches; len(m) != 1 || m[0].Policy != "reliability" || !strings.Contains(m[0].Text, "they never connect") {
				t.Errorf("mismatches %+v, want reliability alone", m)
			}
		})
	}
}

// A takt that is stopped for a while misses what its socket has no room for.
// What it got and what it says that it missed are what the writer wrote.
func TestWatchCountsWhatItMissed(t *testing.T) {
	const size, count, hertz, greeting = 16 << 10, 8000, 2000, 12
	for _, vendor := range others {
		t.Run(vendor, func(t *testing.T) {
			w := startWatch(t, "--budget", "1GB/s")
			p := start(t, vendor, "pub", "--domain", watchDomain, "--greet", "--size", strconv.Itoa(size), "--count", strconv.Itoa(count), "--rate", strconv.Itoa(hertz))
			p.await("matched")
			p.begin()
			time.Sleep(time.Second)
			w.signal(syscall.SIGSTOP)
			time.Sleep(time.Second)
			w.signal(syscall.SIGCONT)
			p.want("done")
			time.Sleep(500 * time.Millisecond) // what is on its way arrives
			w.signal(os.Interrupt)
			topic := w.report().topic(t, "/blob")

			// The mean size tells the greetings from the samples.
			samples := int(math.Round((topic.SizeBytes.Mean - greeting) * float64(topic.Count) / (size - greeting)))
			if topic.OwnLosses == nil || samples+topic.OwnLosses.LostOnWire != count {
				t.Fatalf("got %d of %d samples, and missed %+v", samples, count, topic.OwnLosses)
			}
			if topic.OwnLosses.LostOnWire == 0 {
				t.Error("missed nothing, though it was stopped for a second")
			}
		})
	}
}

// done returns how many samples a publisher says it wrote.
func done(t *testing.T, lines []string) int {
	t.Helper()
	for _, l := range lines {
		if n, ok := strings.CutPrefix(l, "done "); ok {
			count, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			return count
		}
	}
	t.Fatalf("the writer does not say what it wrote: %q", lines)
	return 0
}

// A watch is a takt watch --json that runs beside the peers.
type watch struct {
	t           *testing.T
	cmd         *exec.Cmd
	out, errors bytes.Buffer
	wait        func() error // may be called again
}

func startWatch(t *testing.T, args ...string) *watch {
	t.Helper()
	w := &watch{t: t, cmd: exec.Command(takt(t), append([]string{"watch", "--json", "--domain", watchDomain}, args...)...)}
	w.cmd.Env = append(os.Environ(), "ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST")
	w.cmd.Stdout, w.cmd.Stderr = &w.out, &w.errors
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.wait = sync.OnceValue(w.cmd.Wait)
	t.Cleanup(func() {
		w.cmd.Process.Kill()
		w.wait()
	})
	return w
}

func (w *watch) signal(s os.Signal) {
	w.t.Helper()
	if err := w.cmd.Process.Signal(s); err != nil {
		w.t.Fatal(err)
	}
}

// report waits for the end and returns the last line.
func (w *watch) report() *watchReport {
	w.t.Helper()
	if err := w.wait(); err != nil {
		w.t.Fatalf("takt watch: %v\n%s", err, w.errors.String())
	}
	lines := bytes.Split(bytes.TrimSpace(w.out.Bytes()), []byte("\n"))
	var r watchReport
	if err := json.Unmarshal(lines[len(lines)-1], &r); err != nil {
		w.t.Fatal(err)
	}
	if r.Schema != "takt.report/1" {
		w.t.Fatalf("the last line is of %s", r.Schema)
	}
	return &r
}

// A watchReport is of takt.report/1 what these tests look at.
type watchReport struct {
	Schema string       `json:"schema"`
	Topics []watchTopic `json:"topics"`
}

type watchTopic struct {
	Name      string  `json:"name"`
	Count     int     `json:"count"`
	RateHz    float64 `json:"rate_hz"`
	SizeBytes struct {
		Mean float64 `json:"mean"`
		Max  int     `json:"max"`
	} `json:"size_bytes"`
	OwnLosses *struct {
		LostOnWire int `json:"lost_on_wire"`
	} `json:"own_losses"`
	Mismatches []struct {
		Policy string `json:"policy"`
		Text   string `json:"text"`
	} `json:"mismatches"`
}

func (r *watchReport) topic(t *testing.T, name string) *watchTopic {
	t.Helper()
	for i := range r.Topics {
		if r.Topics[i].Name == name {
			return &r.Topics[i]
		}
	}
	t.Fatalf("no %s among %+v", name, r.Topics)
	return nil
}

// takt returns the command, built beside the peers.
func takt(t *testing.T) string {
	t.Helper()
	folder := programs(t)
	if err := buildTakt(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "takt")
}

var buildTakt = sync.OnceValue(func() error {
	out, err := exec.Command("go", "build", "-o", filepath.Join(folder, "takt"), "../../cmd/takt").CombinedOutput()
	if err != nil {
		return fmt.Errorf("building takt: %w\n%s", err, out)
	}
	return nil
})
