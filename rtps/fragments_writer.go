package rtps

import (
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
	if !p.heard {
		p.heard = true // who asks for parts of a sample knows where it starts
		w.progress(now)
	}
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

// repair appends a whole sample for one reader.
func (w *Writer) repair(out []Send, c *Change, to wire.GUID) []Send {
	if !w.isCut(c) {
		return append(out, w.data(c, to))
	}
	total := w.total(c)
	for first := wire.FragmentNumber(1); first <= total; {
		n := min(w.together(c, first), total-first+1)
		out = append(out, w.dataFrag(c, to, first, n))
		first += n
	}
	return out
}

// repairFragments appends the fragments a reader asked for, and a GAP for
// samples before first that are gone.
func (w *Writer) repairFragments(out []Send, p *readerProxy, first wire.SequenceNumber) []Send {
	for i := range p.fragments {
		r := &p.fragments[i]
		c := w.history.Get(r.sequence)
		switch {
		case p.asked.Contains(r.sequence):
			// it has just been sent as a whole
		case r.sequence < first:
			out = append(out, w.gap(p, r.sequence, r.sequence+1))
		case c != nil && !w.isCut(c):
			out = append(out, w.data(c, p.guid))
		case c != nil:
			out = w.runs(out, c, p.guid, &r.missing)
		}
	}
	return out
}

// runs appends those fragments of a set that the sample has, consecutive ones
// together.
func (w *Writer) runs(out []Send, c *Change, to wire.GUID, set *wire.FragmentSet) []Send {
	var first, n wire.FragmentNumber
	for k := range set.All() {
		if k > w.total(c) {
			break
		}
		if n > 0 && (k != first+n || n == w.together(c, first)) {
			out = append(out, w.dataFrag(c, to, first, n))
			n = 0
		}
		if n == 0 {
			first = k
		}
		n++
	}
	if n > 0 {
		out = append(out, w.dataFrag(c, to, first, n))
	}
	return out
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
