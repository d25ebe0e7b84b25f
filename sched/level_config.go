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
	}
	if err := c.Trigger.check(c.Callbacks); err != nil {
		return fmt.Errorf("level: %w", err)
	}
	return nil
}
