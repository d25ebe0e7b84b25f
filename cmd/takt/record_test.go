package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/timeline"
	"github.com/takt-rt/takt/timeline/file"
)

// A kept is what a timeline file holds of one topic.
type kept struct {
	topic   timeline.EntityID
	name    string
	samples []timeline.Event
	losses  int
}

func (k *kept) Start(timeline.Origin) {}

func (k *kept) Describe(e timeline.Entity) {
	if e.Name == k.name {
		k.topic = e.ID
	}
}

func (k *kept) Events(batch []timeline.Event) {
	for _, e := range batch {
		switch {
		case e.Kind == timeline.SampleArrived && e.Entity == k.topic:
			k.samples = append(k.samples, e)
		case e.Kind == timeline.SampleDropped:
			k.losses++
		}
	}
}

// readKept reads a file, which must open.
func readKept(t *testing.T, path, topic string) (*kept, timeline.Outcome) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	k := &kept{name: topic}
	o, err := file.Read(context.Background(), f, k)
	if err != nil {
		t.Fatal(err)
	}
	return k, o
}

// contiguous checks that no number is missing but those that takt says it lost.
func (k *kept) contiguous(t *testing.T) (first, last uint64) {
	t.Helper()
	if len(k.samples) == 0 {
		t.Fatal("no samples")
	}
	first, last = k.samples[0].Number, k.samples[len(k.samples)-1].Number
	if n := uint64(len(k.samples) + k.losses); n != last-first+1 {
		t.Errorf("numbers %d to %d, but %d samples and %d losses", first, last, len(k.samples), k.losses)
	}
	for i := 1; i < len(k.samples); i++ {
		if k.samples[i].Number <= k.samples[i-1].Number {
			t.Fatalf("sample %d comes after %d", k.samples[i].Number, k.samples[i-1].Number)
		}
	}
	return first, last
}

// takt runs the command.
func takt(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(ctx, args, &out, &errs)
	return code, out.String(), errs.String()
}

