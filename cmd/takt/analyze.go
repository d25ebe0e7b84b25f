package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/report"
)

func newAnalyze() *cobra.Command {
	var m measurement
	var asJSON, verbose bool
	c := &cobra.Command{
		Use:   "analyze FILE...",
		Short: "Report on the timing of recordings",
		Long: `Report on the timing of recordings: rosbag2 directories, .db3 and .mcap files,
either packed with zstd, and timelines that takt saved.

The report says how fast simulated time ran, at what rates messages came on
both clocks, how old they were, where the gaps are and whose they are.`,
		Example: `  takt analyze my_bag
  takt analyze --topic '/camera/*' my_bag
  takt analyze --times --json big.mcap`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if m.save != "" && len(args) > 1 {
				return fmt.Errorf("--save takes one recording, not %d", len(args))
			}
			for i, name := range args {
				r, err := m.run(c.Context(), name)
				if err != nil {
					return err
				}
				if i > 0 && !asJSON {
					fmt.Fprintln(c.OutOrStdout())
				}
				if err := show(c, r, asJSON, verbose); err != nil {
					return err
				}
			}
			return nil
		},
	}
	m.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON (docs/report.schema.json), one value for each recording")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show every finding, topic and transform")
	c.Flags().StringVar(&m.save, "save", "", "save the timeline to the `FILE`, a small MCAP that analyze reads again")
	return c
}

// show writes a report to standard output.
func show(c *cobra.Command, r *report.Report, asJSON, verbose bool) error {
	if asJSON {
		return report.JSON(c.OutOrStdout(), r)
	}
	return report.Text(c.OutOrStdout(), r, textOptions(verbose))
}
