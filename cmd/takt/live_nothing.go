package main

import (
	"fmt"
	"strings"

	"github.com/takt-rt/takt/ros"
)

// A lacking error says that the environment lacks something: exit code 3.
type lacking struct{ error }

func (l *lacking) Unwrap() error { return l.error }

// A nothingSeen error says that nothing was heard of a graph, and why that may
// be: exit code 3.
type nothingSeen struct {
	domain  int
	reasons []ros.Reason
}

func (n *nothingSeen) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "nothing was heard in domain %d:", n.domain)
	for _, r := range n.reasons {
		fmt.Fprintf(&b, "\n  %s\n    -> %s", r.Problem, r.Remedy)
	}
	return b.String()
}

// nothing says why nothing was heard: first what takt itself left out.
func (s *liveSession) nothing() error {
	o := s.network.Outlook()
	n := &nothingSeen{domain: o.Environment.Domain}
	for _, f := range s.left {
		n.reasons = append(n.reasons, ros.Reason{Problem: f.Subject + " was " + f.Text, Remedy: f.Remedy})
	}
	if len(s.measure.topics) > 0 && o.Endpoints > 0 {
		n.reasons = append(n.reasons, ros.Reason{
			Problem: fmt.Sprintf("only %s was listened to", strings.Join(s.measure.topics, ", ")),
			Remedy:  "name other topics, or none for all",
		})
	}
	n.reasons = append(n.reasons, ros.WhyNothing(o)...)
	return n
}
