// Command takt tells whether a ROS 2 system runs on time, and what to change
// if it does not.
//
// Exit codes: 0 done (check: all contracts hold), 1 a contract is broken or
// inconclusive, 2 the command line or the input is wrong, 3 the environment
// lacks something.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
)

const (
	exitBroken      = 1
	exitInput       = 2
	exitEnvironment = 3
)

// errBroken is check's word that a contract is broken or inconclusive: the
// report says which, so nothing more is printed.
var errBroken = errors.New("a contract is broken or inconclusive")

// memory is what the collector works towards, so that long recordings of many
// topics stay under 100 MB; a larger live heap is not refused. GOMEMLIMIT overrides it.
const memory = 72 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// Once the first interrupt is being heeded, a second one ends the process.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command as a function: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errBroken):
		return exitBroken
	}
	fmt.Fprintf(stderr, "takt: %s\n", strings.TrimSpace(err.Error()))
	var lacks *lacking
	var nothing *nothingSeen
	if errors.As(err, &lacks) || errors.As(err, &nothing) {
		return exitEnvironment
	}
	return exitInput
}
