// Mutate puts known defects into the code, one at a time, and sees whether the
// test that is named for each fails. Most are of other executors; the others are
// rules that are easy to get wrong.
//
//	mutate [-v] [PATTERN]
//
// It runs in the root of the module, which it does not change. The pattern is a
// regular expression; of the defects only those are tried whose line, in what is
// printed, it matches. The exit code is 1 if a defect goes unnoticed or cannot
// be tried.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	verbose := flag.Bool("v", false, "print where each defect is put, who has it or which rule it breaks, and what the test says")
	flag.Parse()
	if flag.NArg() > 1 {
		fmt.Fprintln(os.Stderr, "usage: mutate [-v] [PATTERN]")
		os.Exit(2)
	}
	chosen, err := choose(flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err = try(ctx, ".", chosen, *verbose, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// choose returns the mutations that match the pattern.
func choose(pattern string) (chosen []mutation, err error) {
	matches, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	for _, m := range defects() {
		if matches.MatchString(m.test + " " + m.defect) {
			chosen = append(chosen, m)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no defect matches %q; run without a pattern to see them all", pattern)
	}
	return chosen, nil
}

// try tries the mutations one by one on the module at root. It gives an error
// if the tests do not pass without them, or if one of them is not noticed.
func try(ctx context.Context, root string, mutations []mutation, verbose bool, w io.Writer) error {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	t := trial{root: root, dir: dir}
	if err := t.unmutated(ctx, mutations); err != nil {
		return err
	}
	width := 0
	for i := range mutations {
		width = max(width, len(mutations[i].test))
	}
	counts := map[verdict]int{}
	for i := range mutations {
		m := &mutations[i]
		begin := time.Now()
		v, place, details := t.mutated(ctx, m)
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
		counts[v]++
		fmt.Fprintf(w, "%-5s %4.1f s  %-*s  %s\n", v, time.Since(begin).Seconds(), width, m.test, m.defect)
		if verbose {
			fmt.Fprintf(w, "    %s; %s\n", place, m.source)
		}
		if verbose || v != red {
			fmt.Fprintf(w, "    %s\n", strings.ReplaceAll(strings.TrimSpace(details), "\n", "\n    "))
		}
	}
	fmt.Fprintf(w, "%d defects: %d red, %d green, %d errors\n", len(mutations), counts[red], counts[green], counts[unknown])
	if counts[red] < len(mutations) {
		return errors.New("a defect goes unnoticed or could not be tried; see above")
	}
	return nil
}

// mutated tries a mutation. Place is where it is, details is what was printed.
func (t *trial) mutated(ctx context.Context, m *mutation) (v verdict, place, details string) {
	file, text, line, err := m.apply(t.root)
	if err != nil {
		return unknown, m.in, err.Error()
	}
	place = fmt.Sprintf("%s:%d", file, line)
	pkg, name := m.suite()
	program, err := t.build(ctx, pkg, file, text)
	if err != nil {
		return unknown, place, err.Error()
	}
	details = t.run(ctx, program, pkg, name)
	return of(name, details), place, details
}

// unmutated gives an error if one of the tests does not pass as the code is.
func (t *trial) unmutated(ctx context.Context, mutations []mutation) error {
	var packages []string
	tests := map[string][]string{} // of packages
	for i := range mutations {
		pkg, name := mutations[i].suite()
		if tests[pkg] == nil {
			packages = append(packages, pkg)
		}
		if !slices.Contains(tests[pkg], name) {
			tests[pkg] = append(tests[pkg], name)
		}
	}
	for _, pkg := range packages {
		program, err := t.build(ctx, pkg, "", "")
		if err != nil {
			return err
		}
		output := t.run(ctx, program, pkg, tests[pkg]...)
		for _, name := range tests[pkg] {
			if v := of(name, output); v != green {
				return fmt.Errorf("%s.%s is %s without any defect; mend it first:\n%s", pkg, name, v, output)
			}
		}
	}
	return nil
}
