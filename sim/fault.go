package sim

import (
	"fmt"

	"github.com/takt-rt/takt/clock"
)

// A Fault is a missed deadline to which the reaction is sched.Fault: the run ends
// with the callbacks that end at that instant.
type Fault struct {
	At               clock.Mono
	Thread, Callback int // as in the System
}

// Error says so.
func (f *Fault) Error() string {
	return fmt.Sprintf("at %.9f s callback %d of thread %d misses its deadline, which ends the run; give it another reaction to go on", f.At.Seconds(), f.Callback, f.Thread)
}
