package wire

const (
	flagFinal      = 0x02 // HEARTBEAT and ACKNACK
	flagLiveliness = 0x04 // HEARTBEAT
)

const heartbeatLen = 28

// A Heartbeat says which sequence numbers a writer can still supply (8.3.7.5).
// On the wire (9.4.5.6), 28 bytes:
//
//	readerId 4 | writerId 4 | firstSN 8 | lastSN 8 | count 4
//
// Group fields, which version 2.3 may add behind, are not read.
type Heartbeat struct {
	Reader, Writer EntityID
	First, Last    SequenceNumber // Last == First-1: nothing to supply
	Count          int32          // higher with each of a writer; readers drop repeats
	Final          bool           // no answer required if nothing is missing
	Liveliness     bool           // asserts the liveliness of a writer that does so by hand
}

// Append appends the whole submessage.
func (h Heartbeat) Append(b []byte, order Order) []byte {
	start := len(b)
	flags := flag(h.Final, flagFinal) | flag(h.Liveliness, flagLiveliness)
	b = beginSubmessage(b, IDHeartbeat, flags, order)
	b = append(b, h.Reader[:]...)
	b = append(b, h.Writer[:]...)
	b = h.First.append(b, order)
	b = h.Last.append(b, order)
	b = order.AppendUint32(b, uint32(h.Count))
	return endSubmessage(b, start, order)
}

// ParseHeartbeat reads the body of a HEARTBEAT.
func ParseHeartbeat(s Submessage) (h Heartbeat, err error) {
	if len(s.Body) < heartbeatLen {
		return h, s.fail(len(s.Body), ShortBody)
	}
	b, order := s.Body, s.Order()
	h = Heartbeat{Final: s.is(flagFinal), Liveliness: s.is(flagLiveliness)}
	h.Reader, h.Writer = EntityID(b[0:4]), EntityID(b[4:8])
	h.First, h.Last = parseSequence(b[8:], order), parseSequence(b[16:], order)
	h.Count = int32(order.Uint32(b[24:]))
	switch {
	case !h.First.valid():
		return h, s.fail(8, BadSequenceNumber)
	case h.Last > MaxSequence:
		return h, s.fail(16, BadSequenceNumber)
	case h.Last < h.First-1:
		return h, s.fail(16, BadRange)
	}
	return h, nil
}
