package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tiny makes a module with a package and its tests, and returns its root.
func tiny(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module tiny\n\ngo 1.26\n",
		"a/larger.go": "package a\n\nfunc larger(x, y int) int {\n\tif x > y {\n\t\treturn x\n\t}\n\treturn y\n}\n",
		"a/swap.go":   "package a\n\nfunc swap(x, y int) (int, int) { return y, x }\n",
		"a/a_test.go": `package a

import "testing"

func TestLarger(t *testing.T) {
	if larger(2, 1) != 2 {
		t.Error("2 is larger")
	}
}

func TestSwap(t *testing.T) {
	if x, y := swap(1, 2); x != 2 || y != 1 {
		panic("not swapped")
	}
}

func TestNothing(t *testing.T) { t.Skip() }
`,
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// A test that fails is red, also by a panic; one that passes is green; what does
// not build, or has no text to replace, is an error. The module stays as it is.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	root := tiny(t)
	var out strings.Builder
	err := try(t.Context(), root, []mutation{
		{"smaller", "", "a", "x > y", "x < y", "a.TestLarger"},
		{"not swapped", "", "a", "y, x", "x, y", "a.TestSwap"},
		{"the same", "", "a", "x > y", "x >= y", "a.TestLarger"},
		{"unused", "", "a", "x > y", "z := x; x > y", "a.TestLarger"},
		{"gone", "", "a", "x == y", "x > y", "a.TestLarger"},
	}, false, &out)
	if err == nil || !strings.Contains(err.Error(), "a defect goes unnoticed or could not be tried") {
		t.Errorf("got %v", err)
	}
	var verdicts []string
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, " ") {
			verdicts = append(verdicts, strings.Fields(line)[0])
		}
	}
	if got, want := strings.Join(verdicts, " "), "red red green error error 5"; got != want {
		t.Errorf("verdicts %s, want %s:\n%s", got, want, &out)
	}
	for _, want := range []string{"--- PASS: TestLarger", "the tests of a do not build", "declared and not used: z", "occurs 0 times", "5 defects: 2 red, 1 green, 2 errors\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("does not say %q:\n%s", want, &out)
		}
	}
	if err := try(t.Context(), root, []mutation{{"smaller", "", "a", "x > y", "x < y", "a.TestLarger"}}, false, &out); err != nil {
		t.Error(err)
	}
}

// Tests that do not pass without a defect prove nothing about one.
func TestUnmutated(t *testing.T) {
	t.Parallel()
	root := tiny(t)
	for test, want := range map[string]string{
		"a.TestNothing": "a.TestNothing is error without any defect",
		"b.TestLarger":  "the tests of b do not build",
	} {
		var out strings.Builder
		err := try(t.Context(), root, []mutation{{"smaller", "", "a", "x > y", "x < y", test}}, false, &out)
		if err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("got %v, want %q; printed %q", err, want, &out)
		}
	}
}

func TestOf(t *testing.T) {
	for output, want := range map[string]verdict{
		"=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\n":                      green,
		"--- PASS: TestA (0.00s)\n":                                             green,
		"=== RUN   TestA\n--- FAIL: TestA (0.10s)\npanic: no\n":                 red,
		"--- PASS: TestAB (0.00s)\n--- FAIL: TestAB (0.00s)\n":                  unknown,
		"=== RUN   TestA/a\n    --- PASS: TestA/a (0.00s)\npanic: timed out\n":  unknown,
		"--- SKIP: TestA (0.00s)\nPASS\n":                                       unknown,
		"testing: warning: no tests to run\nPASS\n":                             unknown,
		"log of the test: --- PASS: TestA (0.00s)\n--- FAIL: TestA (0.00s)\n\n": red,
	} {
		if got := of("TestA", output); got != want {
			t.Errorf("%q is %s, want %s", output, got, want)
		}
	}
}

func TestChoose(t *testing.T) {
	all, err := choose("")
	if err != nil || len(all) != len(defects()) {
		t.Errorf("without a pattern: %d of %d, %v", len(all), len(defects()), err)
	}
	if some, err := choose("TestEDFOrdersByAbsoluteDeadline an EDF"); err != nil || len(some) != 1 {
		t.Errorf("%d are chosen, %v", len(some), err)
	}
	for _, pattern := range []string{"no such defect", "("} {
		if _, err := choose(pattern); err == nil {
			t.Errorf("%q is no error", pattern)
		}
	}
}
