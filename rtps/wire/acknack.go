package wire

// An AckNack says which samples a reader has and which it asks for (8.3.7.1).
// On the wire (9.4.5.2), 24 bytes and one word for each 32 bits:
//
//	readerId 4 | writerId 4 | readerSNState: base 8, numBits 4, words | count 4
type AckNack struct {
	Reader, Writer EntityID
	Missing        SequenceSet // all below its base is acknowledged, its members are asked for
	Count          int32       // higher with each of a reader; writers drop repeats
	Final          bool        // no HEARTBEAT required in answer
}

// Append appends the whole submessage. Cyclone DDS refuses a base below 1.
func (a *AckNack) Append(b []byte, order Order) []byte {
	start := len(b)
	b = beginSubmessage(b, IDAckNack, flag(a.Final, flagFinal), order)
	b = append(b, a.Reader[:]...)
	b = append(b, a.Writer[:]...)
	b = appendSequenceSet(b, &a.Missing, order)
	b = order.AppendUint32(b, uint32(a.Count))
	return endSubmessage(b, start, order)
}

// ParseAckNack reads the body of an ACKNACK. A base of 0 is taken: Fast DDS
// sends it first, and it acknowledges nothing.
func ParseAckNack(s Submessage) (a AckNack, err error) {
	if len(s.Body) < 8 {
		return a, s.fail(len(s.Body), ShortBody)
	}
	b, order := s.Body, s.Order()
	a.Final = s.is(flagFinal)
	a.Reader, a.Writer = EntityID(b[0:4]), EntityID(b[4:8])
	set, n, problem := parseSequenceSet(b[8:], order)
	if problem != noProblem {
		return a, s.fail(8, problem)
	}
	if b = b[8+n:]; len(b) < 4 {
		return a, s.fail(len(s.Body), ShortBody)
	}
	a.Missing = set
	a.Count = int32(order.Uint32(b))
	return a, nil
}
