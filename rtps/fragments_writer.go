package rtps

import (
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

const (
	// fragmentsTogether is how many consecutive fragments one DATA_FRAG holds
	// at most; Cyclone DDS sends as many.
	fragmentsTogether = 10
	// besideFragments is what a datagram has besides fragments: header 20,
	// INFO_DST 16, INFO_TS 12, DATA_FRAG 36, HEARTBEAT or HEARTBEAT_FRAG 32.
	besideFragments = 116
)

// A fragmentRequest is what a NACK_FRAG asked for.
type fragmentRequest struct {
	sequence wire.SequenceNumber
	missing  wire.FragmentSet
}

// NackFrag takes a NACK_FRAG of the participant from. The answer comes with
// the Tick at Next, which may be at once. Of more requests than fit between
// two answers the last are ignored: the reader will ask again.
func (w *Writer) NackFrag(now clock.Mono, from wire.GUIDPrefix, n *wire.NackFrag) {
	p := w.index[wire.GUID{Prefix: from, Entity: n.Reader}]
	if p == nil || !p.reliable || n.Writer != w.c.GUID.Entity || n.Sequence > w.history.Last() || !p.countsFragments(n.Count) {
		return
	}
	p.heard = true  // who asks for parts of a sample knows where it starts
	w.progress(now) // and gets on with it, though it acknowledges nothing yet
	if len(p.fragments) < maxNackFrags && n.Sequence > p.acked {
		p.fragments = append(p.fragments, fragmentRequest{n.Sequence, n.Missing})
	}
	w.schedule(now, p)
}

// countsFragments reports whether a NACK_FRAG is newer than the last one, and
// notes it. The difference wraps around as the count does.
func (p *readerProxy) countsFragments(count int32) bool {
	if p.fragCounted && count-p.fragCount <= 0 {
		return false
	}
	p.fragCount, p.fragCounted = count, true
	return true
}

// isCut reports whether a sample goes in fragments.
func (w *Writer) isCut(c *Change) bool { return len(c.Payload) > w.c.FragmentSize }

// newFragments appends all fragments of a new sample for all readers. Reliable
// ones learn by a HEARTBEAT_FRAG behind all but the last how far they should be.
func (w *Writer) newFragments(out []Send, c *Change) []Send {
	total := w.total(c)
	for first := wire.FragmentNumber(1); first <= total; {
		n := min(w.together(c, first), total-first+1)
		out = append(out, w.dataFrag(c, wire.GUID{}, first, n))
		first += n
		if first <= total && w.reliable > 0 {
			w.fragCount++
			out = append(out, Send{Kind: wire.IDHeartbeatFrag, HeartbeatFrag: wire.HeartbeatFrag{
				Writer: w.c.GUID.Entity, Sequence: c.Sequence, Last: first - 1, Count: w.fragCount,
			}})
		}
	}
	return out
}

// repair appends a sample for one reader, without those fragments that have
// been repaired before, as far as the burst goes.
func (w *Writer) repair(out []Send, c *Change, p *readerProxy, left *int) []Send {
	if !w.isCut(c) {
		*left -= len(c.Payload)
		return append(out, w.data(c, p.guid))
	}
	total := w.total(c)
	for p.repaired < total && *left > 0 {
		first := p.repaired + 1
		n := min(w.together(c, first), total-p.repaired)
		out = w.repairRun(out, c, p, first, n, left)
		p.repaired += n
	}
	if p.repaired == total {
		p.repaired = 0
	}
	return out
}

// repairFragments takes what it appends from the fragments asked for, and from
// what is left of the burst. Samples before first that are gone get a GAP.
func (w *Writer) repairFragments(out []Send, p *readerProxy, first wire.SequenceNumber, left *int) []Send {
	for i := range p.fragments {
		r := &p.fragments[i]
		switch c := w.history.Get(r.sequence); {
		case *left <= 0:
			continue
		case r.sequence < first:
			out = append(out, w.gap(p, r.sequence, r.sequence+1))
		case c != nil && w.isCut(c):
			out = w.repairSet(out, c, p, &r.missing, left)
			continue
		case c != nil:
			out = w.repair(out, c, p, left)
		}
		r.missing = wire.FragmentSet{}
	}
	p.fragments = slices.DeleteFunc(p.fragments, func(r fragmentRequest) bool { return r.missing.Len() == 0 })
	return out
}

// repairSet appends those fragments of a set that the sample has, consecutive
// ones together, and takes them from the set.
func (w *Writer) repairSet(out []Send, c *Change, p *readerProxy, set *wire.FragmentSet, left *int) []Send {
	var first, n wire.FragmentNumber
	rest := wire.FragmentSet{Base: set.Base}
	for k := range set.All() {
		if k > w.total(c) {
			break
		}
		if n > 0 && (k != first+n || n == w.together(c, first)) {
			out = w.repairRun(out, c, p, first, n, left)
			n = 0
		}
		switch {
		case n > 0:
			n++
		case *left > 0:
			first, n = k, 1
		default:
			rest.Add(k)
		}
	}
	if n > 0 {
		out = w.repairRun(out, c, p, first, n, left)
	}
	*set = rest
	return out
}

func (w *Writer) repairRun(out []Send, c *Change, p *readerProxy, first, n wire.FragmentNumber, left *int) []Send {
	*left -= int(n) * w.c.FragmentSize
	return append(out, w.dataFrag(c, p.guid, first, n))
}

func (w *Writer) total(c *Change) wire.FragmentNumber {
	return wire.FragmentNumber((len(c.Payload) + w.c.FragmentSize - 1) / w.c.FragmentSize)
}

// together returns how many fragments from first on fit into one datagram.
func (w *Writer) together(c *Change, first wire.FragmentNumber) wire.FragmentNumber {
	left := w.c.MaxDatagram - besideFragments
	if first == 1 {
		left -= len(c.InlineQoS)
	}
	return wire.FragmentNumber(min(fragmentsTogether, max(1, left/w.c.FragmentSize)))
}

// dataFrag returns n fragments from first on. The inline QoS goes with the
// first fragment only.
func (w *Writer) dataFrag(c *Change, to wire.GUID, first, n wire.FragmentNumber) Send {
	start := (int(first) - 1) * w.c.FragmentSize
	d := wire.DataFrag{
		Reader: to.Entity, Writer: w.c.GUID.Entity, Sequence: c.Sequence,
		First: first, Fragments: uint16(n), Size: uint16(w.c.FragmentSize), SampleSize: uint32(len(c.Payload)),
		Payload: c.Payload[start:min(start+int(n)*w.c.FragmentSize, len(c.Payload))], Key: c.Key,
	}
	if first == 1 {
		d.InlineQoS = c.InlineQoS
	}
	return Send{To: to, Kind: wire.IDDataFrag, Source: c.Source, DataFrag: d}
}
