package model

import "time"

var simulationDefaults = Simulation{RTF: 1}

var simulationFields = []field[Simulation]{
	quantity("rtf", rtf, func(s *Simulation) *float64 { return &s.RTF }),
	quantity("rate", rate, func(s *Simulation) *float64 { return &s.Rate }),
	quantity("step", duration, func(s *Simulation) *time.Duration { return &s.Step }),
	amount("latency", func(s *Simulation) *time.Duration { return &s.Latency }),
	amount("start", func(s *Simulation) *time.Duration { return &s.Start }),
	amount("at", func(s *Simulation) *time.Duration { return &s.At }),
	{key: "jumps", read: readJumps, write: func(s *Simulation) string { return listed(s.Jumps, writeJump) }},
}

const jumpExample = "[{at: 5s, to: 0s}]"

var jumpFields = []field[Jump]{
	amount("at", func(j *Jump) *time.Duration { return &j.At }),
	amount("to", func(j *Jump) *time.Duration { return &j.To }),
	quantity("pause", duration, func(j *Jump) *time.Duration { return &j.PauseFor }),
}

func readJumps(v value, s *Simulation) {
	s.Jumps = nil
	for i, item := range v.items(jumpExample) {
		j := Jump{Line: item.at.line}
		section := readSection(item, "{at: 5s, to: 0s}", jumpFields, &j)
		if len(section.given) > 0 && section.lacks("at") {
			item.fail("does not say when", "write at: 5s")
		}
		if len(section.given) > 0 && !section.conflict("to", "pause") && section.lacks("to", "pause") {
			item.fail("does not say what happens", "write to: 0s, or pause: 2s")
		}
		if i > 0 && j.At < s.Jumps[i-1].At {
			item.fail("is before the one above it", "write the earliest first")
		}
		s.Jumps = append(s.Jumps, j)
	}
}

// writeJump writes all of a jump, since zero is a right value of its parts.
func writeJump(j Jump) string {
	if j.PauseFor > 0 {
		return "{at: " + FormatDuration(j.At) + ", pause: " + FormatDuration(j.PauseFor) + "}"
	}
	return "{at: " + FormatDuration(j.At) + ", to: " + FormatDuration(j.To) + "}"
}

func readSimulation(v value, s *System) {
	c := simulationDefaults
	c.Line = v.at.line
	section := readSection(v, "step: 1ms", simulationFields, &c)
	if len(section.given) > 0 && !section.conflict("rate", "step") && section.lacks("rate", "step") {
		v.fail("does not say when simulated time is published", "write step: 1ms if every step of the simulator is, or rate: 40Hz")
	}
	s.design().Simulation = &c
}
