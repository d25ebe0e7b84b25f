package pcap

import (
	"slices"
	"sort"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// What is kept one by one for a writer and a reader; what is beyond is counted.
const (
	maxLate     = 4096
	maxJumps    = 4096
	maxAsked    = 4096
	maxSilences = 256
)

// A Reception is what one reader got of one writer, over all addresses it is
// reached at, until it left. It is the view of the place of capture: what was
// lost behind it counts as received.
//
// A sample counts once the last of its fragments came. A best-effort reader
// gives up what is missing when a later sample comes, and no longer takes it
// afterwards. A reliable one waits until a GAP, or the first number of a
// HEARTBEAT, says that the writer has it no more.
type Reception struct {
	Reader, Writer *Endpoint

	Messages  uint64     // DATA and DATA_FRAG, repeats included
	FirstAt   clock.Wall // of the first sample; with Received
	LastAt    clock.Wall
	Repeated  uint64 // samples that came again
	Late      []Late // samples that came after a later one, as they came
	LateCount uint64
	Refused   uint64 // samples that were not counted, since the holes were too many to keep

	Lost        uint64 // given up: lost on the wire
	Overwritten uint64 // given up: the writer had it no more

	AckNacks  uint64
	NackFrags uint64
	Acked     wire.SequenceNumber // all below is acknowledged; 0: nothing was
	Silences  []Silence           // over a second without an ACKNACK, after the first sample

	Fragments assemblies

	seen, settled, nacked, repaired, nackFragged numbers

	jumps   []jump
	asked   map[wire.SequenceNumber]uint32
	answer  clock.Wall // the latest ACKNACK
	waiting int        // HEARTBEATs since then that required an answer
	graph   *Graph
}

// A Late is a sample that came after a later one.
type Late struct {
	Sequence wire.SequenceNumber
	Delay    wire.Optional[time.Duration] // since the first later one came; absent: unknown
}

// A Silence is a pause between two ACKNACKs of a reader.
type Silence struct {
	From, To clock.Wall
	Asked    int // HEARTBEATs between that required an answer
}

// A jump is where a later sample came and left a hole.
type jump struct {
	Range
	at clock.Wall
}

// Received returns how many samples came.
func (r *Reception) Received() uint64 { return r.seen.n }

// First and Last return the lowest and the highest sample that came, of which
// there must be one.
func (r *Reception) First() wire.SequenceNumber { return r.seen.first() }

// Last is explained at First.
func (r *Reception) Last() wire.SequenceNumber { return r.seen.last() }

// Missing returns the samples between First and Last that never came.
func (r *Reception) Missing() []Range { return r.seen.holes() }

// Nacked returns the samples that the reader asked for, and Repaired those of
// them that came then.
func (r *Reception) Nacked() []Range { return r.nacked.ranges }

// Repaired is explained at Nacked.
func (r *Reception) Repaired() []Range { return r.repaired.ranges }

// NeverRepaired returns the samples that the reader asked for and never got.
func (r *Reception) NeverRepaired() []Range { return r.nacked.without(&r.seen) }

// NackFragged returns the samples of which the reader asked for fragments.
func (r *Reception) NackFragged() []Range { return r.nackFragged.ranges }

func (r *Reception) reliable() bool { return r.Reader.QoS.Reliability == qos.Reliable }

// take notes that a sample came whole.
func (r *Reception) take(m *sample) {
	n, at := m.number, m.at
	high, began := wire.SequenceNumber(0), !r.seen.empty()
	if began {
		high = r.seen.last()
	}
	added, ok := r.seen.add(n)
	switch {
	case !ok:
		r.Refused++
		return
	case !added:
		r.Repeated++
		return
	case !began:
		r.FirstAt = at
	case n < high:
		r.late(n, at)
	case n > high+1:
		r.jump(Range{high + 1, n - 1}, at)
	}
	r.LastAt = at
	asked := r.asked[n]
	delete(r.asked, n)
	if r.nacked.has(n) {
		r.repaired.add(n)
	}
	if taken, _ := r.settled.add(n); taken && r.graph.observer != nil {
		r.graph.observer.received(r, m, asked)
	}
}

func (r *Reception) late(n wire.SequenceNumber, at clock.Wall) {
	r.LateCount++
	if len(r.Late) == maxLate {
		return
	}
	l := Late{Sequence: n}
	i := sort.Search(len(r.jumps), func(i int) bool { return r.jumps[i].Last >= n })
	if i < len(r.jumps) && r.jumps[i].First <= n {
		l.Delay = wire.Some(at.Sub(r.jumps[i].at))
	}
	r.Late = append(r.Late, l)
}

// jump notes the hole that a later sample showed.
func (r *Reception) jump(hole Range, at clock.Wall) {
	if len(r.jumps) == maxJumps {
		r.jumps = slices.Delete(r.jumps, 0, maxJumps/2)
	}
	r.jumps = append(r.jumps, jump{hole, at})
	if !r.reliable() {
		r.giveUp(hole, timeline.LostOnWire, at)
	}
}

// giveUp settles what did not come of a range.
func (r *Reception) giveUp(all Range, why timeline.DropReason, at clock.Wall) {
	gaps, _ := r.settled.fill(all, nil)
	for _, g := range gaps {
		if why == timeline.LostOnWire {
			r.Lost += g.Len()
		} else {
			r.Overwritten += g.Len()
		}
		if r.graph.observer != nil {
			r.graph.observer.dropped(r, g, why, at)
		}
	}
}

// end settles what was still missing when the capture ended.
func (r *Reception) end(at clock.Wall) {
	if !r.seen.empty() {
		r.giveUp(Range{r.seen.first(), r.seen.last()}, timeline.LostOnWire, at)
	}
}

// skip settles what a reliable writer says it no longer has. What was before
// the first sample was never for this reader.
func (r *Reception) skip(all Range, at clock.Wall) {
	if r.seen.empty() || !r.reliable() {
		return
	}
	if all.First = max(all.First, r.seen.first()); all.First <= all.Last {
		r.giveUp(all, timeline.OverwrittenAtWriter, at)
	}
}

func (r *Reception) heartbeat(h wire.Heartbeat, at clock.Wall) {
	if !h.Final {
		r.waiting++
	}
	r.skip(Range{1, h.First - 1}, at)
}

func (r *Reception) gap(g *wire.Gap, at clock.Wall) {
	r.skip(Range{g.Start, g.List.Base - 1}, at)
	for n := range g.List.All() {
		r.skip(Range{n, n}, at)
	}
}

func (r *Reception) ackNack(a *wire.AckNack, at clock.Wall) {
	r.AckNacks++
	r.Acked = max(r.Acked, a.Missing.Base)
	pause := at.Sub(r.answer)
	if !r.seen.empty() && r.answer >= r.FirstAt && pause > time.Second && len(r.Silences) < maxSilences {
		r.Silences = append(r.Silences, Silence{r.answer, at, r.waiting})
	}
	r.answer, r.waiting = at, 0
	for n := range a.Missing.All() {
		r.nacked.add(n)
		if r.asked == nil || len(r.asked) == maxAsked {
			r.asked = map[wire.SequenceNumber]uint32{}
		}
		if !r.settled.has(n) {
			r.asked[n]++
		}
	}
}

func (r *Reception) nackFrag(n *wire.NackFrag) {
	r.NackFrags++
	r.nackFragged.add(n.Sequence)
}
