package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A mutation is one defect, which a test must notice.
type mutation struct {
	defect string // what is wrong with the mutation in place
	source string // who has it; or the rule that it breaks, by number one of testdata/scenarios, else by what states it
	in     string // the package that gets it, as a path from the root
	old    string // a text that occurs exactly once in the package's code, tests left out
	new    string // what takes its place, and compiles
	test   string // that fails then, such as "sched.TestOrder"; not one with random input
}

// suite returns the package of the test, as a path from the root, and its name.
func (m *mutation) suite() (pkg, name string) {
	dot := strings.LastIndexByte(m.test, '.')
	return m.test[:max(dot, 0)], m.test[dot+1:]
}

// apply returns the file that the mutation changes, as a path from the root,
// with the changed text, and the line where it begins. It writes nothing.
func (m *mutation) apply(root string) (file, text string, line int, err error) {
	files, err := filepath.Glob(filepath.Join(root, m.in, "*.go"))
	if err != nil {
		return "", "", 0, err
	}
	found := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return "", "", 0, err
		}
		before, after, ok := strings.Cut(string(content), m.old)
		if !ok {
			continue
		}
		found += 1 + strings.Count(after, m.old)
		file, text, line = filepath.Join(m.in, filepath.Base(name)), before+m.new+after, 1+strings.Count(before, "\n")
	}
	if found != 1 {
		return "", "", 0, fmt.Errorf("%q occurs %d times in %s, not once; bring the mutation %q up to date with the code", m.old, found, m.in, m.defect)
	}
	return file, text, line, nil
}
