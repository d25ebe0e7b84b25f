package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A verdict is what became of a test.
type verdict string

// The verdicts.
const (
	red     verdict = "red"   // it failed
	green   verdict = "green" // it passed
	unknown verdict = "error" // it did not come to an end, or did not even build
)

// A trial builds tests with a file replaced and runs them. The module itself is
// never written to.
type trial struct {
	root string // of the module
	dir  string // for what is built
}

// build builds the tests of a package with the file, a path from the root,
// replaced by a text; with no file, as they are. It returns the program.
func (t *trial) build(ctx context.Context, pkg, file, text string) (program string, err error) {
	program = filepath.Join(t.dir, "tests")
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", program} // no symbols: it links faster
	if file != "" {
		overlay, err := t.overlay(file, text)
		if err != nil {
			return "", err
		}
		args = append(args, "-overlay", overlay)
	}
	build := exec.CommandContext(ctx, "go", append(args, "./"+pkg)...)
	build.Dir = t.root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the tests of %s do not build: %w\n%s", pkg, err, out)
	}
	return program, nil
}

// overlay writes what go build -overlay reads, and returns its name.
func (t *trial) overlay(file, text string) (name string, err error) {
	original, err := filepath.Abs(filepath.Join(t.root, file))
	if err != nil {
		return "", err
	}
	replacement := filepath.Join(t.dir, "mutated.go")
	if err := os.WriteFile(replacement, []byte(text), 0o600); err != nil {
		return "", err
	}
	content, err := json.Marshal(map[string]map[string]string{"Replace": {original: replacement}})
	if err != nil {
		return "", err
	}
	name = filepath.Join(t.dir, "overlay.json")
	return name, os.WriteFile(name, content, 0o600)
}

// run runs tests of a package. It returns what they print; that one fails is
// no error.
func (t *trial) run(ctx context.Context, program, pkg string, names ...string) string {
	tests := exec.CommandContext(ctx, program, "-test.v", "-test.timeout=1m", "-test.run", "^("+strings.Join(names, "|")+")$")
	tests.Dir = filepath.Join(t.root, pkg)
	out, err := tests.CombinedOutput()
	if err != nil {
		out = fmt.Appendf(out, "%v\n", err)
	}
	return string(out)
}

// of finds what became of a test in what the tests printed. A test that was
// skipped, or that does not exist, is unknown, and so is one that was stopped.
func of(name, output string) verdict {
	switch {
	case strings.Contains("\n"+output, "\n--- FAIL: "+name+" ("):
		return red
	case strings.Contains("\n"+output, "\n--- PASS: "+name+" ("):
		return green
	}
	return unknown
}
