package wire

const heartbeatFragLen = 24

// A HeartbeatFrag says how much of a fragmented sample a writer has sent
// (8.3.7.6). On the wire (9.4.5.7), 24 bytes:
//
//	readerId 4 | writerId 4 | writerSN 8 | lastFragmentNum 4 | count 4
type HeartbeatFrag struct {
	Reader, Writer EntityID
	Sequence       SequenceNumber
	Last           FragmentNumber // those up to it can be asked for
	Count          int32          // higher with each of a writer
}

// Append appends the whole submessage.
func (h HeartbeatFrag) Append(b []byte, order Order) []byte {
	start := len(b)
	b = beginSubmessage(b, IDHeartbeatFrag, 0, order)
	b = append(b, h.Reader[:]...)
	b = append(b, h.Writer[:]...)
	b = h.Sequence.append(b, order)
	b = order.AppendUint32(b, uint32(h.Last))
	b = order.AppendUint32(b, uint32(h.Count))
	return endSubmessage(b, start, order)
}

// ParseHeartbeatFrag reads the body of a HEARTBEAT_FRAG.
func ParseHeartbeatFrag(s Submessage) (h HeartbeatFrag, err error) {
	if len(s.Body) < heartbeatFragLen {
		return h, s.fail(len(s.Body), ShortBody)
	}
	b, order := s.Body, s.Order()
	h.Reader, h.Writer = EntityID(b[0:4]), EntityID(b[4:8])
	h.Sequence = parseSequence(b[8:], order)
	h.Last = FragmentNumber(order.Uint32(b[16:]))
	h.Count = int32(order.Uint32(b[20:]))
	switch {
	case !h.Sequence.valid():
		return h, s.fail(8, BadSequenceNumber)
	case h.Last < 1:
		return h, s.fail(16, BadFragment)
	}
	return h, nil
}
