package levels

import "fmt"

// remarkOnMembers names the groups that are not where their own rank would
// have them, with what that costs.
func (a *assignment) remarkOnMembers(all []Level) {
	for i := range all {
		l := &all[i]
		for _, m := range l.Members {
			switch {
			case m.Merged:
				a.remark(Remark{true, m.Group, fmt.Sprintf("merged into the level %s: %s; its blocking by the others there: %v", l.Name, l.Why, m.Blocking), "allow more levels, or give fewer distinct rates"})
			case m.Why == noFacts && !l.Pinned:
				a.remark(Remark{false, m.Group, fmt.Sprintf("%s: on the level %s, the least urgent", noFacts, l.Name), "promise a rate or a deadline, or pin it"})
			}
		}
	}
	for i := range a.groups {
		if r, ok := a.mixed(&a.groups[i]); ok {
			a.remark(r)
		}
	}
}

// remarkOnPins warns of a priority that was pinned against the order. Levels
// come with the most urgent first.
func (a *assignment) remarkOnPins(all []*draft) {
	for i, l := range all {
		if l.fixed() && l.pin.Above != "" {
			a.remark(Remark{true, l.level.Name, fmt.Sprintf("its priority %d is in or above the band %s, on purpose: what runs there may wait for it", l.pin.Priority, l.pin.Above), ""})
		}
		for _, below := range all[i+1:] {
			if !l.fixed() && !below.fixed() || below.rank.compare(l.rank) >= 0 {
				continue
			}
			a.remark(Remark{
				true, l.level.Name,
				fmt.Sprintf("at %s it is more urgent than %s at %s, against the order of their ranks", l.level.at(), below.level.Name, below.level.at()),
				"pin it the other way round, or not at all",
			})
		}
	}
}

// fixed reports whether the priority was authored.
func (l *draft) fixed() bool { return l.pin != nil && l.pin.Priority != 0 }

func (l *Level) at() string {
	if l.Ordinary {
		return "the ordinary policy"
	}
	return fmt.Sprintf("priority %d", l.Priority)
}

func (a *assignment) remark(r Remark) { a.remarks = append(a.remarks, r) }
