//go:build linux

// Command wire measures takt's participant on loopback: one role to a process,
// or, as compare, all of them in turn with Cyclone DDS's ddsperf beside them.
// docs/performance.md says what the figures mean.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"time"
)

// A role is what a process does for some time; what it returns is printed as
// one line of JSON.
type role func(o options) (any, error)

var roles = map[string]role{
	"ping": ping, "pong": pong,
	"pub": publish, "sub": subscribe,
	"camera": camera, "viewer": viewer,
	"sensors": sensors, "observer": observer, "socket": socket,
	"crowd": crowd, "surveyor": surveyor,
}

type options struct {
	domain   int
	seconds  int // measured; a second of warming up comes before
	size     int // bytes of payload behind the encapsulation header
	batch    int // samples written together
	profile  string
	reliable bool   // of images
	only     string // which measurement of compare; "": all
	takt     string // the command, whose watch is measured too; "": it is not
}

func (o options) duration() time.Duration { return time.Duration(o.seconds) * time.Second }

func main() {
	log.SetFlags(0)
	var o options
	flag.IntVar(&o.domain, "domain", 46, "DDS domain")
	flag.IntVar(&o.seconds, "seconds", 5, "how long to measure")
	flag.IntVar(&o.size, "size", 12, "bytes of a sample")
	flag.IntVar(&o.batch, "batch", 1, "samples written together")
	flag.StringVar(&o.profile, "profile", "", "file for a CPU profile of the role")
	flag.BoolVar(&o.reliable, "reliable", false, "images are sent reliably")
	flag.StringVar(&o.takt, "takt", "", "compare: the takt command, to measure takt watch too")
	flag.StringVar(&o.only, "only", "", "compare: one of roundtrip, throughput, watching, images, crowd, harm; otherwise all")
	count := flag.Int("count", 5, "compare: how often each pair of programs runs")
	flag.Parse()
	if err := run(flag.Arg(0), o, *count); err != nil {
		log.Fatal(err)
	}
}

func run(name string, o options, count int) error {
	if name == "compare" {
		return compare(o, count)
	}
	r := roles[name]
	if r == nil {
		return fmt.Errorf("wire: no role %q; see the source for those there are", name)
	}
	stop, err := profile(o.profile)
	if err != nil {
		return err
	}
	defer stop()
	result, err := r(o)
	if err != nil || result == nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}
