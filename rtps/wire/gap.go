package wire

import "iter"

// A Gap says which samples a reader need not wait for (8.3.7.4). On the wire
// (9.4.5.5), 28 bytes and one word for each 32 bits:
//
//	readerId 4 | writerId 4 | gapStart 8 | gapList: base 8, numBits 4, words
//
// Irrelevant are Start up to and without List.Base, and the members of List.
type Gap struct {
	Reader, Writer EntityID
	Start          SequenceNumber
	List           SequenceSet
}

// Append appends the whole submessage. Cyclone DDS heeds it only if it names
// the reader and follows an INFO_DST.
func (g *Gap) Append(b []byte, order Order) []byte {
	start := len(b)
	b = beginSubmessage(b, IDGap, 0, order)
	b = append(b, g.Reader[:]...)
	b = append(b, g.Writer[:]...)
	b = g.Start.append(b, order)
	b = appendSequenceSet(b, &g.List, order)
	return endSubmessage(b, start, order)
}

// ParseGap reads the body of a GAP. A base at or below Start, which old
// versions of Fast DDS send, leaves only the members of the list.
func ParseGap(s Submessage) (g Gap, err error) {
	if len(s.Body) < 16 {
		return g, s.fail(len(s.Body), ShortBody)
	}
	b, order := s.Body, s.Order()
	g.Reader, g.Writer = EntityID(b[0:4]), EntityID(b[4:8])
	if g.Start = parseSequence(b[8:], order); !g.Start.valid() {
		return g, s.fail(8, BadSequenceNumber)
	}
	set, _, problem := parseSequenceSet(b[16:], order)
	switch {
	case problem != noProblem:
		return g, s.fail(16, problem)
	case set.Base < 1:
		return g, s.fail(16, BadSequenceNumber)
	}
	g.List = set
	return g, nil
}

// Covers reports whether sequence number n is irrelevant.
func (g *Gap) Covers(n SequenceNumber) bool {
	return n >= g.Start && n < g.List.Base || g.List.Contains(n)
}

// Within returns the irrelevant numbers from first to last, ascending. A gap
// can span more numbers than there is memory for, so a reader asks about those
// it waits for only.
func (g *Gap) Within(first, last SequenceNumber) iter.Seq[SequenceNumber] {
	return func(yield func(SequenceNumber) bool) {
		first = max(first, min(g.Start, g.List.Base))
		last = min(last, g.List.Base+maxBits-1)
		for n := first; n <= last; n++ {
			if g.Covers(n) && !yield(n) {
				return
			}
		}
	}
}
