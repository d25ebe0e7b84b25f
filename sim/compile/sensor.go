package compile

import (
	"fmt"
	"slices"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim"
)

// sensors makes a source of each topic of each sensor. Those of one sensor
// publish at the same instants.
func (b *builder) sensors() error {
	for i := range b.Sensors {
		s := &b.Sensors[i]
		if err := b.checkSensor(s); err != nil {
			return err
		}
		made := sim.Source{
			Period: s.Period, Phase: b.starts(s.Phase, s.OnSim), OnSim: s.OnSim,
			Jitter: jitter(b.key("sensor", s.Name, s.Seed), s.Jitter),
		}
		for _, t := range s.Times {
			made.Times = append(made.Times, b.starts(t, s.OnSim))
		}
		for _, name := range s.Publishes {
			topic, err := b.publishes(name)
			if err != nil {
				return err
			}
			made.Topic = topic
			b.built.System.Sources = append(b.built.System.Sources, made)
			b.built.Sensors = append(b.built.Sensors, s)
		}
	}
	return nil
}

func (b *builder) checkSensor(s *model.Sensor) error {
	field := model.Path("sensors", s.Name)
	switch {
	case s.OnSim && b.Simulation == nil:
		return b.fail(s.Line, field, "is on simulated time, which nobody publishes", "add the section simulation")
	case b.Simulation != nil && slices.Contains(s.Publishes, clockTopic):
		return b.fail(s.Line, field, "publishes "+clockTopic+", as the section simulation does", "leave it to one of them")
	case s.Period < 0 || s.Phase < 0 || s.Jitter < 0 || max(s.Period, s.Phase) > longest:
		return b.fail(s.Line, field, fmt.Sprintf("has a period of %v, a phase of %v and a jitter of %v", s.Period, s.Phase, s.Jitter), "write 0ms or more, up to a year")
	case (s.Period > 0) == (len(s.Times) > 0):
		return b.fail(s.Line, field, "has a period and times, or neither", "write one of the two")
	case s.Jitter > s.Period:
		return b.fail(s.Line, field, fmt.Sprintf("has a jitter of %v, more than its period of %v", s.Jitter, s.Period), "write at most the period; times have no jitter")
	case !slices.IsSorted(s.Times) || len(s.Times) > 0 && s.Times[0] < 0:
		return b.fail(s.Line, field, "has times that are negative or not in order", "write 0s or more, the earliest first")
	}
	return nil
}
