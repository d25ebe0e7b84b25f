package plan

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/takt-rt/takt/model"
)

// A callbackRef is a callback and the node that it is of.
type callbackRef struct {
	*model.Callback
	node *model.Node
	name string // NODE/CALLBACK
}

// callbacksOf lists the callbacks of a system in its order.
func callbacksOf(d *model.Design) (list []callbackRef) {
	for i := range d.Nodes {
		n := &d.Nodes[i]
		for j := range n.Callbacks {
			list = append(list, callbackRef{&n.Callbacks[j], n, n.Name + "/" + n.Callbacks[j].Name})
		}
	}
	return list
}

// rates are how often callbacks run in the long run, per second of monotonic
// time, if every message finds a callback that takes it. Nothing is known of a
// callback whose messages go back to its own output alone, nor of one that takes
// all the messages there are at once.
type rates struct {
	callbacks map[string]*big.Rat // by NODE/CALLBACK; absent is unknown
	design    *model.Design
	refs      []callbackRef
	tick      *big.Rat // ticks of /clock; nil is without limit
	rtf       *big.Rat
}

// newRates follows messages from timers and sensors on. A rate that depends on
// others becomes known when they are, so a pass over all callbacks is repeated
// until nothing changes: at most once for each of them, as a path that does not
// come back to itself has no more callbacks than there are.
func newRates(d *model.Design) *rates {
	r := &rates{callbacks: map[string]*big.Rat{}, design: d, refs: callbacksOf(d), rtf: big.NewRat(1, 1)}
	if s := d.Simulation; s != nil {
		r.simulated(s)
	}
	for range len(r.refs) + 1 {
		if !r.pass() {
			break
		}
	}
	return r
}

// simulated takes the real time factor, and the rate of ticks in monotonic time.
func (r *rates) simulated(s *model.Simulation) {
	if s.RTF > 0 {
		r.rtf = decimal(s.RTF)
	}
	switch {
	case s.Rate > 0:
		r.tick = decimal(s.Rate)
	case s.Step > 0:
		r.tick = new(big.Rat).Quo(r.rtf, seconds(s.Step))
	}
}

// decimal returns the number that is written in as few digits as tell it from
// its neighbours: 0.1 and not the binary fraction next to it.
func decimal(x float64) *big.Rat {
	d, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	return d
}

func (r *rates) pass() (changed bool) {
	for i := range r.refs {
		c := &r.refs[i]
		now, before := r.of(c), r.callbacks[c.name]
		if now != nil && (before == nil || now.Cmp(before) != 0) {
			r.callbacks[c.name], changed = now, true
		}
	}
	return changed
}

// of returns the rate of a callback as far as the rates of others are known.
func (r *rates) of(c *callbackRef) *big.Rat {
	if c.TakeAll {
		return nil // the later it runs, the more it takes
	}
	switch c.Kind {
	case model.TimerCallback:
		if c.Timer.Once {
			return new(big.Rat)
		}
		return r.periodic(seconds(c.Timer.Period), c.Timer.OnROS && c.node.UseSimTime && r.design.Simulation != nil)
	case model.ClientCallback:
		return r.published(c.Inputs[0].Topic, c.node)
	case model.TriggerCallback:
		return r.trigger(c.Callback)
	}
	return r.published(c.Inputs[0].Topic, nil)
}

// periodic returns the rate of a period; nil if it is 0. On simulated time the
// real time factor stretches it, and a tick serves one release at most.
func (r *rates) periodic(period *big.Rat, onSim bool) *big.Rat {
	if period.Sign() == 0 {
		return nil
	}
	hz := new(big.Rat).Inv(period)
	if !onSim {
		return hz
	}
	hz.Mul(hz, r.rtf)
	if r.tick != nil && hz.Cmp(r.tick) > 0 {
		return r.tick
	}
	return hz
}

// trigger returns the rate of a callback with several inputs: at most that of
// the slowest if it needs all of them, else of all together. An input that
// waits for the callback's own output sets no other limit.
func (r *rates) trigger(c *model.Callback) *big.Rat {
	var hz *big.Rat
	for _, in := range c.Inputs {
		switch of := r.published(in.Topic, nil); {
		case of == nil && c.Any:
			return nil
		case of == nil:
		case hz == nil:
			hz = new(big.Rat).Set(of)
		case c.Any:
			hz.Add(hz, of)
		case of.Cmp(hz) < 0:
			hz.Set(of)
		}
	}
	return hz
}

// published returns how often something is sent under a name: the messages of a
// topic, the requests of a service, or if a node is given the responses of a
// service to it, one for each of its requests. It is nil while one of the
// senders is unknown.
func (r *rates) published(name string, to *model.Node) *big.Rat {
	sum := new(big.Rat)
	for i := range r.refs {
		c := &r.refs[i]
		n := count(c.Calls, name)
		if to == nil {
			n += count(c.Publishes, name)
		} else if c.node != to {
			n = 0
		}
		if n == 0 {
			continue
		}
		hz := r.callbacks[c.name]
		if hz == nil {
			return nil
		}
		sum.Add(sum, new(big.Rat).Mul(hz, big.NewRat(int64(n), 1)))
	}
	if to == nil {
		for i := range r.design.Sensors {
			if s := &r.design.Sensors[i]; slices.Contains(s.Publishes, name) {
				sum.Add(sum, r.sensor(s))
			}
		}
	}
	return sum
}

// sensor returns the rate of a sensor. One that publishes at given times has
// none in the long run, so that between the first and the last of them is taken.
func (r *rates) sensor(s *model.Sensor) *big.Rat {
	if n := len(s.Times); n > 1 && s.Times[n-1] > s.Times[0] {
		each := seconds(s.Times[n-1] - s.Times[0])
		return r.periodic(each.Quo(each, big.NewRat(int64(n-1), 1)), s.OnSim)
	}
	if hz := r.periodic(seconds(s.Period), s.OnSim); hz != nil {
		return hz
	}
	return new(big.Rat)
}

func count(list []string, name string) (n int) {
	for _, s := range list {
		if s == name {
			n++
		}
	}
	return n
}
