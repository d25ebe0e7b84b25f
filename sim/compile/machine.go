package compile

import (
	"strconv"

	"github.com/takt-rt/takt/model"
)

// machine sets the CPUs. Threads are pinned to one each, or none is.
func (b *builder) machine() error {
	m := &b.Machine
	if m.CPUs < 0 {
		return b.fail(m.Line, "machine.cpus", "is "+strconv.Itoa(m.CPUs), "write 1 or more")
	}
	b.built.System.CPUs = b.cpus()
	switch m.Preemption {
	case "", model.FullPreemption:
	case model.NoPreemption:
		b.built.System.Equal = true
	default:
		return b.fail(m.Line, "machine.preemption", "is "+strconv.Quote(string(m.Preemption)), "write full or none")
	}
	return nil
}

func (b *builder) cpus() int { return max(b.Machine.CPUs, 1) }
