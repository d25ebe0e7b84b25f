package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// questions are what people ask, and the command that answers.
var questions = []struct{ question, command string }{
	{"is my simulator slow", "takt analyze testdata/recordings/rosbag2/gz-startup-stall"},
	{"my bag at 10x has wrong times", "takt analyze testdata/examples/play-at-10x"},
	{"my camera drops frames", "takt analyze testdata/examples/camera-drops-frames"},
	{"does it keep what was promised", "takt check testdata/recordings/rosbag2/gz-mid-run --contracts testdata/examples/gz.takt.yaml"},
	{"what should I promise", "takt init testdata/recordings/rosbag2/gz-mid-run -o -"},
	{"did my own loop meet its deadlines", "takt analyze testdata/examples/loop.csv --period 10ms --deadline 10ms --timer-clock ros"},
	{"how slow must Gazebo run for a slow node", "takt plan frames --rate 16Hz --processing 250ms --worst 375ms --rtf 1,0.25,0.2"},
	{"how wrong is a node's now() at 10x", "takt plan clock --latency 5ms --clock-rate 100Hz --rtf 10"},
	{"what does a timer do after a late callback", "takt plan loop --period 10ms --exec 22ms --every 50 --for 5s"},
	{"do my callbacks fit on these CPUs", "takt plan system examples/s04/takt.yaml"},
	{"how do I set that in Gazebo", "takt gazebo plan testdata/worlds/shapes.sdf --rtf 0.2"},
	{"what is going on in my graph now", "takt watch --for 5s"},
	{"does my simulator keep what was promised now", "takt check --live --for 5s --contracts testdata/examples/sim.takt.yaml"},
	{"did my change help", "takt compare testdata/recordings/rosbag2/gz-startup-stall testdata/recordings/rosbag2/gz-short-stall"},
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "takt",
		Short: "Does a ROS 2 system run on time, and if not, what must change?",
		Long: `takt tells whether a ROS 2 system runs on time, and what to change if not.
It needs no ROS installation.

What people ask, and the command that answers (try it in a clone of takt):

` + questionTable(),
		Version:           version(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetVersionTemplate("takt {{.Version}}\n")
	root.AddCommand(newAnalyze(), newCheck(), newInit(), newCompare(), newPlan(), newGazebo(), newWatch(), newRecord())
	return root
}

func questionTable() string {
	var b strings.Builder
	for _, q := range questions {
		fmt.Fprintf(&b, "  %s?\n      %s\n", q.question, q.command)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// version is what the build knows of itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	v, dirty := info.Main.Version, ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && v == "(devel)":
			v = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true" && !strings.Contains(v, "dirty"):
			dirty = " with local changes"
		}
	}
	return v + dirty
}
