package model

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func ptr(n uint64) *uint64 { return &n }

func TestParseEverything(t *testing.T) {
	const ms = time.Millisecond
	want := &System{
		File: "testdata/full.yaml",
		Clock: &ClockContract{
			Topic: "/clock", Line: 3, Kind: Soft, MinRTF: 0.95, MaxRTF: 1.05, Window: 100 * ms,
			MinWindowRTF: 0.5, MaxWindowRTF: 2, MaxTick: 10 * ms, Allowed: 0.01,
		},
		Topics: []TopicContract{{
			Name: "/imu", Line: 14, Kind: Soft, Rate: 200, RateTolerance: 0.04, SimRate: true,
			MaxInterval: 8 * ms, MaxAge: 20 * ms, MaxGap: time.Second, MaxBehind: 100 * ms, Allowed: 0.01,
		}, {
			Name: "/camera/image_raw", Line: 24, Kind: Firm, Rate: 30, RateTolerance: 0.05,
		}, {
			Name: "imu raw", Line: 27, Kind: Hard, RateTolerance: 0.05, MaxInterval: 250 * time.Microsecond,
		}, {
			Name: "/tf odom -> base_link", Line: 28, Kind: Hard, RateTolerance: 0.05, MaxAge: 50 * ms,
		}},
		Loops: []LoopContract{{
			Name: "control", Line: 31, Kind: Hard, Period: 10 * ms, OnROS: true, Deadline: 8 * ms, Violations: ptr(3),
			MaxLatenessShare: 0.05, Jitter: 500 * time.Microsecond, Budget: 25 * ms,
		}, {
			Name: "vision", Line: 40, Kind: Soft, Deadline: 100 * ms, JitterShare: 0.2, Allowed: 0.01,
		}, {
			Name: "drive train", Line: 45, Kind: Hard, Violations: ptr(0), MaxLateness: 50 * time.Microsecond,
		}},
	}
	got, err := Load("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseDefaults(t *testing.T) {
	got, err := Parse("takt.yaml", []byte("takt: 1\nclock:\n  max_tick: 10ms\nloops:\n  control:\n    deadline: 10ms\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := &System{
		File: "takt.yaml",
		Clock: &ClockContract{
			Topic: "/clock", Line: 2, Kind: Hard, Window: 100 * time.Millisecond, MaxTick: 10 * time.Millisecond,
		},
		Loops: []LoopContract{{Name: "control", Line: 5, Kind: Hard, Deadline: 10 * time.Millisecond}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Files that say the same as "takt: 1, topics /a with max_age 5ms".
func TestParseSpellings(t *testing.T) {
	for name, text := range map[string]string{
		"flow":             "{takt: 1, topics: {/a: {max_age: 5ms}}}",
		"byte order mark":  "\ufefftakt: 1\ntopics:\n  /a:\n    max_age: 5ms\n",
		"Windows lines":    "takt: 1\r\ntopics:\r\n  /a:\r\n    max_age: 5ms\r\n",
		"old Mac lines":    "takt: 1\rtopics:\r  /a:\r    max_age: 5ms\r",
		"no last line end": "takt: 1\ntopics:\n  /a:\n    max_age: 5ms",
		"document marks":   "# a\n---\ntakt: 1\ntopics:\n  /a:\n    max_age: 5ms\n...\n",
		"version last":     "topics:\n  /a:\n    max_age: 5ms\ntakt: 1\n",
		"quotes":           "\"takt\": \"1\"\ntopics:\n  '/a':\n    max_age: '5ms'\n",
		"value below":      "takt: 1\ntopics:\n  /a:\n    max_age:\n      5ms\n",
		"comments":         "#\ntakt: 1 # x\n\ntopics: # y\n # z\n  /a: # a\n    # b\n    max_age: 5ms # c\n# d\n",
	} {
		s, err := Parse("takt.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Clock != nil || len(s.Topics) != 1 || s.Topics[0].Name != "/a" || s.Topics[0].MaxAge != 5*time.Millisecond {
			t.Errorf("%s: read as %+v", name, s)
		}
	}
}

func TestTenThousandTopics(t *testing.T) {
	var b strings.Builder
	b.WriteString("takt: 1\ntopics:\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "  /robot/topic_%d:\n    rate: %dHz\n    max_age: 20ms\n", i, i+1)
	}
	s, err := Parse("takt.yaml", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	last := s.Topics[len(s.Topics)-1]
	if len(s.Topics) != 10_000 || last.Name != "/robot/topic_9999" || last.Rate != 10_000 || last.Line != 30_000 {
		t.Errorf("%d topics, the last %+v", len(s.Topics), last)
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.yaml")
	if err := os.WriteFile(large, make([]byte, 1<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "takt.yaml")
	for path, want := range map[string]string{
		missing: missing + ": does not exist; check the name, or write one with takt init",
		large:   large + ": is larger than 1 MiB; check that it is the system file",
	} {
		_, err := Load(path)
		var file *FileError
		if !errors.As(err, &file) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := Load(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
	_, err := Load(dir) // what the system says of reading a folder differs
	var file *FileError
	if !errors.As(err, &file) || !strings.HasPrefix(err.Error(), dir+": cannot be read: ") {
		t.Errorf("reading a folder gives %v", err)
	}
}
