package levels

import (
	"fmt"
	"math"
)

// A Plan is an address plan: which priorities a kernel has, and whose they are.
// It is the platform's, and nobody else's; users declare timing only.
type Plan struct {
	SmallerIsUrgent bool // else the bigger number is the more urgent, as on Linux
	Range           Band // what the kernel takes, such as 1..99
	Pool            Band // for levels; less urgent than the band called transport
	Reserved        []Reserve
}

// A Band is priorities from Low to High, both included.
type Band struct{ Low, High int }

// String writes the band: 10..49, or 99 if it is one priority.
func (b Band) String() string {
	if b.Low == b.High {
		return fmt.Sprint(b.Low)
	}
	return fmt.Sprintf("%d..%d", b.Low, b.High)
}

func (b Band) has(p int) bool { return b.Low <= p && p <= b.High }

// A Reserve is a band that no level may have: for the threads of the transport,
// of drivers, and foreign ones that the runtime does not create.
type Reserve struct {
	Name string
	Band Band
}

// Transport is the band that every derived level is less urgent than, so that
// no level starves the link it publishes over.
const Transport = "transport"

// mostPriorities is how many a plan may have, so that a free one is soon found.
const mostPriorities = 1 << 16

// urgency makes the bigger number the more urgent, and the ordinary policy the
// least.
func (p *Plan) urgency(priority int, ordinary bool) int {
	switch {
	case ordinary:
		return math.MinInt
	case p.SmallerIsUrgent:
		return -priority
	}
	return priority
}

// least and most are the ends of a band, as urgencies.
func (p *Plan) least(b Band) int { return min(p.urgency(b.Low, false), p.urgency(b.High, false)) }
func (p *Plan) most(b Band) int  { return max(p.urgency(b.Low, false), p.urgency(b.High, false)) }

func (p *Plan) check(pins []Pin) error {
	if err := p.checkBands(); err != nil {
		return err
	}
	holder := map[int]string{}
	for i := range pins {
		pin := &pins[i]
		if pin.Priority == 0 {
			if pin.Above != "" {
				return fmt.Errorf("level %q is above the band %q but has no priority; give it one", pin.Name, pin.Above)
			}
			continue
		}
		if err := p.checkPin(pin); err != nil {
			return err
		}
		if other, taken := holder[pin.Priority]; taken {
			return fmt.Errorf("the levels %q and %q are both pinned at priority %d; move one", other, pin.Name, pin.Priority)
		}
		holder[pin.Priority] = pin.Name
	}
	return nil
}

func (p *Plan) checkBands() error {
	if p.Range.Low < 0 || p.Range.Low > p.Range.High || p.Range.High >= mostPriorities {
		return fmt.Errorf("a range of priorities of %v; give the lower one first, within 0..%d", p.Range, mostPriorities-1)
	}
	inside := func(b Band) bool { return b.Low <= b.High && p.Range.has(b.Low) && p.Range.has(b.High) }
	if !inside(p.Pool) {
		return fmt.Errorf("a pool of %v; give the lower priority first, within %v", p.Pool, p.Range)
	}
	for _, r := range p.Reserved {
		switch {
		case !inside(r.Band):
			return fmt.Errorf("the band %s of %v; give the lower priority first, within %v", r.Name, r.Band, p.Range)
		case r.Name == Transport && p.most(p.Pool) >= p.least(r.Band):
			return fmt.Errorf("the pool %v reaches into or above the band %s, %v; levels would starve the link they publish over: keep the pool less urgent", p.Pool, r.Name, r.Band)
		}
	}
	return nil
}

// checkPin checks a priority that was authored. It lies in the pool and in no
// band, or in or above bands that it names on purpose.
func (p *Plan) checkPin(pin *Pin) error {
	if !p.Range.has(pin.Priority) {
		return fmt.Errorf("level %q is pinned at priority %d, outside of %v", pin.Name, pin.Priority, p.Range)
	}
	above, named := math.MinInt, false // the most urgent band that it names
	for _, r := range p.Reserved {
		if r.Name == pin.Above {
			above, named = max(above, p.least(r.Band)), true
		}
	}
	if pin.Above != "" && !named {
		return fmt.Errorf("level %q is above %q, which is no reserved band", pin.Name, pin.Above)
	}
	at := p.urgency(pin.Priority, false)
	if named && at < above {
		return fmt.Errorf("level %q says that it is above the band %s, but its priority %d is not; leave that out", pin.Name, pin.Above, pin.Priority)
	}
	for _, r := range p.Reserved {
		low := p.least(r.Band)
		switch {
		case named && low <= above: // on purpose
		case r.Band.has(pin.Priority):
			return fmt.Errorf("level %q is pinned at priority %d, in the reserved band %s, %v; choose one of the pool %v, or say that it is above %s", pin.Name, pin.Priority, r.Name, r.Band, p.Pool, r.Name)
		case r.Name == Transport && at > low:
			return fmt.Errorf("level %q is pinned at priority %d, which outranks the band %s, %v; choose one of the pool %v, or say that it is above %s", pin.Name, pin.Priority, r.Name, r.Band, p.Pool, r.Name)
		}
	}
	if !p.Pool.has(pin.Priority) && !named {
		return fmt.Errorf("level %q is pinned at priority %d, outside of the pool %v", pin.Name, pin.Priority, p.Pool)
	}
	return nil
}
