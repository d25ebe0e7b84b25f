package interop

import (
	"sync"
	"testing"
)

// Rows that spend their time waiting run side by side, each in a domain of its
// own, so that their participants do not meet.
var (
	lanes  = make(chan string, 4)
	laneOf sync.Map // the domain of a test that has one, by its name
)

func init() {
	for _, d := range []string{domain, "54", "64", "74"} {
		lanes <- d
	}
}

// inLane lets a test run beside others, in a domain that none of them is in.
func inLane(t *testing.T) {
	t.Parallel()
	d := <-lanes
	laneOf.Store(t.Name(), d)
	t.Cleanup(func() {
		laneOf.Delete(t.Name())
		lanes <- d
	})
}

func domainOf(t *testing.T) string {
	if d, there := laneOf.Load(t.Name()); there {
		return d.(string)
	}
	return domain
}
