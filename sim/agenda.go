package sim

import (
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// An arrival is a message on its way.
type arrival struct {
	at     clock.Mono
	order  int64 // among arrivals of one instant: ticks, sources by number, then messages as published
	topic  int
	origin clock.Mono

	deadline clock.Mono // 0 is none
}

func (a *arrival) before(b *arrival) bool {
	return a.at < b.at || a.at == b.at && a.order < b.order
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

func (a *agenda) message(at clock.Mono, topic int, origin, deadline clock.Mono) {
	a.push(arrival{at: at, order: a.published, topic: topic, origin: origin, deadline: deadline})
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
