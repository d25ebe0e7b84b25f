package plan

import (
	"context"
	"math/big"

	"github.com/takt-rt/takt/bounds"
)

// NewFrames plans what becomes of a sensor's frames. It refuses a setup that
// says too little or contradicts itself, and ends early with the context's
// error.
func NewFrames(ctx context.Context, s FramesSetup) (*Frames, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	limits := newLimits(&s)
	if len(s.RTFs) == 0 {
		s.RTFs = []*big.Rat{big.NewRat(1, 1)}
		if limits.recommended.Cmp(s.RTFs[0]) != 0 {
			s.RTFs = append(s.RTFs, limits.recommended)
		}
	}
	f := &Frames{Schema: FramesSchema, Given: s.given(), RTFLimit: limits.floats(), Drift: s.drift(limits.typical)}
	for _, rtf := range s.RTFs {
		p := s.at(rtf)
		r, err := p.run(ctx)
		if err != nil {
			return nil, err
		}
		p.foretell(r)
		p.judge(r)
		f.Runs = append(f.Runs, *r)
	}
	f.Findings = s.findings(f)
	return f, nil
}

func (s *FramesSetup) given() FramesGiven {
	g := FramesGiven{
		Rate: ratio(s.Rate), Period: ratio(new(big.Rat).Inv(s.Rate)),
		Typical: s.Processing.Seconds(), Mean: float(s.mean()), Worst: s.worst().Seconds(),
		Times: max(len(s.Times), 1), TimesBy: "frame", Overhead: s.Overhead.Seconds(),
		Margin: ratio(s.Margin), Depth: s.Depth, Reliability: s.Reliability, Take: "before-callback",
		Frames: s.Frames, Length: ratio(s.length()),
	}
	if s.ByCallback {
		g.TimesBy = "callback"
	}
	if s.AtOnce {
		g.Take = "at-once"
	}
	return g
}

// limits are RTFLimits before they are rounded.
type limits struct{ typical, mean, worst, recommended, recommendedTypical *big.Rat }

func newLimits(s *FramesSetup) limits {
	kept := new(big.Rat).Sub(big.NewRat(1, 1), s.Margin)
	l := limits{
		typical: bounds.RTFLimit(s.Rate, seconds(s.Processing)),
		worst:   bounds.RTFLimit(s.Rate, seconds(s.worst())),
	}
	if mean := s.mean(); mean != nil {
		l.mean = bounds.RTFLimit(s.Rate, mean)
	}
	l.recommended = new(big.Rat).Mul(l.worst, kept)
	l.recommendedTypical = new(big.Rat).Mul(l.typical, kept)
	return l
}

func (l limits) floats() RTFLimits {
	return RTFLimits{ratio(l.typical), float(l.mean), ratio(l.worst), ratio(l.recommended), ratio(l.recommendedTypical)}
}

// drift is the answer for running at exactly the limit, or nil where nothing
// drifts or nothing is ever lost.
func (s *FramesSetup) drift(limit *big.Rat) *FramesDrift {
	f := bounds.Frames{Rate: s.Rate, RTF: limit}
	if s.keepsAll() {
		return nil
	}
	id, lost := f.FirstLost(s.with(seconds(s.Processing)), s.Depth)
	if !lost || !id.IsInt64() {
		return nil
	}
	return &FramesDrift{
		RTF: ratio(limit), FrameInterval: ratio(f.Interval()), Overhead: s.Overhead.Seconds(),
		FramesBefore: id.Int64(), FirstLostID: id.Int64(),
		SimSeconds: ratio(new(big.Rat).Quo(new(big.Rat).SetInt(id), s.Rate)),
	}
}

// framesAt is a setup at one real time factor.
type framesAt struct {
	*FramesSetup
	form bounds.Frames
}

func (s *FramesSetup) at(rtf *big.Rat) framesAt {
	return framesAt{s, bounds.Frames{Rate: s.Rate, RTF: rtf}}
}

// exceeds compares a time of a frame, with the overhead, to the interval.
func (p framesAt) exceeds(processing *big.Rat) int { return p.form.Excess(p.with(processing)).Sign() }

// foretell fills in what closed forms give.
func (p framesAt) foretell(r *FramesRun) {
	typical, worst := seconds(p.Processing), seconds(p.worst())
	r.RTF, r.Depth, r.FrameInterval = ratio(p.form.RTF), p.Depth, ratio(p.form.Interval())
	r.Arrivals, r.ArrivalsWorst = ratio(p.form.ArrivalsPerCallback(typical)), ratio(p.form.ArrivalsPerCallback(worst))
	r.Share = ratio(p.form.Share(p.with(typical)))
	r.Wall = ratio(bounds.WallTime(p.length(), p.form.RTF))
	if p.keepsAll() && p.exceeds(p.runMean()) > 0 {
		r.AgeGrowth = float(p.form.AgeGrowth(p.with(p.runMean())))
	}
}

// run follows the frames one by one.
func (p framesAt) run(ctx context.Context) (*FramesRun, error) {
	ticks, err := newFrameTicks(p.FramesSetup, p.form.Interval())
	if err != nil {
		return nil, err
	}
	m := newFrameMachine(p.FramesSetup, ticks, p.exceeds(p.runMean()) > 0)
	if err := m.run(ctx, false); err != nil {
		return nil, err
	}
	drawn, err := p.draw(ctx, m)
	if err != nil {
		return nil, err
	}
	t, tick, one := &m.tally, ticks.exact(1), big.NewRat(1, 1)
	return &FramesRun{
		Published: p.Frames, Processed: int(t.count), Dropped: int(t.missed),
		ProcessedShare: ratio(big.NewRat(t.count, m.frames)), SteadyShare: float(t.steadyShare(m.interval)),
		ProcessedIDs: t.processedIDs, MissedIDs: t.missedIDs, IDsLeftOut: max(t.count, t.missed) > MaxIDs,
		FrameAge: ages(t.age, t.steadyAge, tick, one), ResultLatency: ages(t.latency, t.steadyLatency, tick, one),
		FrameAgeSim: ages(t.age, t.steadyAge, tick, p.form.RTF), ResultLatencySim: ages(t.latency, t.steadyLatency, tick, p.form.RTF),
		LastPublished: ticks.seconds(t.last), Drain: ticks.seconds(t.end - t.last),
		RoundedToNs: ticks.rounded, Drawn: drawn,
	}, nil
}

// draw returns the frames to be drawn. Only where the first loss comes later
// than the frames that a run keeps anyway are they run through again.
func (p framesAt) draw(ctx context.Context, m *frameMachine) ([]Frame, error) {
	if w := newDrawnWindow(m.tally.firstLost, m.frames); m.tally.firstLost >= 0 && w.from > 0 {
		again := newFrameMachine(p.FramesSetup, m.frameTicks, false)
		again.drawn = w
		if err := again.run(ctx, true); err != nil {
			return nil, err
		}
		m = again
	}
	return m.drawn.sorted(), nil
}
