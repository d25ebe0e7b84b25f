package main

import (
	"bytes"
	"os"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/report"
)

func newCheck() *cobra.Command {
	var m measurement
	var contracts, junit string
	var asJSON, verbose bool
	c := &cobra.Command{
		Use:   "check FILE",
		Short: "Judge a recording by the contracts of a system file",
		Long: `Judge a recording by the contracts of a system file.

Exit code 0: all contracts hold; 1: one is broken, or the recording cannot tell
(a topic is absent, there are too few samples, the file is partial); 2: the
command line, the recording or the system file is wrong.`,
		Example: `  takt check my_bag
  takt check my_bag --contracts robot.takt.yaml --junit timing.xml`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			system, err := model.Load(contracts)
			if err != nil {
				return err
			}
			m.contracts = system
			r, err := m.run(c.Context(), args[0])
			if err != nil {
				return err
			}
			if err := writeJUnit(junit, r); err != nil {
				return err
			}
			if err := show(c, r, asJSON, verbose); err != nil {
				return err
			}
			if r.Verdict.Result != report.Pass {
				return errBroken
			}
			return nil
		},
	}
	m.flags(c)
	m.html.flag(c)
	c.Flags().StringVarP(&contracts, "contracts", "c", "takt.yaml", "system `FILE` with the contracts")
	c.Flags().StringVar(&junit, "junit", "", "write the results as JUnit XML to the `FILE`")
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON (docs/report.schema.json)")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show every finding, topic and transform")
	return c
}

func writeJUnit(name string, r *report.Report) error {
	if name == "" {
		return nil
	}
	var b bytes.Buffer
	if err := report.JUnit(&b, r); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o666)
}
