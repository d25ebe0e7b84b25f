package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// The list is in step with the code: every text to replace is there once, what
// takes its place can be read, and the test that is to fail exists.
func TestDefects(t *testing.T) {
	known := map[string]bool{}
	for _, m := range defects() {
		if m.defect == "" || m.source == "" || m.old == m.new || known[m.defect] {
			t.Errorf("%q: give it a name of its own, where it is from, and a change", m.defect)
		}
		known[m.defect] = true
		file, text, _, err := m.apply(root)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution); err != nil {
			t.Errorf("%q: %v", m.defect, err)
		}
		if !hasTest(t, m) {
			t.Errorf("%q: there is no %s; name the test that notices it now", m.defect, m.test)
		}
	}
}

func hasTest(t *testing.T, m mutation) bool {
	t.Helper()
	pkg, name := m.suite()
	files, err := filepath.Glob(filepath.Join(root, pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(t *testing.T) {\n") {
			return true
		}
	}
	return false
}

// A text is replaced wherever in the package it is, but for the tests, and must
// be there once.
func TestApply(t *testing.T) {
	module := tiny(t)
	for _, c := range []struct {
		old, file, want string // what the file has then, or the error
		line            int
	}{
		{"x > y", "larger.go", "if x < y {", 4},
		{"y, x", "swap.go", "return x < y", 3},
		{"return", "", "occurs 3 times in a, not once", 0},
		{"x >= y", "", `occurs 0 times in a, not once; bring the mutation "a defect" up to date`, 0},
		{"testing", "", "occurs 0 times", 0},
	} {
		m := mutation{defect: "a defect", in: "a", old: c.old, new: "x < y"}
		file, text, line, err := m.apply(module)
		switch {
		case c.file == "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: got %v, want %q", c.old, err, c.want)
		case c.file != "" && (err != nil || file != filepath.Join("a", c.file) || line != c.line || !strings.Contains(text, c.want)):
			t.Errorf("%q: %s:%d is %q, %v", c.old, file, line, text, err)
		}
	}
}
