package model

import "time"

// sensors are the section of that name.
var sensors = named[Sensor]{
	noun: "a sensor", example: "camera: {publishes: [/image], rate: 30Hz}", one: "{publishes: [/image], rate: 30Hz}",
	fields: sensorFields,
	head:   func(c *Sensor) (*string, *int) { return &c.Name, &c.Line },
	check:  checkSensor,
}

var sensorFields = []field[Sensor]{
	names("publishes", "[/image]", func(c *Sensor) *[]string { return &c.Publishes }),
	byRate("rate", func(c *Sensor) *time.Duration { return &c.Period }),
	quantity("period", duration, func(c *Sensor) *time.Duration { return &c.Period }),
	times("times", "[0s, 1s]", func(c *Sensor) *[]time.Duration { return &c.Times }),
	amount("phase", func(c *Sensor) *time.Duration { return &c.Phase }),
	amount("jitter", func(c *Sensor) *time.Duration { return &c.Jitter }),
	seed(func(c *Sensor) *uint64 { return &c.Seed }),
	either("clock", "wall", "sim", func(c *Sensor) *bool { return &c.OnSim }),
}

func checkSensor(s *section, c *Sensor) {
	if len(s.given) == 0 {
		return
	}
	if s.lacks("publishes") {
		s.fail("publishes nothing", "write what, such as publishes: [/image]")
	}
	conflict := s.conflict("rate", "period") || s.conflict("rate", "times") || s.conflict("period", "times")
	if !conflict && s.lacks("rate", "period", "times") {
		s.fail("does not say when", "write rate: 30Hz, period: 33ms or times: [0s, 1s]")
	}
	for _, key := range []string{"phase", "jitter"} {
		if len(c.Times) > 0 && s.has(key) {
			s.given[key].fail("has no meaning beside times", "remove the line, or write a rate")
		}
	}
	s.together("seed", "jitter", "1ms")
	s.atMost("jitter", c.Jitter, "period", c.Period)
	for i := range c.Times {
		if i > 0 && c.Times[i] < c.Times[i-1] {
			s.given["times"].fail("are not in order", "write the earliest first")
			break
		}
	}
}

// locks are the section of that name.
var locks = named[Lock]{
	noun: "a lock", example: "state: {}", one: "inheritance: false", bare: true,
	fields: []field[Lock]{either("inheritance", "true", "false", func(l *Lock) *bool { return &l.Plain })},
	head:   func(l *Lock) (*string, *int) { return &l.Name, &l.Line },
}

// chains are the section of that name.
var chains = named[Chain]{
	noun: "a chain", example: "react: {path: [camera, perception/detect]}", one: "path: [camera, perception/detect]",
	fields: []field[Chain]{
		names("path", "[camera, perception/detect]", func(c *Chain) *[]string { return &c.Path }),
		quantity("max_reaction", duration, func(c *Chain) *time.Duration { return &c.MaxReaction }),
		quantity("max_age", duration, func(c *Chain) *time.Duration { return &c.MaxAge }),
	},
	head: func(c *Chain) (*string, *int) { return &c.Name, &c.Line },
	check: func(s *section, _ *Chain) {
		if len(s.given) > 0 && s.lacks("path") {
			s.fail("has no path", "write one, such as path: [camera, perception/detect]")
		}
	},
}
