package sim

import (
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// An arrival is a message on its way.
type arrival struct {
	at     clock.Mono
	order  int64 // among arrivals of one instant: ticks, sources by number, then messages as published
	topic  int32
	client int32 // who published it; 0 is nobody in particular
	sent   clock.Mono
	origin clock.Mono

	deadline clock.Mono // 0 is none
}

// before reports whether a arrives before b. Messages of one source stay in
// order, too, where one had to wait for the other.
func (a *arrival) before(b *arrival) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	return a.order < b.order || a.order == b.order && a.sent < b.sent
}

// An agenda is a heap of arrivals.
type agenda struct {
	heap      []arrival
	published int64 // the order of the next message of a callback; begins at the number of sources
}

// next returns when the next message arrives.
func (a *agenda) next() clock.Mono {
	if len(a.heap) == 0 {
		return sched.Never
	}
	return a.heap[0].at
}

// message puts a message of a callback on its way.
func (a *agenda) message(e arrival) {
	e.order = a.published
	a.push(e)
	a.published++
}

func (a *agenda) push(e arrival) {
	a.heap = append(a.heap, e)
	for i := len(a.heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if !a.heap[i].before(&a.heap[parent]) {
			return
		}
		a.heap[i], a.heap[parent] = a.heap[parent], a.heap[i]
		i = parent
	}
}

func (a *agenda) pop() arrival {
	first, last := a.heap[0], len(a.heap)-1
	a.heap[0] = a.heap[last]
	a.heap = a.heap[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return first
		}
		if child+1 < last && a.heap[child+1].before(&a.heap[child]) {
			child++
		}
		if !a.heap[child].before(&a.heap[i]) {
			return first
		}
		a.heap[i], a.heap[child] = a.heap[child], a.heap[i]
		i = child
	}
}
