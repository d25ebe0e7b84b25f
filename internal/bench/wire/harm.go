//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// harms are what may run beside others' traffic: a takt watch that reads next to
// nothing, a sample a second, and one that reads all there is, so
// that each sample is sent to one reader more.
var harms = []struct {
	name string
	args []string // of takt watch; nil: it does not run
}{
	{"alone", nil},
	{"beside takt watch", []string{"DDSPerfCPUStats"}},
	{"read by takt watch", []string{"DDSPerf*", "--budget", "100MB/s"}},
}

// harm measures what takt watch costs others: the round trip of ddsperf's pings,
// a thousand a second, and the CPU time of a publisher of as many samples.
func (t *table) harm(o options, d *ddsperf) error {
	if o.takt == "" {
		return nil
	}
	for _, h := range harms {
		if err := t.harmed(o, d, h.name, h.args); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) harmed(o options, d *ddsperf, name string, args []string) error {
	if args != nil {
		stop, err := beside(o, args)
		if err != nil {
			return err
		}
		defer stop()
	}
	r, err := d.roundTripAt("1000Hz")
	if err != nil {
		return err
	}
	t.add("ddsperf round trip at 1 kHz, "+name+", median, µs", float64(r.MedianNs)/1e3)
	t.add("ddsperf round trip at 1 kHz, "+name+", p99, µs", float64(r.P99Ns)/1e3)
	used, err := d.publisher("1000Hz")
	if err != nil {
		return err
	}
	t.add("ddsperf pub at 1 kHz, "+name+", % of a core", used)
	return nil
}

// beside starts takt watch, which is ended by stop.
func beside(o options, args []string) (stop func(), err error) {
	c := exec.Command(o.takt, append([]string{"watch", "--json"}, args...)...)
	c.Env = append(os.Environ(), fmt.Sprint("ROS_DOMAIN_ID=", o.domain), "ROS_LOCALHOST_ONLY=1")
	c.Stdout, c.Stderr = io.Discard, os.Stderr
	if err := c.Start(); err != nil {
		return nil, err
	}
	time.Sleep(500 * time.Millisecond)
	return func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait() // its status is no matter here
	}, nil
}

// publisher returns what one that publishes at a rate, beside a subscriber, uses
// of a core, from its start to its end.
func (d *ddsperf) publisher(rate string) (percent float64, err error) {
	sub := d.command(d.o.seconds+3, []string{"sub"})
	if err := sub.Start(); err != nil {
		return 0, err
	}
	defer func() { _ = sub.Wait() }() // its status says only that the other left
	pub := d.command(d.o.seconds+2, []string{"pub", rate, "size", "100"})
	_ = pub.Run()
	used := pub.ProcessState.UserTime() + pub.ProcessState.SystemTime()
	return 100 * used.Seconds() / float64(d.o.seconds+2), nil
}
