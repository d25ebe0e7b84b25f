package sched

import (
	"slices"

	"github.com/takt-rt/takt/clock"
)

// releases are the next releases of a thread's timers. Most threads have few;
// blocks keep those that have hundreds from being slow.
type releases struct {
	due   []clock.Mono // of each timer
	first []clock.Mono // of each block of timers
	next  clock.Mono   // of all
}

const block = 16

// add adds a timer.
func (r *releases) add(due clock.Mono) {
	if len(r.due)%block == 0 {
		r.first = append(r.first, Never)
	}
	r.due = append(r.due, due)
	r.set(len(r.due)-1, due)
}

// set sets the next release of a timer.
func (r *releases) set(timer int, due clock.Mono) {
	r.due[timer] = due
	b := timer / block
	r.first[b] = earliest(r.due[b*block : min(len(r.due), b*block+block)])
	r.next = earliest(r.first)
}

// soonest returns the first timer whose next release is the next of all. There
// must be a timer.
func (r *releases) soonest() int {
	b := slices.Index(r.first, r.next)
	return b*block + slices.Index(r.due[b*block:], r.next)
}

// upTo yields the timers whose next releases are not after now, in order.
func (r *releases) upTo(now clock.Mono, yield func(timer int) bool) {
	if r.next > now {
		return
	}
	for b, first := range r.first {
		if first > now {
			continue
		}
		for i := b * block; i < min(len(r.due), b*block+block); i++ {
			if r.due[i] <= now && !yield(i) {
				return
			}
		}
	}
}

// after returns the earliest release after now.
func (r *releases) after(now clock.Mono) clock.Mono {
	if r.next > now {
		return r.next
	}
	next := Never
	for _, due := range r.due {
		if due > now {
			next = min(next, due)
		}
	}
	return next
}

func earliest(times []clock.Mono) clock.Mono {
	next := Never
	for _, t := range times {
		next = min(next, t)
	}
	return next
}
