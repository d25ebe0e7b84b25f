package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/internal/plan"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/ros"
)

// framesFlags are the flags of takt plan frames.
type framesFlags struct {
	rate                         rate
	processing, worst, overhead  duration
	pattern                      durations
	times, by, depth, qos, taken string
	rtfs                         factors
	margin                       share
	frames                       count
	length                       duration
}

// A count is a flag for a number of things, such as 960; zero until it is given.
type count int

func (n *count) Type() string   { return "count" }
func (n *count) String() string { return strconv.Itoa(int(*n)) }

func (n *count) Set(text string) error {
	v, err := strconv.ParseInt(text, 10, 32)
	if err != nil || v < 1 {
		return fmt.Errorf("%q is not a count; write a whole number from 1 on, such as 960", text)
	}
	*n = count(v)
	return nil
}

func newPlanFrames() *cobra.Command {
	var o framesFlags
	var asJSON bool
	var html htmlFile
	c := &cobra.Command{
		Use:   "frames --rate RATE --processing TIME",
		Short: "Which real time factor a slow node needs, and which frames it drops",
		Long: `Which real time factor a slow node needs, and which frames it drops: a sensor
publishes at a fixed rate in simulated time, one callback thread takes so long
for each frame on the wall, and a history stands between them. The limits and
shares are closed forms; the frames are followed one by one in virtual time.
docs/plan-frames.md says what each figure means.`,
		Example: `  takt plan frames --rate 16Hz --processing 250ms --worst 375ms --rtf 1,0.25,0.2
  takt plan frames --rate 16Hz --pattern 250ms,250ms,250ms,375ms --rtf 0.25 --depth 1 --frames 32
  takt plan frames --rate 30Hz --times measured.txt --qos sensor_data --length 10min`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := o.plan(c.Context())
			if err != nil {
				return err
			}
			if err := html.write(p.HTML); err != nil {
				return err
			}
			if asJSON {
				return plan.JSON(c.OutOrStdout(), p)
			}
			return p.Text(c.OutOrStdout())
		},
	}
	o.add(c)
	html.flag(c)
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON (docs/plan-frames.schema.json)")
	return c
}

func (o *framesFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.Var(&o.rate, "rate", "frames per second of simulated time, such as 16Hz")
	f.Var(&o.processing, "processing", "wall time of a typical frame (default the median of --pattern or --times)")
	f.Var(&o.worst, "worst", "wall time of the slowest frame (default the longest known)")
	f.Var(&o.pattern, "pattern", "what the frames of the run take, in turn, such as 250ms,250ms,375ms")
	f.StringVar(&o.times, "times", "", "the same from a `FILE` of measured times, a duration on each line")
	f.StringVar(&o.by, "by", "frame", "what --pattern and --times count: frame or callback")
	f.Var(&o.overhead, "overhead", "what the thread needs beside each callback, such as 0.7ms")
	f.Var(&o.rtfs, "rtf", "real time factors (default 1 and the recommended one)")
	f.Var(&o.margin, "margin", "what is kept below the limit for the recommended RTF (default 20%)")
	f.StringVar(&o.qos, "qos", "", "QoS `profile` of the subscription: default (KEEP_LAST 10, reliable) or sensor_data (5, best effort)")
	f.StringVar(&o.depth, "depth", "", "depth `N` of its history instead, or all for KEEP_ALL")
	f.StringVar(&o.taken, "take", "before-callback", "when the client library takes a sample: before-callback (rclcpp, rclpy) or at-once (ros2_rust)")
	f.Var(&o.frames, "frames", "how many frames the run has (default what --length holds)")
	f.Var(&o.length, "length", "simulated time, for the wall time it takes (default what --frames take, else 1min)")
	c.MarkFlagsMutuallyExclusive("pattern", "times")
	c.MarkFlagsMutuallyExclusive("depth", "qos")
}

func (o *framesFlags) plan(ctx context.Context) (*plan.Frames, error) {
	s := plan.FramesSetup{
		Rate: o.rate.hz, Processing: time.Duration(o.processing), Worst: time.Duration(o.worst), Times: o.pattern,
		Overhead: time.Duration(o.overhead), RTFs: o.rtfs, Margin: o.margin.of1,
		Frames: int(o.frames), Length: time.Duration(o.length),
	}
	if err := o.words(&s); err != nil {
		return nil, err
	}
	if o.times != "" {
		f, err := os.Open(o.times)
		if err != nil {
			return nil, fmt.Errorf("--times: %w", err)
		}
		defer f.Close()
		if s.Times, err = plan.ReadTimes(o.times, f); err != nil {
			return nil, err
		}
	}
	return plan.NewFrames(ctx, s)
}

// words reads the flags that take one of a few words.
func (o *framesFlags) words(s *plan.FramesSetup) error {
	switch o.by {
	case "frame":
	case "callback":
		if len(o.pattern) == 0 && o.times == "" {
			return fmt.Errorf("--by callback counts nothing without --pattern or --times; add one of them")
		}
		s.ByCallback = true
	default:
		return fmt.Errorf("--by %s: write frame or callback", o.by)
	}
	switch o.taken {
	case "before-callback":
	case "at-once":
		s.AtOnce = true
	default:
		return fmt.Errorf("--take %s: write before-callback or at-once", o.taken)
	}
	return o.history(s)
}

// history reads the depth or the profile; without either a ROS 2 subscription
// has the default profile.
func (o *framesFlags) history(s *plan.FramesSetup) error {
	switch {
	case o.depth == "all":
		return nil
	case o.depth != "":
		var n count
		if n.Set(o.depth) != nil {
			return fmt.Errorf("--depth %s: write a whole number from 1 on, or all for KEEP_ALL", o.depth)
		}
		s.Depth = int(n)
	case o.qos == "" || o.qos == "default":
		s.Depth, s.Reliability = profile(ros.DefaultQoS())
	case o.qos == "sensor_data":
		s.Depth, s.Reliability = profile(ros.SensorDataQoS())
	default:
		return fmt.Errorf("--qos %s: write default or sensor_data", o.qos)
	}
	return nil
}

func profile(p qos.Policies) (depth int, reliability string) {
	return p.History.Depth, p.Reliability.String()
}
