// Package vnet is a network in virtual time, for tests: it loses, repeats,
// delays and so reorders datagrams, the same ones for the same seed.
//
// It reads no clock: whoever turns it sets its own to Next and calls Receive.
package vnet

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"time"

	"github.com/takt-rt/takt/clock"
)

// Conditions are what happens to datagrams. The zero Conditions deliver each
// of them once and at once.
type Conditions struct {
	Loss   float64       // share of datagrams that never arrive, 0 to 1
	Repeat float64       // share of the others that arrive twice
	Delay  time.Duration // each takes from 0 to this long, all equally likely
}

// A Net carries datagrams between addresses of type A.
type Net[A comparable] struct {
	Conditions // of what is sent from now on
	Sent, Lost int

	random *rand.Rand
	flight flight[A]
	number uint64
	spare  [][]byte
}

type datagram[A comparable] struct {
	at      clock.Mono
	number  uint64 // the first sent is the first of those that arrive together
	to      A
	payload []byte
}

// New returns a network without a datagram.
func New[A comparable](seed uint64, c Conditions) *Net[A] {
	return &Net[A]{Conditions: c, random: rand.New(rand.NewPCG(seed, 0))}
}

// Send takes a copy of a datagram.
func (n *Net[A]) Send(now clock.Mono, to A, payload []byte) {
	n.Sent++
	if n.random.Float64() < n.Loss {
		n.Lost++
		return
	}
	n.carry(now, to, payload)
	if n.random.Float64() < n.Repeat {
		n.carry(now, to, payload)
	}
}

func (n *Net[A]) carry(now clock.Mono, to A, payload []byte) {
	n.number++
	delay := time.Duration(n.random.Int64N(int64(n.Delay) + 1))
	d := datagram[A]{at: now.Add(delay), number: n.number, to: to}
	if k := len(n.spare); k > 0 {
		d.payload, n.spare = n.spare[k-1][:0], n.spare[:k-1]
	}
	d.payload = append(d.payload, payload...)
	heap.Push(&n.flight, d)
}

// Next returns when the next datagram arrives, the far future if there is none.
func (n *Net[A]) Next() clock.Mono {
	if len(n.flight) == 0 {
		return math.MaxInt64
	}
	return n.flight[0].at
}

// Receive returns the next datagram that has arrived by now; false if there is
// none. The payload is good until the next Send.
func (n *Net[A]) Receive(now clock.Mono) (to A, payload []byte, ok bool) {
	if n.Next() > now {
		return to, nil, false
	}
	d := heap.Pop(&n.flight).(datagram[A])
	n.spare = append(n.spare, d.payload)
	return d.to, d.payload, true
}

// A flight is the datagrams under way, the next to arrive first.
type flight[A comparable] []datagram[A]

func (f flight[A]) Len() int { return len(f) }
func (f flight[A]) Less(i, j int) bool {
	if f[i].at != f[j].at {
		return f[i].at < f[j].at
	}
	return f[i].number < f[j].number
}
func (f flight[A]) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *flight[A]) Push(x any)   { *f = append(*f, x.(datagram[A])) }
func (f *flight[A]) Pop() any {
	last := len(*f) - 1
	d := (*f)[last]
	(*f)[last] = datagram[A]{}
	*f = (*f)[:last]
	return d
}
