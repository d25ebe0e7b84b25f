package sim

import "slices"

// wouldStart reports whether a step that an idle thread took now would start a
// callback, or use up a grid instant of its spin period (rule 4). An entry of an
// events executor counts even if it turns out to be an empty take.
func (s *tickSim) wouldStart(t *tickThread) bool {
	switch {
	case t.executor == "events":
		return len(t.entries) > 0
	case t.spin > 0:
		return s.now >= t.nextCycle
	}
	return slices.ContainsFunc(s.ready(t), func(c *tickCallback) bool { return s.open(c) })
}

// step is what a thread without a callback does when it has a CPU.
func (s *tickSim) step(t *tickThread) {
	switch {
	case t.executor == "events":
		s.stepEvents(t)
	case t.greedy:
		s.stepGreedy(t)
	default:
		s.stepList(t)
	}
}

// stepList serves a latched level (rule 13) and a wait set (rule 19).
func (s *tickSim) stepList(t *tickThread) {
	if !t.inCycle {
		s.beginCycle(t)
		t.list = s.ready(t)
	}
	for len(t.list) > 0 {
		c := t.list[0]
		t.list = t.list[1:]
		if s.open(c) {
			clock := t.start // rule 12
			if t.executor == "wait_set" {
				clock = s.now
			}
			s.startInCycle(t, c, clock)
			return
		}
	}
	s.endCycle(t)
}

// stepGreedy starts the first ready callback whose gates are open (rule 13).
func (s *tickSim) stepGreedy(t *tickThread) {
	if !t.inCycle {
		s.beginCycle(t)
	}
	for _, c := range s.ready(t) {
		if s.open(c) {
			s.startInCycle(t, c, s.now)
			return
		}
	}
	s.endCycle(t)
}

// stepEvents serves the queue up to the first entry that has a sample (rule 20).
func (s *tickSim) stepEvents(t *tickThread) {
	for len(t.entries) > 0 {
		e := t.entries[0]
		t.entries = t.entries[1:]
		if !e.takes() {
			e.callback.figure.EmptyTakes++
			continue
		}
		s.start(t, e.callback, e.release, t.cycles)
		t.cycles++
		return
	}
}

// takes reports whether an entry stands for a job: a timer's always does, a
// message's if a sample is left.
func (e tickEntry) takes() bool {
	return e.callback.kind == "timer" || len(e.callback.inputs[0].samples) > 0
}

func (s *tickSim) beginCycle(t *tickThread) {
	t.inCycle, t.start, t.started = true, s.now, 0
}

func (s *tickSim) startInCycle(t *tickThread, c *tickCallback, clock int64) {
	if t.started == 0 {
		t.cycles++
	}
	t.started++
	s.start(t, c, clock, t.cycles-1)
}

// endOfCycle looks at the end of a callback whether its cycle is over too.
func (s *tickSim) endOfCycle(t *tickThread) {
	switch {
	case t.executor == "events":
	case t.budget > 0 && s.now-t.start >= t.budget: // rule 18
		for _, c := range t.list {
			c.rolled = true
		}
		s.endCycle(t)
	case t.greedy && t.started == t.cap:
		s.endCycle(t)
	case !t.greedy && len(t.list) == 0:
		s.endCycle(t)
	}
}

// endCycle ends a cycle, and with a spin period finds the first grid instant
// after its start and not before its end (rule 17).
func (s *tickSim) endCycle(t *tickThread) {
	t.inCycle, t.list = false, nil
	if t.spin == 0 {
		return
	}
	for t.nextCycle <= t.start || t.nextCycle < s.now {
		t.nextCycle += t.spin
	}
}

// start dispatches a callback. The clock is that of rule 12, and for a timer
// of an events executor the grid instant of its entry.
func (s *tickSim) start(t *tickThread, c *tickCallback, clock, cycle int64) {
	j := &tickJob{callback: c, start: s.now, ended: -1, cycle: cycle}
	c.rolled = false
	j.cost = c.costs[c.figure.Started%int64(len(c.costs))]
	j.left = j.cost
	base := c.base()
	switch {
	case c.kind != "timer":
		s.take(c, j)
	case t.executor == "events":
		base = clock
		j.release, j.origin, j.sample = clock, clock, (clock-c.phase)/c.period
	default:
		j.release, j.origin, j.sample = c.next, c.next, (c.next-c.phase)/c.period
		c.advance(clock)
	}
	j.deadline = never
	if c.context != nil && c.context.deadline > 0 {
		j.deadline = base + c.context.deadline
	}
	if c.lock != nil { // rule 7
		j.waiting = c.lock.holder != nil
		if !j.waiting {
			c.lock.holder = j
		}
	}
	c.figure.Started++
	c.figure.MaxStartLateness = largest(c.figure.MaxStartLateness, duration(s.now-j.release))
	t.job = j
	s.jobs = append(s.jobs, j)
}

// advance moves a timer beyond the release that it serves (rule 12).
func (c *tickCallback) advance(clock int64) {
	c.next += c.period
	for !c.catchUp && c.next <= clock {
		c.next += c.period
		c.figure.Skipped++
	}
}

// take removes what a job takes from the queues (rule 11).
func (s *tickSim) take(c *tickCallback, j *tickJob) {
	j.release = -1
	if c.kind == "fused" {
		j.release = c.base()
	}
	first := true
	for i := range c.inputs {
		in := &c.inputs[i]
		if !in.bit {
			continue
		}
		taken := in.take(c.takeAll)
		c.figure.Taken += int64(len(taken))
		if j.release < 0 {
			j.release = taken[0].arrived
		}
		if first {
			j.sample, j.origin = taken[0].number, taken[0].origin
			first = false
		}
		for _, m := range taken {
			j.origin = min(j.origin, m.origin)
		}
	}
}

func (in *tickInput) take(all bool) (taken []*tickMessage) {
	n := 1
	if all {
		n = len(in.samples)
	}
	taken, in.samples = in.samples[:n], in.samples[n:]
	in.bit = len(in.samples) > 0
	if in.bit {
		in.base = in.samples[0].arrived
	}
	return taken
}
