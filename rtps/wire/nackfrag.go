package wire

// A NackFrag says which fragments of a sample a reader asks for (8.3.7.11). On
// the wire (9.4.5.13), 28 bytes and one word for each 32 bits:
//
//	readerId 4 | writerId 4 | writerSN 8 | fragmentNumberState: base 4, numBits 4, words | count 4
type NackFrag struct {
	Reader, Writer EntityID
	Sequence       SequenceNumber
	Missing        FragmentSet
	Count          int32 // higher with each of a reader
}

// Append appends the whole submessage.
func (n *NackFrag) Append(b []byte, order Order) []byte {
	start := len(b)
	b = beginSubmessage(b, IDNackFrag, 0, order)
	b = append(b, n.Reader[:]...)
	b = append(b, n.Writer[:]...)
	b = n.Sequence.append(b, order)
	b = appendFragmentSet(b, &n.Missing, order)
	b = order.AppendUint32(b, uint32(n.Count))
	return endSubmessage(b, start, order)
}

// ParseNackFrag reads the body of a NACK_FRAG.
func ParseNackFrag(s Submessage) (n NackFrag, err error) {
	if len(s.Body) < 16 {
		return n, s.fail(len(s.Body), ShortBody)
	}
	b, order := s.Body, s.Order()
	n.Reader, n.Writer = EntityID(b[0:4]), EntityID(b[4:8])
	if n.Sequence = parseSequence(b[8:], order); !n.Sequence.valid() {
		return n, s.fail(8, BadSequenceNumber)
	}
	set, length, problem := parseFragmentSet(b[16:], order)
	if problem != noProblem {
		return n, s.fail(16, problem)
	}
	if b = b[16+length:]; len(b) < 4 {
		return n, s.fail(len(s.Body), ShortBody)
	}
	n.Missing = set
	n.Count = int32(order.Uint32(b))
	return n, nil
}
