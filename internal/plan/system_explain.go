package plan

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/takt-rt/takt/timeline"
)

// An Explanation says why the worst response of a callback was what it was: the
// time from its release to its end, split by what it was spent on. Instants and
// lengths are in nanoseconds, and the parts add up to the response exactly.
type Explanation struct {
	Callback string       `json:"callback"`
	Thread   string       `json:"thread"`
	PhaseSet int          `json:"phase_set,omitempty"` // it was found at; absent if in the run itself
	Run      uint64       `json:"run"`                 // of the callback, from 1
	Release  int64        `json:"release_at_ns"`       // from the start of the run
	Start    int64        `json:"start_at_ns"`
	End      int64        `json:"end_at_ns"`
	Response int64        `json:"response_ns"`
	Parts    []SpentPart  `json:"parts"`          // the longest first
	Pieces   []SpentPiece `json:"pieces"`         // in order, the first MaxPieces
	Left     int          `json:"left,omitempty"` // further pieces
}

// MaxPieces is how many pieces an explanation lists; its parts are of all.
const MaxPieces = 1000

// A Cause is what the time of a response is spent on.
type Cause string

// The causes.
const (
	OwnExecution Cause = "own execution"
	ThreadBusy   Cause = "thread busy"   // with what had begun before the release
	QueuedBehind Cause = "queued behind" // what began on its thread after the release
	GroupBusy    Cause = "group busy"    // another of its mutually exclusive group runs on another thread
	Preempted    Cause = "preempted"     // no CPU for its thread
	LockHeld     Cause = "lock held"     // by another callback
	HeldBack     Cause = "held back"     // by a gate, or as its executor does not look for it yet
)

// A SpentPart is all the time that was spent on one thing.
type SpentPart struct {
	Cause  Cause    `json:"cause"`
	By     []string `json:"by,omitempty"` // callbacks or threads; gates of what is held back
	Length int64    `json:"length_ns"`
	Pieces int      `json:"pieces"`
}

// A SpentPiece is a while that was spent on one thing.
type SpentPiece struct {
	Cause  Cause    `json:"cause"`
	By     []string `json:"by,omitempty"`
	From   int64    `json:"from_ns"` // from the release
	Length int64    `json:"length_ns"`
}

// explain runs the system again up to the end of the worst response of the
// callback, which is the same in every run, and takes that apart.
func (p *systemPlan) explain(ctx context.Context, a *System, first *systemSeen) error {
	if p.Explain == "" {
		return nil
	}
	x, s, seen, set := p.names[p.Explain], p.phased(p.PhaseSet), first, p.PhaseSet
	if found := p.worstSet(p.Explain); found > 0 {
		var err error
		if seen, err = p.tallied(ctx, p.phased(found)); err != nil {
			return err
		}
		s, set = p.phased(found), found
	}
	w := &seen.tally.threads[x.thread][x.callback].response
	if w.n == 0 {
		a.Findings = append(a.Findings, timeline.Finding{
			ID: "not-explained", Severity: timeline.Warning, Subject: p.Explain,
			Text: "It finished no run, so that it has no response to be explained.", Remedy: "Ask for a longer --for, or look at what runs instead: --gantt 0s..100ms.",
		})
		return nil
	}
	e := newExplainer(s, x, w.job)
	again := &systemSeen{}
	if err := p.run(ctx, s, e, w.job.end.Add(1), again); err != nil {
		return err
	}
	if again.complete {
		a.Explanation = e.explanation(p.Explain, set)
	}
	return nil
}

// worstSet is the set of phases that gave the worst response of a callback; 0
// is the run itself.
func (p *systemPlan) worstSet(name string) int {
	for i := range p.worst {
		if p.load.refs[i].name == name {
			return p.worst[i].set
		}
	}
	return 0
}

func (e *explainer) explanation(name string, set int) *Explanation {
	made := &Explanation{
		Callback: name, Thread: e.system.Threads[e.of.thread].Name, PhaseSet: set, Run: e.job.number,
		Release: int64(e.job.release), Start: int64(e.job.start), End: int64(e.job.end), Response: int64(e.job.end - e.job.release),
		Parts: []SpentPart{}, Pieces: e.pieces, Left: e.left,
	}
	for _, p := range e.parts {
		made.Parts = append(made.Parts, *p)
	}
	slices.SortStableFunc(made.Parts, func(a, b SpentPart) int { return cmp.Compare(b.Length, a.Length) })
	return made
}

// spent says what the time was spent on.
func spent(c Cause, by []string) string {
	with := enumerated(by)
	switch c {
	case OwnExecution:
		return "it runs"
	case ThreadBusy:
		return "its thread is busy with " + with + ", which had begun before"
	case QueuedBehind:
		return "queued behind " + with
	case GroupBusy:
		return "its callback group runs " + with
	case Preempted:
		return "preempted by " + with
	case LockHeld:
		return "waits for the lock that " + with + " holds"
	}
	if with == "" {
		return "its executor does not look for it yet"
	}
	return "held back by " + with
}

// enumerated writes names as a list in a sentence.
func enumerated(list []string) string {
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}
