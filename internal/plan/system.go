package plan

import (
	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/timeline"
)

// SystemSchema names the JSON form of System.
const SystemSchema = "takt.plan.system/1"

// System is the answer of takt plan system: what a system demands of its
// threads and CPUs, how it would be laid out, and what a run of it in virtual
// time comes to. The keys are stable; docs/plan-system.schema.json describes
// them. Instants "at_s" are seconds after the start of the run. What is unknown
// is absent.
type System struct {
	Schema    string             `json:"schema"`
	Given     SystemGiven        `json:"given"`
	Findings  []timeline.Finding `json:"findings,omitempty"` // what is infeasible first
	Load      *SystemLoad        `json:"load"`
	Executors []SystemExecutor   `json:"executors"`

	Partial       bool                 `json:"partial,omitempty"` // the run ended before its time
	Callbacks     []SystemCallback     `json:"callbacks"`         // in the order of the file
	Subscriptions []SystemSubscription `json:"subscriptions,omitempty"`
	Chains        []SystemChain        `json:"chains,omitempty"`
	Verdict       report.Result        `json:"verdict"`             // of the contracts
	Contracts     []report.Contract    `json:"contracts,omitempty"` // those of the file that a run can be judged by
	Sweep         *SystemSweep         `json:"sweep,omitempty"`
	Explanation   *Explanation         `json:"explanation,omitempty"`

	Report *report.Report  `json:"-"` // the run, as one that was measured is reported
	Gantt  *SystemGantt    `json:"-"` // who ran when, in a window
	Plots  *analysis.Plots `json:"-"`
}

// SystemGiven repeats what the plan was made for, defaults filled in.
type SystemGiven struct {
	File     string   `json:"file"`
	Length   float64  `json:"length_s"`
	Seed     uint64   `json:"seed"`
	Times    string   `json:"times"`               // worst or typical: which execution times of one value are taken
	PhaseSet int      `json:"phase_set,omitempty"` // that the run is at; absent if at the phases of the file
	RTF      *float64 `json:"rtf,omitempty"`       // of simulated time, if there is one
}

// A SystemCallback is what became of one callback in the run. A release of a
// timer is an instant of its grid; others are released by a message that comes
// into their queue.
type SystemCallback struct {
	Callback string  `json:"callback"`
	Thread   string  `json:"thread"`
	Period   float64 `json:"period_s,omitempty"`
	Deadline float64 `json:"deadline_s,omitempty"` // from the release

	Released   *uint64 `json:"released,omitempty"` // absent of a callback of several topics, whose releases are conditions
	Started    uint64  `json:"started"`
	Finished   uint64  `json:"finished"`
	Missed     *uint64 `json:"missed,omitempty"`     // finished after the deadline; absent without one
	Skipped    uint64  `json:"skipped"`              // releases that never run, as a later one was served
	Violations *uint64 `json:"violations,omitempty"` // missed and skipped; absent without a deadline
	Waiting    *uint64 `json:"waiting,omitempty"`    // released, and at the end of the run neither started nor skipped nor dropped

	WorstResponse *float64 `json:"worst_response_s,omitempty"` // release to end
	WorstRelease  *float64 `json:"worst_release_at_s,omitempty"`
	MeanResponse  *float64 `json:"mean_response_s,omitempty"`
	WorstLateness *float64 `json:"worst_lateness_s,omitempty"` // release to start
	MeanLateness  *float64 `json:"mean_lateness_s,omitempty"`
}

// A SystemSubscription is what became of the messages to one input of a
// callback. Ages are from a message's publication to the start of the callback
// that took it.
type SystemSubscription struct {
	Callback string   `json:"callback"`
	Topic    string   `json:"topic"`
	Depth    int      `json:"depth"` // of the history; 0: KEEP_ALL
	Arrived  uint64   `json:"arrived"`
	Taken    uint64   `json:"taken"`
	Dropped  uint64   `json:"dropped"` // overwritten before they were taken
	Waiting  uint64   `json:"waiting"` // in the queue at the end
	WorstAge *float64 `json:"worst_age_s,omitempty"`
	WorstAt  *float64 `json:"worst_age_at_s,omitempty"`
	MeanAge  *float64 `json:"mean_age_s,omitempty"`
}

// A SystemChain is what a chain of the file came to. Reaction is from an input
// change that the source just missed to the first output that reflects it. The
// reduced age is from the read of the source value to the output that is based
// on it, the overwrite age until that output is replaced by the next.
type SystemChain struct {
	Chain             string   `json:"chain"`
	Path              []string `json:"path"`
	Outputs           uint64   `json:"outputs"`
	WorstReaction     *float64 `json:"worst_reaction_s,omitempty"`
	MeanReaction      *float64 `json:"mean_reaction_s,omitempty"`
	WorstReducedAge   *float64 `json:"worst_reduced_age_s,omitempty"`
	MeanReducedAge    *float64 `json:"mean_reduced_age_s,omitempty"`
	WorstOverwriteAge *float64 `json:"worst_overwrite_age_s,omitempty"`
	MaxReaction       *float64 `json:"max_reaction_s,omitempty"` // promised
	MaxAge            *float64 `json:"max_age_s,omitempty"`      // promised, of the reduced age
	BreaksReaction    bool     `json:"breaks_reaction,omitempty"`
	BreaksAge         bool     `json:"breaks_age,omitempty"`
	Why               string   `json:"why,omitempty"` // there are no figures
}
