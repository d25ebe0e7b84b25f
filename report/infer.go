package report

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// errNothingToPromise is Infer's answer to a run without regularity.
var errNothingToPromise = errors.New("nothing here is regular enough to promise: it takes a /clock, a topic that comes periodically, or a loop, with 10 intervals or more")

// Infer writes a first system file from a report: what was seen, rounded to
// what someone would have promised, with room to spare. Each line has a
// comment that says what it comes from. The run it comes from passes on it,
// unless it is partial.
func Infer(r *Report) ([]byte, error) {
	f := inference{report: r, comments: model.Comments{}}
	f.clock()
	for _, t := range r.Topics {
		f.topic(t)
	}
	for _, l := range r.Loops {
		f.loop(l)
	}
	if f.system.Clock == nil && len(f.system.Topics) == 0 && len(f.system.Loops) == 0 {
		return nil, errNothingToPromise
	}
	f.comments[""] = fmt.Sprintf("What %s kept, with room to spare. These are measurements: make them promises.", r.Source.Path)
	return f.system.Format(f.comments), nil
}

type inference struct {
	report   *Report
	system   model.System
	comments model.Comments
}

func (f *inference) because(text string, with ...any) func(path ...string) {
	return func(path ...string) { f.comments[model.Path(path...)] = fmt.Sprintf(text, with...) }
}

func (f *inference) clock() {
	c := f.report.Clock
	if c == nil || c.RTF == nil || *c.RTF <= 0 || c.IntervalS == nil || c.IntervalS.Count < minSamples {
		return
	}
	k := &model.ClockContract{Topic: c.Topic, Kind: model.Hard, Window: 100 * time.Millisecond}
	k.MinRTF = floorTo(*c.RTF*0.95, 2)
	f.because("%s over %s", quantity.Factor(*c.RTF), quantity.Seconds(c.SpanWallS))("clock", "min_rtf")
	if w := c.Windows; w != nil && w.Count >= minSamples && floorTo(w.Min*0.8, 2) > 0 {
		k.Window = time.Duration(math.Round(w.LengthS * 1e9))
		k.MinWindowRTF = floorTo(w.Min*0.8, 2)
		f.because("slowest window %s, at %s", quantity.Factor(w.Min), quantity.At(w.MinAtS))("clock", "min_window_rtf")
	}
	if s := c.StepSimS; s != nil && s.Max > 0 {
		k.MaxTick = roomy(s.Max, 1.5)
		f.because("steps of %s, largest %s", quantity.Seconds(s.P50), quantity.Seconds(s.Max))("clock", "max_tick")
	}
	f.system.Clock = k
}

// topic promises what a periodic topic keeps to. What the middleware itself
// publishes is left out.
func (f *inference) topic(t *analysis.Topic) {
	own := analysis.Middleware(t.Name) || strings.HasSuffix(t.Name, "/_service_event")
	ofClock := f.report.Clock != nil && t.Name == f.report.Clock.Topic
	if own || ofClock || !t.Periodic || t.IntervalS.Count < minSamples {
		return
	}
	k := model.TopicContract{Name: t.Name, Kind: model.Hard}
	f.rate(&k, t)
	k.MaxInterval = roomy(t.IntervalS.Max, 1.5)
	f.because("median %s, longest %s at %s", quantity.Seconds(t.IntervalS.P50),
		quantity.Seconds(t.IntervalS.Max), quantity.At(t.IntervalS.MaxAtS))("topics", t.Name, "max_interval")
	if a := t.AgeS; a != nil && a.Count >= minSamples && a.Max > 0 {
		k.MaxAge = roomy(a.Max+f.tick(a.Clock), 1.5)
		f.because("%s clock: median %s, oldest %s", a.Clock, quantity.Seconds(a.P50), quantity.Seconds(a.Max))("topics", t.Name, "max_age")
	}
	if silence := max(*t.StartSilenceS, *t.EndSilenceS, t.IntervalS.Max); silence > 0 {
		k.MaxGap = roomy(silence, 1.5)
		f.because("longest silence, start and end of the recording included: %s", quantity.Seconds(silence))("topics", t.Name, "max_gap")
	}
	f.system.Topics = append(f.system.Topics, k)
}

// tick is how much too low an age may be for want of a newer tick.
func (f *inference) tick(clock string) float64 {
	if c := f.report.Clock; clock == "sim" && c != nil && c.Error != nil {
		return c.Error.WorstS
	}
	return 0
}

// rate promises the rate on the clock where it is nearer to a round number.
func (f *inference) rate(k *model.TopicContract, t *analysis.Topic) {
	seen := *t.RateHz
	if t.RateSimHz != nil && offRound(*t.RateSimHz) < offRound(seen) {
		seen, k.SimRate = *t.RateSimHz, true
	}
	k.Rate = roundRate(seen)
	// Twice what it was off, but no less than 5 %.
	k.RateTolerance = max(0.05, ceilTo(2*math.Abs(seen-k.Rate)/k.Rate, 2))
	f.because("seen: %s", quantity.Hertz(seen))("topics", t.Name, "rate")
}

// roundRate returns the roundest rate within 2 % of r.
func roundRate(r float64) float64 {
	for figures := 1; figures < 4; figures++ {
		if x := roundTo(r, figures); math.Abs(x-r) <= 0.02*r {
			return x
		}
	}
	return roundTo(r, 4)
}

func offRound(r float64) float64 { return math.Abs(roundRate(r)-r) / r }

// roomy returns a duration that is at least factor times s seconds, rounded up
// to what someone would have chosen.
func roomy(s, factor float64) time.Duration {
	ns := s * factor * 1e9
	unit := math.Pow(10, math.Floor(math.Log10(max(ns, 1))))
	for _, step := range []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10} {
		if step*unit >= ns {
			return time.Duration(math.Round(step * unit))
		}
	}
	return time.Duration(math.Ceil(ns))
}

// floorTo and ceilTo round to n decimals, down and up.
func floorTo(x float64, n int) float64 { return math.Floor(x*math.Pow10(n)) / math.Pow10(n) }
func ceilTo(x float64, n int) float64  { return math.Ceil(x*math.Pow10(n)) / math.Pow10(n) }
