package plan

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
)

// A starter is a timer or a sensor, which has a phase.
type starter struct {
	name   string
	source int // of the system built; -1 is a timer
	place
	period time.Duration
	base   clock.Mono    // phase 0 on its clock
	leads  time.Duration // the longest run that it leads to at once
}

// starters are the timers and sensors with a period, those that lead to the
// longest runs first.
func (p *systemPlan) starters() (list []starter) {
	s := &p.built.System
	for i := range s.Threads {
		for j := range s.Threads[i].Callbacks {
			if c := &s.Threads[i].Callbacks[j]; c.Kind == sched.TimerKind && c.Period > 0 && !c.Once {
				list = append(list, starter{
					name: c.Name, source: -1, place: place{i, j}, period: c.Period, base: p.phase0(c.OnROS), leads: longestRun(c),
				})
			}
		}
	}
	for i := range s.Sources {
		if c := &s.Sources[i]; c.Period > 0 {
			list = append(list, starter{
				name: "sensor " + p.built.Sensors[i].Name + " on " + c.Topic.Name, source: i, period: c.Period, base: p.phase0(c.OnSim), leads: p.longestOn(c.Topic),
			})
		}
	}
	slices.SortStableFunc(list, func(a, b starter) int { return cmp.Compare(b.leads, a.leads) })
	return list
}

// phase0 is the start of the run on the monotonic or the simulated clock.
func (p *systemPlan) phase0(onSim bool) clock.Mono {
	if onSim {
		return clock.Mono(p.built.System.Clock.First)
	}
	return 0
}

func longestRun(c *sim.Callback) time.Duration {
	if len(c.Costs) == 0 {
		return c.Cost
	}
	return max(c.Cost, slices.Max(c.Costs))
}

// longestOn is the longest run of the callbacks that listen to a topic.
func (p *systemPlan) longestOn(t *sim.Topic) (longest time.Duration) {
	for i := range p.built.System.Threads {
		for j := range p.built.System.Threads[i].Callbacks {
			if c := &p.built.System.Threads[i].Callbacks[j]; slices.Contains(c.From, t) {
				longest = max(longest, longestRun(c))
			}
		}
	}
	return longest
}

// just is by how much one release comes just after another.
const just = 1 * time.Nanosecond

// setName says what a set of phases is. Those that are adverse come first: all
// together; each alone just before the rest, so that it is under way, and
// cannot be preempted within its thread, when all others come; each alone just
// after the rest, so that it waits for them, and has missed the cycle that they
// are in. The others are drawn.
func setName(set int, of []starter) string {
	switch i := (set - 2) / 2; {
	case set == 1:
		return "all together"
	case i >= len(of):
		return "drawn"
	case set%2 == 0:
		return of[i].name + " just before the rest"
	default:
		return of[i].name + " just after the rest"
	}
}

// adverse is how many sets are not drawn. With one starter alone there is none
// to be before or after.
func adverse(of []starter) int { return 1 + 2*len(of) }

// phasesOf returns the phases of a set, from 1, on the starters' own clocks.
func phasesOf(set int, of []starter, seed uint64) []time.Duration {
	phases := make([]time.Duration, len(of))
	if set > adverse(of) {
		draw := rand.NewPCG(seed, uint64(set))
		for i := range of {
			phases[i] = time.Duration(draw.Uint64() % uint64(of[i].period))
		}
		return phases
	}
	if set > 1 {
		alone, before := (set-2)/2, set%2 == 0
		for i := range phases {
			if (i == alone) != before {
				phases[i] = just
			}
		}
	}
	return phases
}

// phased is the system at a set of phases; 0 is those of the file.
func (p *systemPlan) phased(set int) *sim.System {
	s := p.built.System
	if set == 0 {
		return &s
	}
	s.Threads, s.Sources = slices.Clone(s.Threads), slices.Clone(s.Sources)
	for i := range s.Threads {
		s.Threads[i].Callbacks = slices.Clone(s.Threads[i].Callbacks)
	}
	of := p.starters()
	for i, phase := range phasesOf(set, of, p.Seed) {
		at := of[i].base.Add(phase)
		if of[i].source >= 0 {
			s.Sources[of[i].source].Phase = at
		} else {
			s.Threads[of[i].thread].Callbacks[of[i].callback].First = at
		}
	}
	return &s
}

// A PhaseSet is when timers and sensors are first due.
type PhaseSet struct {
	Set    int     `json:"set"` // from 1, as --phase-set takes it
	What   string  `json:"what"`
	Phases []Phase `json:"phases"`
}

// A Phase is when a timer or a sensor is first due.
type Phase struct {
	Of    string  `json:"of"`
	Phase float64 `json:"phase_s"` // from the start of the run, on its clock
}

func (p *systemPlan) describe(set int) PhaseSet {
	of := p.starters()
	d := PhaseSet{Set: set, What: setName(set, of), Phases: []Phase{}}
	if d.What == "drawn" {
		d.What = fmt.Sprintf("drawn by seed %d", p.Seed)
	}
	for i, phase := range phasesOf(set, of, p.Seed) {
		d.Phases = append(d.Phases, Phase{Of: of[i].name, Phase: phase.Seconds()})
	}
	return d
}
