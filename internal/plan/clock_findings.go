package plan

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/takt-rt/takt/bounds"
	"github.com/takt-rt/takt/timeline"
)

// findings are what a reader of the figures must know or do.
func (p *clockPlan) findings(c *Clock) (list []timeline.Finding) {
	add := func(found timeline.Finding) { list = append(list, found) }
	switch {
	case p.noRateSuffices():
		add(p.noRate())
	case c.WithinTolerance != nil && !*c.WithinTolerance:
		add(p.overTolerance(c.Dominant))
	}
	if p.skips() {
		add(p.timerSkips())
		if p.onSim() {
			add(p.firesTwice())
		}
	}
	if c.Ask != nil && c.Ask.EqualShare > 0 {
		add(p.equalReadings(c.Ask))
	}
	if c.Ask != nil && !p.onSim() && p.phases() <= fewPhases {
		add(p.asksInStep())
	}
	if p.source != nil {
		add(p.sourceTicks())
		if p.clock == nil {
			add(p.ticksUnknown())
		}
	}
	if p.Latency == nil {
		add(latencyUnknown)
	}
	return list
}

// noRateSuffices reports whether the latency term takes up all of the tolerance.
func (p *clockPlan) noRateSuffices() bool {
	return p.Tolerance != nil && p.Latency != nil && p.rateNeeded() == nil
}

func (p *clockPlan) noRate() timeline.Finding {
	limit := number(ratio(roundDown(p.maxRTFLatencyOnly())))
	remedy := fmt.Sprintf("Lower the RTF below %s, or the latency.", limit)
	if lower := p.lowerRTF(); lower != "" {
		remedy = fmt.Sprintf("%s with these ticks, or with more of them below %s; or lower the latency.", capital(lower), limit)
	}
	return timeline.Finding{
		ID: "no-rate-suffices", Severity: timeline.Warning, Subject: "clock",
		Text: fmt.Sprintf("The latency term alone, %s of simulated time, takes up the tolerance of %s: at RTF %s no /clock rate is high enough.",
			short(ratio(p.latencyTerm)), short(ratio(p.Tolerance)), number(ratio(p.RTF))),
		Remedy: remedy,
	}
}

// overTolerance says what to do about an error that exceeds the tolerance, the
// larger term first.
func (p *clockPlan) overTolerance(dominant string) timeline.Finding {
	what, value, needed := "error is up to", p.total, p.rateNeeded()
	if p.total == nil {
		what, value, needed = "tick term alone is", p.tickTerm, p.rateNeededWith(new(big.Rat))
	}
	remedies := []string{p.moreTicks(needed), p.lowerRTF()}
	if dominant == "latency" {
		remedies[0], remedies[1] = remedies[1], remedies[0]
	}
	return timeline.Finding{
		ID: "over-tolerance", Severity: timeline.Warning, Subject: "clock",
		Text: fmt.Sprintf("The %s %s of simulated time: more than the tolerance of %s.",
			what, short(ratio(value)), short(ratio(p.Tolerance))),
		Remedy: sentence(remedies...),
	}
}

// lowerRTF says which real time factor keeps within the tolerance with the
// ticks as they are; it is empty if none does or ticks are unknown.
func (p *clockPlan) lowerRTF() string {
	limit := p.maxRTF()
	if p.Latency == nil {
		limit = p.maxRTFTickOnly()
	}
	if limit == nil || limit.Sign() == 0 {
		return ""
	}
	return fmt.Sprintf("lower the RTF to %s or less", number(ratio(roundDown(limit))))
}

