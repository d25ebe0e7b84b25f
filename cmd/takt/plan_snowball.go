package main

import (
	"fmt"
	"math/big"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/internal/plan"
)

func newPlanSnowball() *cobra.Command {
	var a duration
	var b factors
	rtf := factors{big.NewRat(1, 1)}
	var asJSON bool
	c := &cobra.Command{
		Use:   "snowball --a TIME --b NUMBER",
		Short: "Whether a computation that grows with its interval settles",
		Long: `Whether a computation that grows with its interval settles: a node works on all
that came since its last round, so that a round takes a + b x interval of wall
time, and the next interval is the real time factor times that. The rounds
settle on r a / (1 - r b) of simulated time if r b < 1, and grow without limit
otherwise. That the time grows linearly is an assumption: measure it.`,
		Example: `  takt plan snowball --a 200ms --b 0.5 --rtf 1.5`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if a == 0 {
				return fmt.Errorf("nothing says what a round takes at least; add --a 200ms")
			}
			slope, err := one("b", b)
			if err != nil {
				return err
			}
			factor, err := one("rtf", rtf)
			if err != nil {
				return err
			}
			s := plan.NewSnowball(big.NewRat(int64(a), int64(time.Second)), slope, factor)
			if asJSON {
				return plan.JSON(c.OutOrStdout(), s)
			}
			return s.Text(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.Var(&a, "a", "wall time that a round takes whatever its interval, such as 200ms")
	f.Var(&b, "b", "wall seconds more for each simulated second of interval, such as 0.5")
	f.Var(&rtf, "rtf", "real time factor")
	f.BoolVar(&asJSON, "json", false, "write JSON (docs/plan-snowball.schema.json)")
	return c
}

// one returns the only number of a flag that could hold several.
func one(flag string, list factors) (*big.Rat, error) {
	if len(list) != 1 {
		return nil, fmt.Errorf("--%s has %d numbers; write one, such as --%s 0.5", flag, len(list), flag)
	}
	return list[0], nil
}
