package plan

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// advice names the term to attack first, and what does it; dominant is as in
// Clock.
func (p *clockPlan) advice(dominant string) (text string) {
	more, closer := "raise the /clock rate", "a higher /clock rate"
	if p.onSim() {
		more, closer = "make the steps between ticks shorter", "shorter steps"
	}
	switch dominant {
	case "tick":
		text = "The tick term is the larger one: for a smaller error " + more + " first"
		if p.Latency.Sign() > 0 {
			text += fmt.Sprintf(", to about %s, 1 / latency; from there on the latency term rules, and only a lower RTF helps",
				p.orStep(new(big.Rat).Inv(p.Latency)))
		}
	case "latency":
		text = fmt.Sprintf("The latency term is the larger one: for a smaller error lower the RTF or the latency first. What %s can take away is %s of the %s",
			closer, short(ratio(p.tickTerm)), short(ratio(p.total)))
	case "equal":
		text = "Both terms are equal: a lower RTF makes both smaller, " + closer + " only the tick term"
		if p.onSim() {
			text = "Both terms are equal: a lower RTF makes only the latency term smaller, " + closer + " only the tick term"
		}
	default:
		return ""
	}
	if p.noRateSuffices() {
		text += ". For this tolerance the RTF or the latency must come down in any case"
	}
	return text + "."
}

// orStep writes a /clock rate per wall second, on the basis of simulated time
// as the step that gives it at this real time factor.
func (p *clockPlan) orStep(rate *big.Rat) string {
	if p.onSim() {
		return short(ratio(p.stepOf(rate))) + " of simulated time"
	}
	return hertz(ratio(rate))
}

// moreTicks says how to get at least so many ticks in a wall second: the figure
// is rounded so that it is enough.
func (p *clockPlan) moreTicks(rate *big.Rat) string {
	set := hertz(ratio(roundUp(rate)))
	text := fmt.Sprintf("raise the /clock rate to %s or more", set)
	step, perSim := short(ratio(roundDown(p.stepOf(rate)))), hertz(ratio(roundUp(new(big.Rat).Quo(rate, p.RTF))))
	if p.onSim() {
		text = fmt.Sprintf("tick every %s of simulated time or more often", step)
	}
	if p.source == nil {
		return text
	}
	how := p.source.More
	switch {
	case !strings.Contains(how, "%s"):
	case p.source.Steps:
		how = fmt.Sprintf(how, step)
	case p.onSim():
		how = fmt.Sprintf(how, perSim)
	default:
		how = fmt.Sprintf(how, strings.TrimSuffix(set, " Hz"))
	}
	return text + " (" + how + ")"
}

// roundUp and roundDown round a number above zero to three digits, to the safe
// side of a limit.
func roundUp(x *big.Rat) *big.Rat {
	down := roundDown(x)
	if down.Cmp(x) == 0 {
		return down
	}
	return down.Add(down, lastDigit(x))
}

func roundDown(x *big.Rat) *big.Rat {
	digit := lastDigit(x)
	n := new(big.Rat).Quo(x, digit)
	whole := new(big.Int).Quo(n.Num(), n.Denom())
	return digit.Mul(digit, new(big.Rat).SetInt(whole))
}

// lastDigit returns what the third digit of a number counts.
func lastDigit(x *big.Rat) *big.Rat {
	exponent := int64(math.Floor(math.Log10(ratio(x)))) - 2
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(exponent, -exponent)), nil)
	digit := new(big.Rat).SetInt(power)
	if exponent < 0 {
		digit.Inv(digit)
	}
	return digit
}
