package main

import "github.com/spf13/cobra"

func newPlan() *cobra.Command {
	c := &cobra.Command{
		Use:   "plan",
		Short: "Answer on paper, before anything runs",
		Long: `Answer on paper, before anything runs: by closed forms, and by a run in
virtual time where the answer depends on what happens when.`,
	}
	c.AddCommand(newPlanFrames(), newPlanClock(), newPlanLoop(), newPlanSnowball(), newPlanSystem())
	return c
}
