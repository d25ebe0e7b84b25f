package main

import (
	"bytes"
	"os"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/report"
)

func newCheck() *cobra.Command {
	var s subject
	var contracts, junit string
	var asJSON, verbose bool
	c := &cobra.Command{
		Use:   "check FILE|--live",
		Short: "Judge a recording or the live graph by the contracts of a system file",
		Long: `Judge a recording, or with --live the graph that runs now, by the contracts of a
system file. Of a live graph only the topics with a contract are read, whatever
their size, unless --topic names others.

Exit code 0: all contracts hold; 1: one is broken, or the recording or the look
at the graph cannot tell (a topic is absent, there are too few samples, the file
is partial); 2: the command line, the recording or the system file is wrong;
3: there is no live graph to be seen, and it is said why that may be.`,
		Example: `  takt check my_bag
  takt check my_bag --contracts robot.takt.yaml --junit timing.xml
  takt check --live --for 30s`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.check(c, args); err != nil {
				return err
			}
			system, err := model.Load(contracts)
			if err != nil {
				return err
			}
			s.judgeBy(system)
			r, err := s.run(c.Context())
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
	s.flags(c)
	s.measure.html.flag(c)
	c.Flags().StringVarP(&contracts, "contracts", "c", "takt.yaml", "system `FILE` with the contracts")
	c.Flags().StringVar(&junit, "junit", "", "write the results as JUnit XML to the `FILE`")
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON (docs/report.schema.json)")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show every finding, topic and transform")
	return c
}

// judgeBy has the subject judged by contracts. They name the topics that a live
// graph is asked for: no contract is judged by what takt chose to leave out, and
// silence is an answer.
func (s *subject) judgeBy(system *model.System) {
	s.measure.contracts = system
	if !s.isLive {
		return
	}
	s.live.silence = true
	if len(s.measure.topics) > 0 {
		return
	}
	if system.Clock != nil {
		s.measure.topics = append(s.measure.topics, system.Clock.Topic)
	}
	for i := range system.Topics {
		s.measure.topics = append(s.measure.topics, system.Topics[i].Name)
	}
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
