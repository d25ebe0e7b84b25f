package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int64{"2GB": 2e9, "1.5MB": 1.5e6, "64kB": 64e3} {
		if got, err := parseSize(s); err != nil || got != want {
			t.Errorf("%s: %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "5", "MB", "-1MB", "0GB", "NaNGB", "1e99GB", "5XB"} {
		if got, err := parseSize(s); err == nil {
			t.Errorf("%q: %d, want an error", s, got)
		}
	}
}

func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.mcap")
	if err := run([]string{"-mix", "small", "-size", "100kB", "-topics", "3", "-o", path}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() < 100e3 || info.Size() > 200e3 {
		t.Errorf("%v, %v", info, err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "-o"},
		{[]string{"-o", path, "-compression", "zip"}, "zstd or lz4"},
		{[]string{"-o", path, "-mix", "big"}, "small and robot"},
	} {
		if err := run(test.args); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.args, err, test.want)
		}
	}
}
