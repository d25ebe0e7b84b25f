package rtps

import (
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Lease says whether a remote writer is alive: as long as something
// refreshes it at intervals of at most Duration. It begins with the first
// Refresh, of which the match is one.
type Lease struct {
	Duration time.Duration // 0 never runs out
	until    clock.Mono
	state    leaseState
}

type leaseState uint8

const (
	neverAlive leaseState = iota
	alive
	lost
)

// Refresh notes a sign of life at now. It reports whether the lease had run
// out before, by a Tick: whether liveliness is regained.
func (l *Lease) Refresh(now clock.Mono) (regained bool) {
	regained = l.state == lost
	l.until, l.state = now.Add(l.Duration), alive
	return regained
}

// Next returns the first instant after the lease, the far future if it has run
// out or never does.
func (l *Lease) Next() clock.Mono {
	if l.Duration <= 0 || l.state != alive {
		return never
	}
	return l.until.Add(1)
}

// Tick reports whether the lease has run out since the last call.
func (l *Lease) Tick(now clock.Mono) (ranOut bool) {
	if now < l.Next() {
		return false
	}
	l.state = lost
	return true
}

// Alive reports whether the lease was refreshed and has not run out.
func (l *Lease) Alive() bool { return l.state == alive }
