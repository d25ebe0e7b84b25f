// Package infer makes a system of what a run shows: its nodes, callbacks,
// executors, topics and what comes from outside. It is the inverse of a run in
// virtual time: simulate the system, and what happened should happen again.
//
// What is taken from where:
//
//   - execution times: from start to end, less the callbacks that ran within; CPU
//     time where the source knows it. Up to 64 runs are a pattern, more a file of
//     samples. Typical is the median, worst the maximum of what was seen: not a
//     bound of what can be.
//   - timers: the period as the source has it, the phase from the first release.
//   - topics: the least time from a publication to its take, of all samples. Nothing
//     tells when a sample could have been taken at the earliest, so this is the
//     nearest from above.
//   - what a callback publishes: topics of which it published in at least half of
//     its runs. The model has one message per run, at its end.
//   - sensors: the samples that were taken of no such callback.
//   - executors: nodes that share a thread share their executor; one that used
//     several threads is multi-threaded. Callbacks of a node that overlapped there
//     are in groups of their own.
//
// A timeline has no depths of histories from a trace: ROS 2's default is taken.
// Nor are the requests of services known, so that services do not run.
package infer

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/timeline"
)

// A Result is a system and what belongs to it.
type Result struct {
	System   *model.System  // with a Design; what is left zero is the file's default
	Comments model.Comments // where the figures come from
	// Samples are execution times in the order of the runs, by the path that the
	// system names: a file beside the system file, see WriteSamples.
	Samples  map[string][]time.Duration
	Findings []timeline.Finding // what the file does not say of the run
}

// System returns the system that a recorded run shows. It is an error if no
// callback ran that could be in one.
func System(r *Recorder) (*Result, error) {
	b := &builder{
		Recorder: r,
		design:   &model.Design{}, has: map[*callback]bool{},
		Result: &Result{
			Comments: model.Comments{}, Samples: map[string][]time.Duration{}, Findings: []timeline.Finding{},
		},
	}
	b.Result.System = &model.System{Design: b.design}
	b.addNodes()
	if len(b.nodes) == 0 {
		return nil, fmt.Errorf("%s: no callback ran from start to end of which the node is known; record the events callback_start and callback_end of ros2_tracing, from before the nodes start", r.origin.Path)
	}
	b.addExecutors()
	b.addMachine()
	b.addTopics()
	b.addSensors()
	b.addNotes()
	return b.Result, nil
}

// A builder fills a Result.
type builder struct {
	*Recorder
	*Result
	design *model.Design
	nodes  []*node            // in the order in which they were made known
	has    map[*callback]bool // those of the nodes
}

// comment says where a line comes from.
func (b *builder) comment(text string, path ...string) { b.Comments[model.Path(path...)] = text }

func (b *builder) find(id, subject, text, remedy string) {
	b.Findings = append(b.Findings, timeline.Finding{
		ID: id, Severity: timeline.Warning, Subject: subject, Text: text, Remedy: remedy,
	})
}

// addMachine has the CPUs on which callbacks ran.
func (b *builder) addMachine() {
	b.design.Machine.CPUs = max(len(b.cpus), 1)
	if len(b.cpus) > 0 {
		b.comment("callbacks ran on that many", "machine", "cpus")
	}
}

// addNotes writes the comment of the file, and the findings of the recorder.
func (b *builder) addNotes() {
	took := "from its start to its end, waiting included"
	if b.cpuTime {
		took = "its CPU time"
	}
	b.comment(fmt.Sprintf("What %s shows, %s long. What a run takes is %s.",
		b.origin.Path, quantity.Seconds(b.last.Sub(b.first).Seconds()), took))
	if b.left > 0 {
		b.find("infer-cut", b.origin.Path, fmt.Sprintf("%s after the first %d are not counted", quantity.Count(b.left, "run or sample"), maxKept),
			"record a shorter run")
	}
	if b.holes > 0 {
		b.find("infer-lost-events", b.origin.Path, fmt.Sprintf("events were lost in %s, so that counts and rates are too low", quantity.Count(b.holes, "place")),
			"record with larger buffers")
	}
}
