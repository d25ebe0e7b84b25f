package plan

import "github.com/takt-rt/takt/analysis"

// measured takes the figures of a chain.
func (s *SystemChain) measured(f *analysis.Chain) {
	s.Outputs = f.Outputs
	s.WorstReaction, s.MeanReaction = extremes(f.ReactionS)
	s.WorstReducedAge, s.MeanReducedAge = extremes(f.ReducedAgeS)
	s.WorstOverwriteAge, _ = extremes(f.OverwriteAgeS)
	s.BreaksReaction = exceeds(s.WorstReaction, s.MaxReaction)
	s.BreaksAge = exceeds(s.WorstReducedAge, s.MaxAge)
}

func extremes(s *analysis.Series) (worst, mean *float64) {
	if s == nil || s.Count == 0 {
		return nil, nil
	}
	return &s.Max, &s.Mean
}

// exceeds reports whether a figure is over a limit, to the nanosecond: figures
// are nanoseconds that went through a float64.
func exceeds(figure, limit *float64) bool {
	return figure != nil && limit != nil && *figure-*limit > 0.5e-9
}
