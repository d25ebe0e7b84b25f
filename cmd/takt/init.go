package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/report"
	"github.com/takt-rt/takt/timeline"
)

func newInit() *cobra.Command {
	var s subject
	var out string
	var force bool
	c := &cobra.Command{
		Use:   "init FILE|--live",
		Short: "Write a first system file, inferred from a recording or the live graph",
		Long: `Write a first system file, inferred from a recording or, with --live, from the
graph that runs now: nominal rates rounded sensibly, tolerances from the spread,
each line with a comment that says why. The recording passes on it; make the
promises yours from there. What a live graph does in 10s may not be all it does:
give it longer with --for.

Exit code 3: there is no live graph to be seen, and it is said why that may be.`,
		Example: `  takt init my_bag
  takt init my_bag -o -
  takt init loop.csv --period 10ms
  takt init --live --for 1min`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.check(c, args); err != nil {
				return err
			}
			if err := s.measure.loop.check(c); err != nil {
				return err
			}
			// A topic that is left out gets no contract.
			s.live.notice = func(f timeline.Finding) { fmt.Fprintln(c.ErrOrStderr(), noticeText(f)) }
			r, err := s.run(c.Context())
			if err != nil {
				return err
			}
			text, err := report.Infer(r)
			if err != nil {
				return fmt.Errorf("%s: %w", r.Source.Path, err)
			}
			if out == "-" {
				_, err := c.OutOrStdout().Write(text)
				return err
			}
			if err := create(out, text, force); err != nil {
				return err
			}
			fmt.Fprintf(c.ErrOrStderr(), "wrote %s; judge by it with: takt check %s --contracts %s\n", out, s.name, out)
			return nil
		},
	}
	s.flags(c)
	s.measure.loop.flags(c)
	c.Flags().StringVarP(&out, "output", "o", "takt.yaml", "the `FILE` to write; - for standard output")
	c.Flags().BoolVar(&force, "force", false, "overwrite the file if it exists")
	return c
}

// create writes a file that must not be there yet, unless forced.
func create(name string, data []byte, force bool) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(name, flags, 0o666)
	if os.IsExist(err) {
		return fmt.Errorf("%s exists; --force overwrites it, -o names another", name)
	}
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
