package gazebo

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// findings are what a reader of the world's settings must know.
func (w *World) findings() []timeline.Finding {
	var list []timeline.Finding
	add := func(when bool, id string, severity timeline.Severity, remedy, format string, args ...any) {
		if when {
			list = append(list, timeline.Finding{ID: id, Severity: severity, Subject: w.Name, Text: fmt.Sprintf(format, args...), Remedy: remedy})
		}
	}
	p := w.Physics()
	add(len(w.Profiles) > 1, "physics-profiles", timeline.Warning, "keep one",
		"%d physics profiles: gz-sim reads the first, of line %s; Gazebo Classic the one marked default, else the first: line %s",
		len(w.Profiles), profileLine(p), profileLine(w.ClassicPhysics()))
	add(slices.ContainsFunc(w.Profiles, func(p *Physics) bool { return p.UpdateRate != nil }), "update-rate-ignored", timeline.Info, "",
		"gz-sim ignores real_time_update_rate; Gazebo Classic's bound of the factor is step times update rate")
	add(unpaced(p.rtf()), "as-fast-as-possible", timeline.Info, "",
		"the file's factor of %s means as fast as possible; set_physics cannot go back to that, a restart can", decimal(p.rtf()))
	add(w.Plugins && !w.UserCommands, "set-physics-missing", timeline.Warning,
		`list the plugin filename="gz-sim-user-commands-system" name="gz::sim::systems::UserCommands", or edit the file and restart`,
		"the world lists plugins, so the default ones are not loaded, and UserCommands is not among them: there will be no set_physics service")
	return list
}

// gravityAssumed belongs to a request that is made without knowing the world.
func gravityAssumed(world string) timeline.Finding {
	return timeline.Finding{
		ID: "gravity-assumed", Severity: timeline.Warning, Subject: world,
		Text:   "no world file was named, so the request carries the default gravity, and sets it",
		Remedy: "name the world file, or put in the world's own gravity",
	}
}

func profileLine(p *Physics) string {
	if p == nil {
		return ""
	}
	if p.Name == "" {
		return fmt.Sprint(p.node.line())
	}
	return fmt.Sprintf("%d (%s)", p.node.line(), p.Name)
}

// frameRates are those in hertz for whose periods a step is usually meant, and
// whose periods no decimal gives.
var frameRates = []int64{15, 24, 30, 48, 60, 72, 90, 120, 144, 180, 240, 300, 360, 480, 600}

// stepFindings say what becomes of a step that is not what it looks like.
func stepFindings(world string, step *big.Rat) []timeline.Finding {
	var list []timeline.Finding
	for _, rate := range frameRates {
		if near(step, big.NewRat(1, rate)) {
			list = append(list, timeline.Finding{
				ID: "step-not-exact", Severity: timeline.Warning, Subject: world,
				Text: fmt.Sprintf("a step of %s s is not 1/%d s: %d steps pass %s s of simulated time, and what is due every 1/%d s takes %s",
					decimal(step), rate, rate, decimal(new(big.Rat).Mul(step, big.NewRat(rate, 1))), rate,
					quantity.Count(int(NewGate(step, big.NewRat(rate, 1)).Steps), "step")),
				Remedy: "choose a step that divides the periods wanted, such as 0.001",
			})
		}
	}
	if ns := stepNS(step); new(big.Rat).Mul(step, highestRate).Cmp(new(big.Rat).SetInt64(ns)) != 0 {
		list = append(list, timeline.Finding{
			ID: "step-cut", Severity: timeline.Info, Subject: world,
			Text: fmt.Sprintf("gz-sim cuts the step of %s s to %d ns", decimal(step), ns),
		})
	}
	return list
}

// near reports whether a step is meant to be a period, but is not: it differs by up to 0.5 %.
func near(step, period *big.Rat) bool {
	off := new(big.Rat).Quo(step, period)
	off.Sub(off, big.NewRat(1, 1))
	return off.Sign() != 0 && off.Abs(off).Cmp(big.NewRat(5, 1000)) <= 0
}

// longestWallStep is the wall period of a step that gz-sim can hold: it
// computes the period through a 32-bit number of nanoseconds.
var longestWallStep = big.NewRat(1<<31-1, 1_000_000_000)

// pacing says what stands in the way of a step and a target factor.
func pacing(world string, step, rtf *big.Rat) []timeline.Finding {
	if unpaced(rtf) {
		return nil
	}
	wall := new(big.Rat).Quo(step, rtf)
	if wall.Cmp(longestWallStep) <= 0 {
		return nil
	}
	least := new(big.Rat).Quo(step, longestWallStep)
	return []timeline.Finding{{
		ID: "period-overflow", Severity: timeline.Error, Subject: world,
		Text: fmt.Sprintf("a step of %s s at factor %s takes %s of wall time; gz-sim's period overflows above 2.147 s",
			decimal(step), decimal(rtf), quantity.Seconds(float(wall))),
		Remedy: fmt.Sprintf("use a factor of at least %.3g, or a shorter step", float(least)*1.001),
	}}
}
