// Package compile makes a sim.System of the Design of a system file: threads of
// executors and levels, topics, and what comes from outside.
//
// Names are those of the file. A callback is "NODE/CALLBACK"; a thread is
// "EXECUTOR", "EXECUTOR/LEVEL" or, for the timers of an events executor,
// "EXECUTOR/timers". Executors, callbacks and sensors come in the order of the
// file, the levels of an executor with the most urgent first.
//
// A service or an action has requests, which those take that have it as their
// input, and which come from who calls it. Its name is no topic's; but a sensor
// or a callback that publishes on it, where nobody listens to a topic of that
// name, sends a request, too. The response of a service goes to the client
// callbacks of the node that asked. Of an action there are only the requests.
//
// What is drawn depends on the seeds and on the name of the callback, topic or
// sensor only: nothing shifts what is drawn for others. It is the same on every
// platform, and in every run of the System.
//
// Where the simulator cannot do what the file says, that is an error; but
//   - an executor without a clock thread takes /clock once for all of its nodes,
//     by a callback of the first that follows simulated time, which costs nothing;
//   - a loop without a period around spin_some or spin_once uses no CPU time;
//   - a watchdog does nothing.
package compile

import (
	"fmt"
	"io/fs"
	"time"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched/levels"
	"github.com/takt-rt/takt/sim"
)

// Options say how. The zero value works, if the system has no samples.
type Options struct {
	Seed uint64 // of all that is drawn, beside the file's seeds

	// Typical has execution times of one value be the typical ones instead of the
	// worst. Patterns, samples and distributions are what they are.
	Typical bool

	// Open opens a file of samples by its path as the system file has it. Nil
	// refuses them.
	Open func(path string) (fs.File, error)
}

// A Built is a system to simulate, and where its parts come from.
type Built struct {
	System    sim.System
	Executors []Executor          // of the Design, in its order
	Callbacks [][]*model.Callback // by thread and callback of the System; nil is one that takes /clock, which the client library has by itself
	Sensors   []*model.Sensor     // by source of the System
}

// An Executor is the threads of one executor.
type Executor struct {
	Name    string
	Threads []int                // of the System; none if no node is on it
	Levels  *levels.Result       // nil but for the kind levels; one for each of Threads, in their order
	Budgets []levels.Enforcement // of the Levels, in their order
}

// Compile makes the system to simulate. It is an error if the system has no
// Design, or something in that cannot be; the error names the line in the file,
// and is a *model.FieldError but for a few.
//
// The phases of timers and sensors may be changed in the System that comes out:
// they are First of its callbacks and Phase of its sources.
func Compile(system *model.System, options Options) (*Built, error) {
	if system.Design == nil {
		return nil, &model.FieldError{File: system.File, Problem: "does not say how the system is built", Remedy: "add executors and nodes"}
	}
	b := &builder{
		system: system, Design: system.Design, options: options, built: &Built{},
		topics: map[string]*sim.Topic{}, requests: map[string]*sim.Topic{}, responses: map[string]*sim.Topic{},
		samples: map[string][]time.Duration{}, owners: map[*model.Context]string{},
	}
	for _, step := range []func() error{b.index, b.machine, b.clock, b.allocate, b.enforce, b.threads, b.resolveTriggers, b.sensors} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.built, nil
}

// A builder makes a Built.
type builder struct {
	*model.Design
	*names
	system  *model.System
	options Options
	built   *Built

	allocations                 []*allocation // by executor; nil of a stock one
	topics, requests, responses map[string]*sim.Topic
	samples                     map[string][]time.Duration // by path
	triggers                    []trigger                  // whose callbacks are to be found
	owners                      map[*model.Context]string  // the threads of contexts with a budget
}

// fail returns the error about a field of the file.
func (b *builder) fail(line int, field, problem, remedy string) error {
	return &model.FieldError{File: b.system.File, Line: line, Field: field, Problem: problem, Remedy: remedy}
}

// wrap returns what another package says of a field of the file.
func (b *builder) wrap(line int, field string, err error) error {
	return fmt.Errorf("%s:%d: %s: %w", b.system.File, line, field, err)
}