func (p *clockPlan) timerSkips() timeline.Finding {
	needed := new(big.Rat).Mul(p.Timer, p.RTF)
	remedies := []string{p.moreTicks(needed), ""}
	if !p.onSim() {
		limit := new(big.Rat).Quo(p.rate, p.Timer)
		remedies[1] = fmt.Sprintf("lower the RTF to %s or less", number(ratio(roundDown(limit))))
	}
	return timeline.Finding{
		ID: "timer-skips", Severity: timeline.Warning, Subject: "timer",
		Text: fmt.Sprintf("A timer on simulated time runs at a tick only, once however many releases have passed, and ticks are %s of simulated time apart: longer than its period of %s.",
			short(ratio(p.tickTerm)), short(ratio(new(big.Rat).Inv(p.Timer)))),
		Remedy: sentence(remedies...),
	}
}

// firesTwice says what is different under the older rule. It takes ticks that
// fall on releases to the nanosecond, as only stepped time has them.
func (p *clockPlan) firesTwice() timeline.Finding {
	firings := ratio(bounds.FiringsKept(new(big.Rat).Inv(p.Timer), p.tickTerm))
	return timeline.Finding{
		ID: "fires-twice", Severity: timeline.Info, Subject: "timer",
		Text: fmt.Sprintf("In Humble a release at exactly the tick is kept: a tick that falls on a release runs the timer twice, so that it runs up to %s per simulated second.",
			times(firings)),
	}
}

func (p *clockPlan) equalReadings(ask *ClockAsk) timeline.Finding {
	return timeline.Finding{
		ID: "equal-readings", Severity: timeline.Warning, Subject: "now",
		Text: fmt.Sprintf("The clock stands still between ticks, so that %s of the differences between readings are zero: what divides by them fails.",
			percent(ask.EqualShare)),
		Remedy: sentence(p.moreTicks(p.Ask), "take the differences on a steady clock, in wall time"),
	}
}

// fewPhases is up to how many phases readings in step with the ticks are worth
// a word: the mean error may then be off by an eighth of a tick.
const fewPhases = 4

func (p *clockPlan) phases() int64 {
	if n := bounds.Phases(p.Ask, p.rate); n.IsInt64() {
		return n.Int64()
	}
	return fewPhases + 1
}

func (p *clockPlan) asksInStep() timeline.Finding {
	off := new(big.Rat).Quo(p.tickTerm, big.NewRat(2*p.phases(), 1))
	return timeline.Finding{
		ID: "asks-in-step", Severity: timeline.Info, Subject: "now",
		Text: fmt.Sprintf("Readings at this rate are in step with the ticks: their mean error is off by up to %s of simulated time to either side, as chance has it at the start, and stays so.",
			short(ratio(off))),
		Remedy: "To measure the error, read the clock at random instants.",
	}
}

func (p *clockPlan) sourceTicks() timeline.Finding {
	found := timeline.Finding{ID: "clock-source", Severity: timeline.Info, Subject: p.source.Name, Text: p.source.Does}
	if p.byDefault {
		found.Remedy = p.source.Remedy
	}
	return found
}

func (p *clockPlan) ticksUnknown() timeline.Finding {
	remedy := "Add --clock-rate, such as --clock-rate 60Hz, or --clock-step, as measured."
	if p.onSim() {
		remedy = "Add --clock-step with the step of the model, such as --clock-step 2ms."
	}
	return timeline.Finding{
		ID: "clock-rate-unknown", Severity: timeline.Info, Subject: p.source.Name,
		Text: "It has no default for how often it ticks, so the tick term is not known.", Remedy: remedy,
	}
}

var latencyUnknown = timeline.Finding{
	ID: "latency-unknown", Severity: timeline.Info, Subject: "clock",
	Text:   "No latency was given, so the error is known in part only.",
	Remedy: "Add --latency. Measured over loopback its mean was 0.03 ms to 0.2 ms in rclcpp and 0.08 ms to 0.44 ms in rclpy; --latency 0s leaves it out.",
}

// sentence makes one of alternatives; those that are empty are left out.
func sentence(alternatives ...string) string {
	var list []string
	for _, a := range alternatives {
		if a != "" {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return capital(strings.Join(list, ", or ")) + "."
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
