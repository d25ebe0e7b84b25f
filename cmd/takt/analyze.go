package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/report"
)

func newAnalyze() *cobra.Command {
	var m measurement
	var asJSON, verbose, article, replayed bool
	c := &cobra.Command{
		Use:   "analyze FILE...",
		Short: "Report on the timing of recordings, captures and traces",
		Long: `Report on the timing of recordings: rosbag2 directories, .db3 and .mcap files,
either packed with zstd; captures of the network, pcap or pcapng, as tcpdump -w
writes them (docs/captures.md); traces of ros2_tracing, the directory that LTTng
wrote; rows that a node wrote of its own callbacks, as CSV or JSON lines
(docs/rows.md); and timelines that takt saved.

The report says how fast simulated time ran, at what rates messages came on
both clocks, how old they were, where the gaps are and whose they are. Of
callbacks it says how late they started, which missed the deadline and which
releases of the timer were skipped. Of a capture it says what each reader got,
what was lost and whose loss it was, and what was sent again.`,
		Example: `  takt analyze my_bag
  takt analyze --topic '/camera/*' my_bag
  takt analyze --times --json big.mcap
  takt analyze capture.pcap
  takt analyze ~/lttng-traces/my_session
  takt analyze loop.csv --period 10ms --deadline 10ms --timer-clock ros`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if m.save != "" && len(args) > 1 {
				return fmt.Errorf("--save takes one recording, not %d", len(args))
			}
			if m.html.wanted() && len(args) > 1 {
				return fmt.Errorf("--html takes one recording, not %d", len(args))
			}
			if err := m.loop.check(c); err != nil {
				return err
			}
			if article {
				if err := checkArticle(&m, asJSON); err != nil {
					return err
				}
			}
			for i, name := range args {
				if replayed {
					if err := showReplay(c, &m, name, asJSON); err != nil {
						return err
					}
					continue
				}
				r, err := m.run(c.Context(), name)
				if err != nil {
					return err
				}
				if article {
					if err := showArticle(c, r); err != nil {
						return err
					}
					continue
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
	m.loop.flags(c)
	m.html.flag(c)
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON (docs/report.schema.json), one value for each recording")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show every finding, topic and transform")
	c.Flags().BoolVar(&replayed, "replay", false, "instead of the report, put a trace through the scheduling machines and say where the callbacks came otherwise (docs/replay.md)")
	c.Flags().BoolVar(&article, "article", false, "write one line of JSON for each callback, with the keys and the rounding of the published experiment")
	c.Flags().StringVar(&m.save, "save", "", "save the timeline to the `FILE`, a small MCAP that analyze reads again")
	c.MarkFlagsMutuallyExclusive("replay", "article")
	c.MarkFlagsMutuallyExclusive("replay", "save")
	c.MarkFlagsMutuallyExclusive("replay", "html")
	c.MarkFlagsMutuallyExclusive("replay", "times")
	return c
}

// checkArticle sets the measurement up for the published form.
func checkArticle(m *measurement, asJSON bool) error {
	if asJSON {
		return errors.New("--article and --json are two forms of output; leave one out")
	}
	if m.loop.period == 0 {
		return errors.New("--article needs the timer's --period, such as --period 10ms")
	}
	m.nearest = true
	return nil
}

// showArticle writes the callbacks in the published form; what there is to say
// of the source goes beside it.
func showArticle(c *cobra.Command, r *report.Report) error {
	for _, p := range r.Source.Problems {
		fmt.Fprintf(c.ErrOrStderr(), "takt: %s: %s\n", r.Source.Path, p)
	}
	return report.Article(c.OutOrStdout(), r.Loops)
}

// show writes a report to standard output.
func show(c *cobra.Command, r *report.Report, asJSON, verbose bool) error {
	if asJSON {
		return report.JSON(c.OutOrStdout(), r)
	}
	return report.Text(c.OutOrStdout(), r, textOptions(verbose))
}
