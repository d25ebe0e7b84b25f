package interop

import (
	"flag"
	"fmt"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

// options are those of peers/peer.h that takt's peer knows.
type options struct {
	role                     string // pub, sub
	domain                   int
	topic, typeName          string
	form                     string
	reliable, transientLocal bool
	depth                    int           // 0: keep all
	deadline, lease          time.Duration // 0: infinite
	liveliness               string
	participantLease         time.Duration // 0: takt's own
	count                    int           // 0: without end
	rate                     float64       // samples per second
	size                     int           // bytes, with the encapsulation header
	greet                    bool
}

// parseOptions reads a command line: the role first, then flags.
func parseOptions(args []string) (*options, error) {
	if len(args) == 0 || args[0] != "pub" && args[0] != "sub" {
		return nil, fmt.Errorf("command line %q: want pub or sub first", args)
	}
	o := &options{role: args[0]}
	f := flag.NewFlagSet(o.role, flag.ContinueOnError)
	f.IntVar(&o.domain, "domain", 0, "")
	f.StringVar(&o.topic, "topic", "rt/blob", "")
	f.StringVar(&o.typeName, "type", "samples::Blob", "")
	f.StringVar(&o.form, "form", "blob", "")
	f.BoolVar(&o.reliable, "reliable", false, "")
	f.BoolVar(&o.transientLocal, "transient-local", false, "")
	f.IntVar(&o.depth, "depth", 1, "")
	milliseconds(f, &o.deadline, "deadline-ms")
	milliseconds(f, &o.lease, "lease-ms")
	f.StringVar(&o.liveliness, "liveliness", "automatic", "")
	milliseconds(f, &o.participantLease, "participant-lease-ms")
	f.IntVar(&o.count, "count", 0, "")
	f.Float64Var(&o.rate, "rate", 0, "")
	f.IntVar(&o.size, "size", 12, "")
	f.BoolVar(&o.greet, "greet", false, "")
	if err := f.Parse(args[1:]); err != nil {
		return nil, err
	}
	if formats[o.form] == nil {
		return nil, fmt.Errorf("--form %q: want clock, blob or text", o.form)
	}
	return o, nil
}

func milliseconds(f *flag.FlagSet, d *time.Duration, name string) {
	f.Func(name, "", func(text string) (err error) {
		*d, err = time.ParseDuration(text + "ms")
		return err
	})
}

func (o *options) endpoint() rtps.EndpointConfig {
	p := qos.Policies{History: qos.History{KeepAll: o.depth == 0, Depth: o.depth}, Liveliness: map[string]qos.Liveliness{
		"participant": qos.ManualByParticipant, "topic": qos.ManualByTopic,
	}[o.liveliness]}
	if o.reliable {
		p.Reliability = qos.Reliable
	}
	if o.transientLocal {
		p.Durability = qos.TransientLocal
	}
	if o.deadline > 0 {
		p.Deadline = qos.Within(o.deadline)
	}
	if o.lease > 0 {
		p.Lease = qos.Within(o.lease)
	}
	return rtps.EndpointConfig{Topic: o.topic, Type: o.typeName, QoS: p, UserData: []byte("interop;")}
}
