package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/internal/source/rows"
	"github.com/takt-rt/takt/report"
)

func newCompare() *cobra.Command {
	var m measurement
	var asJSON, all bool
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Lay two reports side by side",
		Long: `Lay two reports side by side: what changed, by how much, and whether that is
more than noise. A and B are recordings, or reports that --json wrote.`,
		Example: `  takt compare before_bag after_bag
  takt analyze --json monday_bag >monday.json; takt compare monday.json today_bag`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := m.loop.check(c); err != nil {
				return err
			}
			var sides [2]*report.Report
			for i, name := range args {
				r, err := m.reportOf(c.Context(), name)
				if err != nil {
					return err
				}
				sides[i] = r
			}
			d := report.Compare(sides[0], sides[1])
			if asJSON {
				return d.JSON(c.OutOrStdout())
			}
			return d.Text(c.OutOrStdout(), textOptions(all))
		},
	}
	m.flags(c)
	m.loop.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	c.Flags().BoolVar(&all, "all", false, "show every figure, also those within the noise")
	return c
}

// reportOf reads a report that was written as JSON, or makes one of a recording.
func (m *measurement) reportOf(ctx context.Context, name string) (*report.Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var first [1]byte
	if n, _ := f.ReadAt(first[:], 0); n == 0 || first[0] != '{' || rows.Is(f) {
		return m.run(ctx, name)
	}
	r, err := report.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
