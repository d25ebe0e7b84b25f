package levels

import (
	"cmp"
	"fmt"
	"time"
)

// A rank is how urgent something is: the smaller, the more. Times are compared
// as whole nanoseconds, so that one rate written twice is one rank.
type rank struct {
	tier     tier
	chain    int // of onChain
	fromSink int // of onChain: 0 is the sink
	time     time.Duration
}

type tier int

const (
	onChain tier = iota
	timed
	untimed // nothing is known
)

func (r rank) compare(o rank) int {
	return cmp.Or(cmp.Compare(r.tier, o.tier), cmp.Compare(r.chain, o.chain), cmp.Compare(r.fromSink, o.fromSink), cmp.Compare(r.time, o.time))
}

// label is a name for a level of that rank.
func (r rank) label(chains []Chain) string {
	switch r.tier {
	case onChain:
		ch := &chains[r.chain]
		return fmt.Sprintf("%s/%d", ch.Name, len(ch.Callbacks)-r.fromSink)
	case timed:
		return r.time.String()
	}
	return "boot"
}

// A fact is a time and where it comes from.
type fact struct {
	time time.Duration // 0 is not known
	why  string
}

// A place is where a callback stands on a chain, both from 0.
type place struct{ chain, at int }

// placesOf returns the places of each callback that is on a chain, by chain.
func placesOf(chains []Chain) map[string][]place {
	on := map[string][]place{}
	for i := range chains {
		for at, c := range chains[i].Callbacks {
			on[c] = append(on[c], place{i, at})
		}
	}
	return on
}

// period returns the period of a callback: its own, or that of the source of
// the fastest chain through it, as a chain has one triggering rate.
func (a *assignment) period(c *Callback) fact {
	if c.Period > 0 {
		return fact{c.Period, fmt.Sprintf("%s every %v", c.Name, c.Period)}
	}
	var fastest *Chain
	for _, p := range a.places[c.Name] {
		if ch := &a.Chains[p.chain]; ch.Period > 0 && (fastest == nil || ch.Period < fastest.Period) {
			fastest = ch
		}
	}
	if fastest == nil {
		return fact{}
	}
	return fact{fastest.Period, fmt.Sprintf("%s every %v, inherited from %s by chain %s", c.Name, fastest.Period, fastest.Source, fastest.Name)}
}

// rankOf returns the rank of a callback, and why it has it.
func (a *assignment) rankOf(c *Callback) (rank, string) {
	f, places := a.period(c), a.places[c.Name]
	switch {
	case a.Order == ChainAware && len(places) > 0:
		p, n := places[0], len(a.Chains[places[0].chain].Callbacks)
		return rank{tier: onChain, chain: p.chain, fromSink: n - 1 - p.at},
			fmt.Sprintf("%s is number %d of %d on chain %s: toward the sink first", c.Name, p.at+1, n, a.Chains[p.chain].Name)
	case a.Order == DeadlineMonotonic && c.Deadline > 0:
		f = fact{c.Deadline, fmt.Sprintf("%s has a deadline of %v", c.Name, c.Deadline)}
	case a.Order == DeadlineMonotonic && f.time > 0:
		f.why += "; its period is its deadline"
	}
	if f.time == 0 {
		return rank{tier: untimed}, noFacts
	}
	return rank{tier: timed, time: f.time}, f.why
}

const noFacts = "no timing facts"

// A ranked is a group with its rank.
type ranked struct {
	index  int // by declaration
	rank   rank
	member Member
}

// rankGroup gives a group the rank of its most urgent callback.
func (a *assignment) rankGroup(index int) ranked {
	g := &a.groups[index]
	r := ranked{index, rank{tier: untimed}, Member{Group: g.Name, Why: noFacts}}
	for i := range g.Callbacks {
		c := &g.Callbacks[i]
		if k, why := a.rankOf(c); k.compare(r.rank) < 0 {
			r.rank, r.member.Why = k, why
		}
		if p := a.period(c).time; p > 0 && (r.member.Period == 0 || p < r.member.Period) {
			r.member.Period = p
		}
	}
	return r
}
