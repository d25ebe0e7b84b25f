package plan

import (
	"context"
	"strings"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/timeline"
)

// A Loop is the answer of takt plan loop: what a periodic callback comes to in
// virtual time, in the figures of a callback that was measured.
type Loop struct {
	Report *report.Report  // of one loop; its basis is report.Predicted
	Plots  *analysis.Plots // nil unless LoopSetup.Plots
	Starts []Start         // the first LoopSetup.Starts
}

// NewLoop runs a callback in virtual time. When ctx is done the run ends early,
// and the report says that it is partial.
func NewLoop(ctx context.Context, s LoopSetup) (*Loop, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	a := analysis.New(analysis.Options{Loop: s.Held, Plots: s.Plots})
	outcome, seen := s.run(ctx, a)
	figures, findings := a.Figures()
	s.nameRule(figures.Loops[0])
	r := report.New(loopOrigin, outcome, figures, append(findings, seen.findings()...), nil)
	r.Basis = report.Predicted
	return &Loop{Report: r, Plots: a.Plots(), Starts: seen.starts}, nil
}

var loopOrigin = timeline.Origin{
	Kind: "virtual time", Path: "takt plan loop",
	Base: timeline.Base{Clock: timeline.MonoClock},
}

// nameRule puts what the loop does after a callback that took too long in the
// place of what a timer does.
func (s *LoopSetup) nameRule(l *analysis.Loop) {
	if rule, ok := rateRules[s.Pace]; ok {
		l.Rule = strings.TrimSuffix(l.Rule, s.Held.Rule.String()) + rule.String()
	}
}
