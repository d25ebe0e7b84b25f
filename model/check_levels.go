package model

import "fmt"

// checkLevels checks the levels that are pinned: who is on them, and at which
// priority.
func (c *checker) checkLevels() {
	priorities := map[int]string{}
	for i := range c.Executors {
		e := &c.Executors[i]
		c.checkMembers(e)
		for _, l := range e.Levels {
			at := c.d.at("executors", e.Name, "levels", l.Name, "priority")
			c.checkPriority(at, &l)
			if other, taken := priorities[l.Priority]; taken && l.Priority > 0 {
				at.fail(fmt.Sprintf("is %d, as that of %s is", l.Priority, other), "write another, since two levels of one priority are no order")
			}
			priorities[l.Priority] = "executors." + quoted(e.Name) + ".levels." + quoted(l.Name)
		}
	}
}

// checkMembers checks the groups that the levels of one executor name.
func (c *checker) checkMembers(e *Executor) {
	on := map[string]string{} // the level that a group is on
	for i := range c.Nodes {
		n := &c.Nodes[i]
		for _, g := range n.Groups {
			if g.Level != "" && c.executor(n) == e {
				on[n.Name+"/"+g.Name] = g.Level
			}
		}
	}
	for _, l := range e.Levels {
		at := c.d.at("executors", e.Name, "levels", l.Name, "groups")
		for _, name := range l.Groups {
			n, group, ok := c.cutGroup(name)
			full := ""
			if ok {
				full = n.Name + "/" + group
			}
			switch other, taken := on[full]; {
			case !ok:
				at.fail(fmt.Sprintf("names the group %s, which no node has", shown(name)), "write NODE, or NODE/GROUP with a group of the node")
			case c.executor(n) != e:
				at.fail("names the group "+shown(name)+", which "+quoted(e.Name)+" does not run", "write executor: "+quoted(e.Name)+" for the node, or remove it")
			case taken && other != l.Name:
				at.fail("names the group "+shown(name)+", which is on the level "+quoted(other)+" too", "remove one of the two")
			case taken:
				at.fail("names the group "+shown(name)+" again", "remove it")
			}
			on[full] = l.Name
		}
	}
}

// checkPriority refuses a pin outside the pool or in a reserved band, unless
// it is said on purpose.
func (c *checker) checkPriority(at value, l *Level) {
	p, pool := l.Priority, c.Machine.Pool
	if p == 0 {
		return
	}
	purpose := Band{}
	for _, r := range c.Machine.Reserved {
		if r.Name == l.AboveBand {
			purpose = r.Band
		}
	}
	if l.AboveBand != "" && purpose == (Band{}) {
		at.fail("is to be above the band "+l.AboveBand+", which the machine does not reserve", "write it in machine.reserved, or remove above")
		return
	}
	for _, r := range c.Machine.Reserved {
		if p >= r.Band.Low && p <= r.Band.High && r.Name != l.AboveBand {
			at.fail(fmt.Sprintf("is %d, in the band reserved for %s (%s)", p, r.Name, r.Band), fmt.Sprintf("write one in %s, or above: %s if it is meant", pool, r.Name))
			return
		}
	}
	if l.AboveBand != "" {
		if p < purpose.Low {
			at.fail(fmt.Sprintf("is %d, below the band %s (%s)", p, l.AboveBand, purpose), "write a higher one, or remove above")
		}
		return
	}
	if p < pool.Low || p > pool.High {
		at.fail(fmt.Sprintf("is %d, outside the pool %s", p, pool), fmt.Sprintf("write one from %d to %d, or change machine.pool", pool.Low, pool.High))
	}
}

// checkCPUs refuses CPUs that are not there, and threads of which only some
// are pinned: who runs where would be left to chance.
func (c *checker) checkCPUs() {
	var pinned, free []value
	see := func(at value, cpu int) {
		if cpu > c.Machine.CPUs {
			at.fail(fmt.Sprintf("is %d, and the machine has %d", cpu, c.Machine.CPUs), fmt.Sprintf("write a CPU from 1 to %d, or machine: {cpus: %d} if it has more", c.Machine.CPUs, cpu))
		}
		if cpu > 0 {
			pinned = append(pinned, at)
		} else {
			free = append(free, at)
		}
	}
	for _, e := range c.Executors {
		if e.Kind != LevelsExecutor {
			see(c.d.at("executors", e.Name, "cpu"), e.CPU)
		}
		for _, l := range e.Levels {
			see(c.d.at("executors", e.Name, "levels", l.Name, "cpu"), l.CPU)
		}
	}
	if len(pinned) > 0 && len(free) > 0 {
		free[0].fail(fmt.Sprintf("is pinned to no CPU, as %s in line %d is", pinned[0].path, pinned[0].at.line), "pin all threads, or none")
	}
}