// What was recorded is what the publisher wrote, by its own numbers and stamps,
// and analyze says of the file what record said of the graph.
func TestRecordKeepsWhatWasPublished(t *testing.T) {
	k := newTalker(t, "sensor_msgs/msg/Imu", 5*time.Millisecond, imu)
	path := filepath.Join(t.TempDir(), "run.mcap")
	code, out, errs := takt(context.Background(), "record", k.topic, onRecordDomain, "--for", "3s", "-o", path, "--json", "--progress", "200ms")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	k.end()
	got, o := readKept(t, path, k.topic)
	first, last := got.contiguous(t)
	if o.Partial || len(got.samples) < 100 {
		t.Errorf("%d samples, outcome %+v", len(got.samples), o)
	}
	for _, e := range got.samples {
		// Written before it was sent, sent before it came: to 1 ms, which the clocks may be apart.
		wrote, arrived := timeline.Instant(k.written[e.Number-1]), e.At
		if e.Sent.Sub(wrote) < -time.Millisecond || arrived.Sub(e.Sent) < -time.Millisecond || arrived.Sub(wrote) > 5*time.Second {
			t.Fatalf("sample %d: written at %d, sent at %d, arrived at %d", e.Number, wrote, e.Sent, e.At)
		}
	}
	for _, want := range []string{"events, ", " MB, 0 lost; takt sends ", "wrote " + path + ": ", "report on it with: takt analyze " + path} {
		if !strings.Contains(errs, want) {
			t.Errorf("does not say %q:\n%s", want, errs)
		}
	}

	code, analyzed, errs := takt(context.Background(), "analyze", "--json", path)
	if code != 0 {
		t.Fatalf("analyze: exit code %d: %s", code, errs)
	}
	live, later := topicOf(t, out, k.topic), topicOf(t, analyzed, k.topic)
	if *live.RateHz != *later.RateHz || live.Count != later.Count || later.Count != uint64(len(got.samples)) {
		t.Errorf("live %d at %v Hz, recorded %d at %v Hz, in the file %d", live.Count, *live.RateHz, later.Count, *later.RateHz, len(got.samples))
	}
	saved := filepath.Join(t.TempDir(), "live.json")
	if err := os.WriteFile(saved, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, compared, errs := takt(context.Background(), "compare", saved, path); code != 0 || !strings.HasPrefix(compared, "SAME") {
		t.Errorf("compare: exit code %d\n%s%s", code, compared, errs)
	}
	wrote := k.written[last-1].Sub(k.written[first-1]).Seconds()
	want := float64(last-first) / wrote
	if got := *later.Writers[0].SentRateHz; got < 0.98*want || got > 1.02*want {
		t.Errorf("sent at %v Hz, by the publisher %v Hz", got, want)
	}
}

// What is left for its load is said at once.
func TestRecordSaysWhatItLeavesOut(t *testing.T) {
	k := newTalker(t, "std_msgs/msg/Float64", time.Millisecond, float64Message) // at least 12 kB/s
	path := filepath.Join(t.TempDir(), "run.mcap")
	code, out, errs := takt(context.Background(), "record", k.topic, onRecordDomain, "--for", "2s", "-o", path, "--budget", "1kB/s", "--quiet")
	if want := "takt: " + k.topic + ": read no longer, for the load: "; code != 0 || out != "" || !strings.HasPrefix(errs, want) {
		t.Errorf("exit code %d, want %q:\n%s%s", code, want, errs, out)
	}
}

// A jsonTopic is what these tests read of a topic in a report.
type jsonTopic struct {
	Name    string
	Count   uint64
	RateHz  *float64 `json:"rate_hz"`
	Writers []struct {
		SentRateHz *float64 `json:"sent_rate_hz"`
	}
}

func topicOf(t *testing.T, text, name string) jsonTopic {
	t.Helper()
	if _, err := report.Read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var r struct{ Topics []jsonTopic }
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	for _, topic := range r.Topics {
		if topic.Name == name {
			return topic
		}
	}
	t.Fatalf("no %s in\n%s", name, text)
	return jsonTopic{}
}

// An interrupt ends a recording whole, and quiet says no more than where it is.
func TestRecordInterruptedIsWhole(t *testing.T) {
	k := newTalker(t, "std_msgs/msg/Float64", 10*time.Millisecond, float64Message)
	path := filepath.Join(t.TempDir(), "run.mcap")
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	go func() {
		awaitSize(path, 4096)
		interrupt()
	}()
	code, out, errs := takt(ctx, "record", k.topic, onRecordDomain, "-o", path, "--quiet")
	if code != 0 || out != "" || !strings.HasPrefix(errs, "wrote "+path) || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	got, o := readKept(t, path, k.topic)
	got.contiguous(t)
	if o.Partial {
		t.Errorf("outcome %+v", o)
	}
}

// awaitSize waits until a file has so many bytes.
func awaitSize(path string, size int64) {
	for begin := time.Now(); time.Since(begin) < 20*time.Second; time.Sleep(5 * time.Millisecond) {
		if info, err := os.Stat(path); err == nil && info.Size() >= size {
			return
		}
	}
}

func TestRecordOfNothingLeavesNothing(t *testing.T) {
	t.Setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
	t.Chdir(t.TempDir())
	code, out, errs := takt(context.Background(), "record", onNobodysDomain)
	if code != 3 || out != "" {
		t.Errorf("exit code %d\n%s", code, out)
	}
	for _, want := range []string{"nobody answers in domain 145", "nothing was recorded: takt-", ".mcap was removed"} {
		if !strings.Contains(errs, want) {
			t.Errorf("does not say %q:\n%s", want, errs)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestRecordNeverOverwrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.mcap")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, errs := takt(context.Background(), "record", onNobodysDomain, "-o", path)
	if code != 2 || !strings.Contains(errs, path+": the file is there already; name another, or remove it") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "mine" {
		t.Errorf("the file is now %q, %v", b, err)
	}
}

func TestRecordLeavesTheReserve(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.mcap")
	code, _, errs := takt(context.Background(), "record", onNobodysDomain, "--reserve", "1000000GB", "-o", path)
	if code != 3 || !strings.Contains(errs, "are left to others; free some space, or record elsewhere") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file was created")
	}
}
