package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/report"
)

func newInit() *cobra.Command {
	var m measurement
	var out string
	var force bool
	c := &cobra.Command{
		Use:   "init FILE",
		Short: "Write a first system file, inferred from a recording",
		Long: `Write a first system file, inferred from a recording: nominal rates rounded
sensibly, tolerances from the spread, each line with a comment that says why.
The recording passes on it; make the promises yours from there.`,
		Example: `  takt init my_bag
  takt init my_bag -o -
  takt init loop.csv --period 10ms`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := m.loop.check(c); err != nil {
				return err
			}
			r, err := m.run(c.Context(), args[0])
			if err != nil {
				return err
			}
			text, err := report.Infer(r)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if out == "-" {
				_, err := c.OutOrStdout().Write(text)
				return err
			}
			if err := create(out, text, force); err != nil {
				return err
			}
			fmt.Fprintf(c.ErrOrStderr(), "wrote %s; judge by it with: takt check %s --contracts %s\n", out, args[0], out)
			return nil
		},
	}
	m.flags(c)
	m.loop.flags(c)
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
