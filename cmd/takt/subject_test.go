package main

import (
	"context"
	"strings"
	"testing"
)

// A recording and --live exclude each other, and so do their flags: the error
// says which to leave out, and nothing is joined or read.
func TestFileOrLive(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"check", "name a recording, or write --live for the graph that runs now"},
		{"check my_bag --live", "my_bag and --live: it is either a recording or the live graph; leave one out"},
		{"check a b", "2 recordings: name one"},
		{"check my_bag --domain 3", "--domain is of the live graph; add --live in place of the recording, or leave it out"},
		{"check my_bag --for 3s", "--for is of the live graph"},
		{"check --live --times", "--times is of recordings"},
		{"init", "name a recording, or write --live"},
		{"init my_bag --live", "leave one out"},
		{"init --live --period 10ms", "--period is of recordings; a live graph does not tell of it: leave it out"},
		{"init my_bag --budget 1MB/s", "--budget is of the live graph"},
	} {
		code, out, errs := takt(context.Background(), strings.Fields(c.args)...)
		if code != 2 || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d, %s%s", c.args, code, out, errs)
		}
	}
}

// Help says how long a live graph is looked at.
func TestLiveIsLookedAtFor10s(t *testing.T) {
	for _, verb := range []string{"check", "init"} {
		_, help := runTakt(t, verb, "--help")
		if !strings.Contains(help, "how long to look at the live graph (default 10s)") {
			t.Errorf("%s --help:\n%s", verb, help)
		}
	}
}
