package analysis

import "time"

// A fight is two publishers on one clock. Their values come interleaved, so
// the clock seems to jump to and fro; told apart, each runs on by itself.
type fight struct {
	a, b     chain
	onB      bool   // the last tick was b's
	switches uint64 // between a and b
}

// A chain is the ticks taken to be of one publisher.
type chain struct {
	first, last tick
	n           uint64
	backward    uint64
}

// fightAtLeast is how often the values must go to and fro before two
// publishers are the explanation: a restart or a loop goes once.
const fightAtLeast = 6

func (f *fight) tick(k tick) {
	onB := f.belongsToB(k)
	if onB != f.onB {
		f.switches++
		f.onB = onB
	}
	c := &f.a
	if onB {
		c = &f.b
	}
	if c.n == 0 {
		c.first = k
	} else if k.t < c.last.t {
		c.backward++
	}
	c.last = k
	c.n++
}

// belongsToB gives a tick to the chain whose last value is nearer. b comes to
// be at the first jump.
func (f *fight) belongsToB(k tick) bool {
	if f.a.n == 0 {
		return false
	}
	fromA := k.t.Sub(f.a.last.t)
	if f.b.n == 0 {
		return fromA < 0 || fromA >= jumpAtLeast
	}
	return closer(k.t.Sub(f.b.last.t), fromA, f.onB)
}

// closer reports whether a step b is more likely than a step a: the shorter
// one, a step back counting as long; of equals the chain that ticked last.
func closer(b, a time.Duration, onB bool) bool {
	if (b < 0) != (a < 0) {
		return a < 0
	}
	if b.Abs() == a.Abs() {
		return onB
	}
	return b.Abs() < a.Abs()
}

// on reports whether two publishers fought: values went to and fro, and the
// two chains explain nearly every step back.
func (f *fight) on(backward uint64) bool {
	return f.switches >= fightAtLeast && backward >= fightAtLeast/2 &&
		f.a.n > 2 && f.b.n > 2 && 4*(f.a.backward+f.b.backward) < backward
}

// rtf returns the chain's own real time factor, 0 if it spans no time.
func (c *chain) rtf() float64 {
	d := c.last.at.Sub(c.first.at)
	if d <= 0 {
		return 0
	}
	return ratio(c.last.t.Sub(c.first.t), d)
}
