package levels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A draft is a level before it has a priority.
type draft struct {
	members []ranked // by declaration; the first of equal rank decides ties
	rank    rank     // the most urgent of its members'
	pin     *Pin
	apart   bool // at the ordinary policy: nothing is known of its groups
	why     string
	level   Level
}

// Assign derives levels and gives them priorities. Groups without timing facts
// go to the least urgent level that is not pinned; if there is none, they get
// one at the ordinary policy. The least urgent of all is the boot level, since
// where the owner of the session outranked its peers, some never ran.
func Assign(groups []Group, o Options) (*Result, error) {
	if o.MaxLevels == 0 {
		o.MaxLevels = DefaultMaxLevels
	}
	if err := check(groups, &o); err != nil {
		return nil, err
	}
	a := assignment{groups: groups, Options: &o, places: placesOf(o.Chains)}
	pinned, free := a.pinned()
	derived, loose := a.derived(free)
	derived, err := a.fit(derived, len(pinned))
	if err != nil {
		return nil, err
	}
	if derived, err = a.settle(derived, loose, len(pinned)); err != nil {
		return nil, err
	}
	all := append(derived, pinned...)
	slices.SortStableFunc(all, func(l, m *draft) int {
		return cmp.Or(l.rank.compare(m.rank), cmp.Compare(l.members[0].index, m.members[0].index))
	})
	if err := o.Plan.allocate(all); err != nil {
		return nil, err
	}
	return a.result(all), nil
}

// An assignment is one call of Assign.
type assignment struct {
	*Options
	groups  []Group
	places  map[string][]place // of callbacks on chains
	remarks []Remark
}

// pinned returns the authored levels, and the groups that are on none of them.
func (a *assignment) pinned() (levels []*draft, free []ranked) {
	level := map[string]*draft{}
	for i := range a.Pins {
		p := &a.Pins[i]
		l := &draft{pin: p, rank: rank{tier: untimed}, why: "authored, for " + strings.Join(p.Groups, ", ")}
		for _, g := range p.Groups {
			level[g] = l
		}
		levels = append(levels, l)
	}
	for i := range a.groups {
		r := a.rankGroup(i)
		if l := level[r.member.Group]; l != nil {
			l.add(r)
			continue
		}
		free = append(free, r)
	}
	return levels, free
}

func (l *draft) add(r ranked) {
	l.members = append(l.members, r)
	if r.rank.compare(l.rank) < 0 {
		l.rank = r.rank
	}
}

// derived returns a level for each distinct rank, the most urgent first, and
// the groups of which nothing is known.
func (a *assignment) derived(free []ranked) (levels []*draft, loose []ranked) {
	slices.SortStableFunc(free, func(r, s ranked) int { return r.rank.compare(s.rank) })
	for _, r := range free {
		n := len(levels)
		switch {
		case r.rank.tier == untimed:
			loose = append(loose, r)
		case n > 0 && levels[n-1].rank == r.rank:
			levels[n-1].add(r)
		default:
			l := &draft{rank: r.rank, why: r.member.Why}
			l.add(r)
			levels = append(levels, l)
		}
	}
	return levels, loose
}

// fit merges the least urgent ranks where there are more than levels: the
// urgent ones keep theirs, and every later one shares the last.
func (a *assignment) fit(levels []*draft, pins int) ([]*draft, error) {
	room := a.MaxLevels - pins
	switch {
	case len(levels) <= room:
		return levels, nil
	case room < 1:
		return nil, fmt.Errorf("%d pinned levels leave none of the %d for the %d ranks of the other groups; pin fewer, or allow more levels", pins, a.MaxLevels, len(levels))
	case a.Strict:
		return nil, fmt.Errorf("%d ranks of groups and %d pinned levels, but at most %d levels; allow more, or let the least urgent ranks merge", len(levels), pins, a.MaxLevels)
	}
	last := levels[room-1]
	for _, l := range levels[room:] {
		last.members = append(last.members, l.members...)
	}
	for i := range last.members {
		last.members[i].member.Merged = true
	}
	last.why = fmt.Sprintf("the %d least urgent of %d ranks, as there are at most %d levels", len(levels)-room+1, len(levels), a.MaxLevels)
	return levels[:room], nil
}

// settle places the groups of which nothing is known.
func (a *assignment) settle(levels []*draft, loose []ranked, pins int) ([]*draft, error) {
	if len(loose) == 0 {
		return levels, nil
	}
	if len(levels) > 0 {
		last := levels[len(levels)-1]
		last.members = append(last.members, loose...)
	} else {
		if pins >= a.MaxLevels {
			return nil, fmt.Errorf("%d pinned levels leave none of the %d for the groups without timing facts; pin fewer, or allow more levels", pins, a.MaxLevels)
		}
		levels = append(levels, &draft{rank: rank{tier: untimed}, members: loose, apart: true, why: noFacts})
	}
	return levels, nil
}

// result names the levels in the order of their priorities and writes down
// what there is to say of them.
func (a *assignment) result(all []*draft) *Result {
	slices.SortStableFunc(all, func(l, m *draft) int {
		return cmp.Compare(a.Plan.urgency(m.level.Priority, m.apart), a.Plan.urgency(l.level.Priority, l.apart))
	})
	all[len(all)-1].level.Boot = true
	taken := map[string]bool{}
	for i := range a.Pins {
		taken[a.Pins[i].Name] = true
	}
	res := &Result{}
	for _, l := range all {
		l.finish(a, taken)
		res.Levels = append(res.Levels, l.level)
	}
	a.remarkOnMembers(res.Levels)
	a.remarkOnPins(all)
	res.Remarks = a.remarks
	return res
}

func (l *draft) finish(a *assignment, taken map[string]bool) {
	slices.SortFunc(l.members, func(r, s ranked) int { return cmp.Compare(r.index, s.index) })
	l.block(a.groups)
	l.level.Name, l.level.Pinned, l.level.Why = l.name(a.Chains, taken), l.pin != nil, l.why
	for _, m := range l.members {
		l.level.Members = append(l.level.Members, m.member)
		if p := m.member.Period; p > 0 && (l.level.Period == 0 || p < l.level.Period) {
			l.level.Period = p
		}
	}
}

// name names a derived level for its rank, other than any that is taken.
func (l *draft) name(chains []Chain, taken map[string]bool) string {
	if l.pin != nil {
		return l.pin.Name
	}
	label := l.rank.label(chains)
	if l.level.Boot {
		label = "boot"
	}
	name := label
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s (%d)", label, n)
	}
	taken[name] = true
	return name
}
