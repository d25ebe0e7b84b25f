// Package report turns the figures of an analysis and the contracts of a
// system file into a verdict, and shows both: as text for a person, as JSON
// for machines, as JUnit for a build server. It lays two reports side by side
// and says which differences are more than noise.
//
// A Report is a plain value: what New made can be written, read back with Read
// and compared later. Every form comes out the same for the same value. JSON
// keys carry their unit; a key that is absent is unknown, never zero. The JSON
// is described in docs/report.schema.json.
package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/timeline"
)

// Schema is the schema of a Report's JSON.
const Schema = "takt.report/1"

// The bases of a report.
const (
	Measured  = "measured"  // what really ran
	Predicted = "predicted" // computed, or run in virtual time
)

// A Report is everything takt says of one run.
type Report struct {
	Schema    string              `json:"schema"`
	Basis     string              `json:"basis"` // where the figures come from: Measured or Predicted
	Source    Source              `json:"source"`
	Recording Recording           `json:"recording"`
	Verdict   Verdict             `json:"verdict"`
	Clock     *analysis.Clock     `json:"clock,omitempty"`
	Simulator *analysis.Simulator `json:"simulator,omitempty"`
	Topics    []*analysis.Topic   `json:"topics"`          // by name
	Loops     []*analysis.Loop    `json:"loops,omitempty"` // by name
	// Threads and Callbacks are told where the source knows more callbacks than
	// loops, or their threads: the busiest first. Chains are the named ones, then
	// the most frequent that were found.
	Threads   []*analysis.Thread   `json:"threads,omitempty"`
	Callbacks []*analysis.Callback `json:"callbacks,omitempty"`
	Chains    []*analysis.Chain    `json:"chains,omitempty"`
	Load      *Load                `json:"load,omitempty"` // of a live run
}

// A Source is where a report's events came from.
type Source struct {
	Path    string `json:"path"`
	Kind    string `json:"kind"`
	Partial bool   `json:"partial"` // some of what happened is missing
	// Problems are the texts of the findings about the source itself; the findings stand in the verdict.
	Problems []string `json:"problems"`
}

// A Recording is the stretch of time that a report speaks of. Its ends are
// unknown if nothing was recorded.
type Recording struct {
	Axis     string  `json:"axis"` // the clock that measured it: wall, mono or sim
	StartNS  *int64  `json:"start_ns,omitempty"`
	EndNS    *int64  `json:"end_ns,omitempty"`
	Start    string  `json:"start,omitempty"` // RFC 3339 in UTC, if the axis is the wall clock
	SpanS    float64 `json:"span_s"`
	Messages uint64  `json:"messages"`
}

// A Result is the outcome of judging one limit, or all of them.
type Result string

// The results. A contract on something never seen is inconclusive, not a pass.
const (
	Pass         Result = "pass"
	Fail         Result = "fail"
	Inconclusive Result = "inconclusive" // the measurement cannot tell
	Unjudged     Result = "unjudged"     // there was no contract
)

// A Verdict is what a report comes to.
type Verdict struct {
	Result    Result             `json:"result"`
	Findings  []timeline.Finding `json:"findings"`  // by severity, then subject
	Contracts []Contract         `json:"contracts"` // one for each limit: the clock's, the topics', the loops', in the order of the system file
}

// New judges figures by the contracts of sys, which may be nil, and reports
// them with the findings of the analysis and those of the source's outcome.
//
// The report takes the figures over. Whatever in them is not a finite number is
// unknown and is taken out.
func New(origin timeline.Origin, outcome timeline.Outcome, figures *analysis.Figures, findings []timeline.Finding, sys *model.System) *Report {
	normalize(figures)
	contracts := judge(figures, outcome.Partial, sys)
	r := &Report{
		Schema:    Schema,
		Basis:     Measured,
		Source:    Source{Path: origin.Path, Kind: origin.Kind, Partial: outcome.Partial, Problems: texts(outcome.Findings)},
		Recording: recording(figures),
		Verdict: Verdict{
			Result:    overall(contracts),
			Findings:  collect(outcome.Findings, findings, missingDeadlines(figures)),
			Contracts: contracts,
		},
		Clock:     figures.Clock,
		Simulator: figures.Simulator,
		Topics:    slices.SortedStableFunc(slices.Values(figures.Topics), func(a, b *analysis.Topic) int { return cmp.Compare(a.Name, b.Name) }),
		Loops:     slices.SortedStableFunc(slices.Values(figures.Loops), func(a, b *analysis.Loop) int { return cmp.Compare(a.Name, b.Name) }),
	}
	r.Threads, r.Callbacks, r.Chains = figures.Threads, figures.Callbacks, figures.Chains
	normalize(r)
	return r
}

func recording(f *analysis.Figures) Recording {
	r := Recording{Axis: f.Axis, SpanS: f.SpanS, Messages: f.Messages}
	if !hasBegun(f) {
		return r
	}
	r.StartNS, r.EndNS = &f.StartNS, &f.EndNS
	if f.Axis == timeline.WallClock.String() {
		r.Start = time.Unix(0, f.StartNS).UTC().Format(time.RFC3339Nano)
	}
	return r
}

// hasBegun reports whether anything happened, so that the ends are known.
func hasBegun(f *analysis.Figures) bool {
	ran := func(l *analysis.Loop) bool { return l.Callbacks > 0 }
	return f.Messages > 0 || f.Clock != nil || slices.ContainsFunc(f.Loops, ran)
}
