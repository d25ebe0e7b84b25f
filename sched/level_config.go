package sched

import (
	"errors"
	"fmt"
	"time"
)

// A LevelConfig describes a Level. The zero value of every field works.
type LevelConfig struct {
	Callbacks []Callback // by registration

	Drain     Drain
	GreedyCap int     // the most callbacks of one cycle with the drain Greedy; 0 is no limit
	Trigger   Trigger // over the level, beside those of its contexts

	// With a SpinPeriod, cycles start on a grid from 0 only: the next one at the
	// first instant of the grid after the start of this one and not before its
	// end. 0 starts a cycle as soon as there is something to run.
	SpinPeriod time.Duration

	// A cycle that has lasted CycleBudget or longer, on the clock, at the end of
	// a callback is over. What is left of it is rolled over: it stays ready,
	// keeps its base and goes first in its bucket; a greedy level has no list, and
	// nothing goes first. Without a SpinPeriod the next cycle starts at once, and
	// nothing is gained. 0 is no budget.
	CycleBudget time.Duration

	// LET lets subscriptions and fused callbacks read at the start of the cycle:
	// a job gets what was there then, even if newer samples came since, and what
	// it got cannot be overwritten. Services, clients and waitables are not
	// sampled. It is the reading half of logical execution time: what a callback
	// publishes goes out at its end. With the drain Latched only.
	LET bool

	// Budget is for all callbacks together, beside those of their contexts. It is
	// the executor's: a level whose thread the kernel holds to a budget has none.
	Budget Budget

	// CleanTime is how long a callback must miss no deadline before another miss
	// of it is reported; 0 means 1 s.
	CleanTime time.Duration
}

// A Drain says how far a cycle goes.
type Drain uint8

// The drains.
const (
	Latched Drain = iota // what was ready at its start; the rest waits for the next cycle
	Greedy               // until nothing is ready, looking again before every dispatch
)

func (c *LevelConfig) check() error {
	switch {
	case c.Drain > Greedy:
		return fmt.Errorf("unknown drain %d; use one of the constants", c.Drain)
	case c.GreedyCap < 0:
		return fmt.Errorf("a greedy cap of %d; give 0 for no limit, or more", c.GreedyCap)
	case c.GreedyCap > 0 && c.Drain != Greedy:
		return errors.New("a greedy cap with the drain Latched; set the drain")
	case c.SpinPeriod < 0:
		return fmt.Errorf("a spin period of %v; give 0 for none, or more", c.SpinPeriod)
	case c.CycleBudget < 0:
		return fmt.Errorf("a cycle budget of %v; give 0 for none, or more", c.CycleBudget)
	case c.LET && c.Drain != Latched:
		return errors.New("LET with the drain Greedy, whose cycle has no list to sample for; leave one out")
	case c.CleanTime < 0:
		return fmt.Errorf("a clean time of %v; give 0 for 1 s, or more", c.CleanTime)
	}
	if err := c.Budget.check(); err != nil {
		return fmt.Errorf("level: %w", err)
	}
	if err := c.Trigger.check(c.Callbacks); err != nil {
		return fmt.Errorf("level: %w", err)
	}
	return nil
}
