package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// contractsFor writes a system file with the contract of one topic.
func contractsFor(t *testing.T, topic string, limits ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "takt.yaml")
	text := fmt.Sprintf("takt: 1\ntopics:\n  %s:\n    %s\n", topic, strings.Join(limits, "\n    "))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A publisher of 50 Hz keeps 50 Hz, and breaks 100 Hz; of one that does not
// exist nothing can be told, which is no pass.
func TestCheckLive(t *testing.T) {
	k := newTalker(t, "std_msgs/msg/Float64", 20*time.Millisecond, float64Message)
	for _, c := range []struct {
		name, topic string
		limits      []string
		code        int
		says        string
	}{
		{"kept", k.topic, []string{"rate: 50Hz", "rate_tolerance: 20%", "max_interval: 5s"}, 0, "PASS"},
		{"broken", k.topic, []string{"rate: 100Hz"}, 1, "FAIL"},
		{"absent", k.topic + "_none", []string{"rate: 50Hz"}, 1, "INCONCLUSIVE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := takt(context.Background(), "check", "--live", onRecordDomain, "--for", "3s", "--contracts", contractsFor(t, c.topic, c.limits...))
			if code != c.code || !strings.HasPrefix(out, c.says) {
				t.Errorf("exit code %d, want %d and %s:\n%s%s", code, c.code, c.says, out, errs)
			}
		})
	}
}

func TestCheckLiveWithoutAGraphSaysWhy(t *testing.T) {
	t.Setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
	code, out, errs := takt(context.Background(), "check", "--live", onNobodysDomain, "--contracts", contractsFor(t, "/scan", "rate: 10Hz"))
	if code != 3 || out != "" || !strings.Contains(errs, "nobody answers in domain 145") {
		t.Errorf("exit code %d:\n%s%s", code, out, errs)
	}
}

// The page and the results for build servers come of a live graph as of a
// recording.
func TestCheckLiveWritesPageAndJUnit(t *testing.T) {
	k := newTalker(t, "std_msgs/msg/Float64", 20*time.Millisecond, float64Message)
	page, junit := filepath.Join(t.TempDir(), "report.html"), filepath.Join(t.TempDir(), "junit.xml")
	code, out, errs := takt(context.Background(), "check", "--live", onRecordDomain, "--for", "2s", "--html", page, "--junit", junit,
		"--contracts", contractsFor(t, k.topic, "max_interval: 5s"))
	if code != 0 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	for file, want := range map[string]string{page: k.topic, junit: `tests="1" failures="0"`} {
		if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s does not say %q: %v\n%s", file, want, err, b)
		}
	}
}

// What init writes of a live graph, the live graph passes. The period is long
// beside what a busy machine adds to an interval.
func TestInitLiveThenCheckLive(t *testing.T) {
	k := newTalker(t, "std_msgs/msg/Float64", 250*time.Millisecond, float64Message)
	file := filepath.Join(t.TempDir(), "takt.yaml")
	code, _, errs := takt(context.Background(), "init", "--live", onRecordDomain, "--topic", k.topic, "--for", "4s", "-o", file)
	if want := "judge by it with: takt check --live --domain 45 --contracts " + file; code != 0 || !strings.Contains(errs, want) {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"What domain 45 kept", k.topic + ":", "rate: 4Hz"} {
		if !strings.Contains(string(written), want) {
			t.Errorf("does not say %q:\n%s", want, written)
		}
	}
	code, out, errs := takt(context.Background(), "check", "--live", onRecordDomain, "--for", "4s", "--contracts", file)
	if code != 0 || !strings.HasPrefix(out, "PASS") {
		t.Errorf("exit code %d:\n%s%s\nby\n%s", code, out, errs, written)
	}
}
