package wire

// The flags of DATA; those of DATA_FRAG are beside it.
const (
	flagInlineQoS   = 0x02 // DATA and DATA_FRAG
	flagData        = 0x04
	flagKey         = 0x08
	flagNonStandard = 0x10
)

const (
	dataLen = 20
	// inlineQoSOffset is where octetsToInlineQos counts from: the byte after it.
	inlineQoSOffset = 4
)

// A Data carries a sample (8.3.7.2). On the wire (9.4.5.3), 20 bytes and what
// follows:
//
//	extraFlags 2 | octetsToInlineQos 2 | readerId 4 | writerId 4 | writerSN 8 | inlineQos | payload
//
// InlineQoS and Payload are parts of the datagram that was parsed.
type Data struct {
	Reader, Writer EntityID
	Sequence       SequenceNumber
	InlineQoS      []byte // for ParseInlineQoS, in the submessage's byte order; nil if absent
	Payload        []byte // from the encapsulation header on, and up to 3 bytes of padding; nil if absent
	Key            bool   // Payload is the key only, as of what is disposed
	NonStandard    bool   // Payload's form is agreed on elsewhere, such as encrypted
}

// Append appends the whole submessage, copying InlineQoS and Payload.
func (d *Data) Append(b []byte, order Order) []byte {
	start := len(b)
	flags := flag(d.InlineQoS != nil, flagInlineQoS) | flag(d.NonStandard, flagNonStandard)
	if d.Payload != nil {
		flags |= flag(!d.Key, flagData) | flag(d.Key, flagKey)
	}
	b = beginSubmessage(b, IDData, flags, order)
	b = order.AppendUint16(b, 0)
	b = order.AppendUint16(b, dataLen-inlineQoSOffset)
	b = append(b, d.Reader[:]...)
	b = append(b, d.Writer[:]...)
	b = d.Sequence.append(b, order)
	b = append(b, d.InlineQoS...)
	b = append(b, d.Payload...)
	return endSubmessage(b, start, order)
}

// ParseData reads the body of a DATA. A broken inline QoS refuses the sample,
// since where its payload begins is not known.
func ParseData(s Submessage) (d Data, err error) {
	if len(s.Body) < dataLen {
		return d, s.fail(len(s.Body), ShortBody)
	}
	if s.is(flagData) && s.is(flagKey) {
		return d, s.fail(0, BadFlags)
	}
	b, order := s.Body, s.Order()
	d.Reader, d.Writer = EntityID(b[4:8]), EntityID(b[8:12])
	d.Sequence = parseSequence(b[12:], order)
	if !d.Sequence.valid() {
		return d, s.fail(12, BadSequenceNumber)
	}
	qos, payload, err := s.cutInlineQoS(dataLen)
	if err != nil {
		return d, err
	}
	d.InlineQoS = qos
	d.Key, d.NonStandard = s.is(flagKey), s.is(flagNonStandard)
	if s.is(flagData) || s.is(flagKey) {
		d.Payload = payload
	}
	return d, nil
}

// cutInlineQoS cuts what follows the fixed part of a DATA or DATA_FRAG into
// inline QoS and payload. The fixed part may be longer in a later version;
// octetsToInlineQos says where it ends.
func (s Submessage) cutInlineQoS(fixed int) (qos, payload []byte, err error) {
	at := inlineQoSOffset + int(s.Order().Uint16(s.Body[2:]))
	if at < fixed || at > len(s.Body) {
		return nil, nil, s.fail(2, BadInlineQoSOffset)
	}
	rest := s.Body[at:]
	if !s.is(flagInlineQoS) {
		return nil, rest, nil
	}
	list := NewParameterReader(rest, s.Order())
	for _, ok := list.Next(); ok; _, ok = list.Next() {
		continue // only the end is wanted here
	}
	if list.problem != noProblem {
		return nil, nil, s.fail(at+list.off, list.problem)
	}
	return rest[:list.off:list.off], rest[list.off:], nil
}
