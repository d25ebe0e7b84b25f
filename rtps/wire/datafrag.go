package wire

const (
	flagFragKey         = 0x04
	flagFragNonStandard = 0x08
)

const dataFragLen = 32

// A DataFrag carries one or more consecutive fragments of a sample (8.3.7.3).
// On the wire (9.4.5.4), 32 bytes and what follows:
//
//	extraFlags 2 | octetsToInlineQos 2 | readerId 4 | writerId 4 | writerSN 8 |
//	fragmentStartingNum 4 | fragmentsInSubmessage 2 | fragmentSize 2 | sampleSize 4 | inlineQos | payload
//
// Fragment k is the bytes from (k-1) * Size of the serialized sample, its
// encapsulation header included; all but the last have Size bytes. InlineQoS
// and Payload are parts of the datagram that was parsed.
type DataFrag struct {
	Reader, Writer EntityID
	Sequence       SequenceNumber
	First          FragmentNumber
	Fragments      uint16 // in this submessage, at least 1
	Size           uint16 // bytes of a fragment, at least 1
	SampleSize     uint32 // bytes of the whole sample, at least 1
	InlineQoS      []byte // for ParseInlineQoS, in the submessage's byte order; nil if absent
	Payload        []byte // exactly the bytes of the fragments, without padding
	Key            bool   // the sample is a key only
	NonStandard    bool   // the sample's form is agreed on elsewhere, such as encrypted
}

// Total returns how many fragments the whole sample has.
func (d *DataFrag) Total() FragmentNumber {
	return FragmentNumber((uint64(d.SampleSize) + uint64(d.Size) - 1) / uint64(max(d.Size, 1)))
}

// Start returns where in the sample Payload belongs, in bytes.
func (d *DataFrag) Start() int64 { return (int64(d.First) - 1) * int64(d.Size) }

// Append appends the whole submessage, copying InlineQoS and Payload.
func (d *DataFrag) Append(b []byte, order Order) []byte {
	start := len(b)
	flags := flag(d.InlineQoS != nil, flagInlineQoS) |
		flag(d.Key, flagFragKey) | flag(d.NonStandard, flagFragNonStandard)
	b = beginSubmessage(b, IDDataFrag, flags, order)
	b = order.AppendUint16(b, 0)
	b = order.AppendUint16(b, dataFragLen-inlineQoSOffset)
	b = append(b, d.Reader[:]...)
	b = append(b, d.Writer[:]...)
	b = d.Sequence.append(b, order)
	b = order.AppendUint32(b, uint32(d.First))
	b = order.AppendUint16(b, d.Fragments)
	b = order.AppendUint16(b, d.Size)
	b = order.AppendUint32(b, d.SampleSize)
	b = append(b, d.InlineQoS...)
	b = append(b, d.Payload...)
	return endSubmessage(b, start, order)
}

// ParseDataFrag reads the body of a DATA_FRAG. What it returns without an
// error lies within the sample: Start plus the length of Payload is at most
// SampleSize. SampleSize itself is the peer's claim, up to 4 GiB, and is to be
// limited before it is allocated.
func ParseDataFrag(s Submessage) (d DataFrag, err error) {
	if len(s.Body) < dataFragLen {
		return d, s.fail(len(s.Body), ShortBody)
	}
	b, order := s.Body, s.Order()
	d.Reader, d.Writer = EntityID(b[4:8]), EntityID(b[8:12])
	d.Sequence = parseSequence(b[12:], order)
	d.First = FragmentNumber(order.Uint32(b[20:]))
	d.Fragments, d.Size = order.Uint16(b[24:]), order.Uint16(b[26:])
	d.SampleSize = order.Uint32(b[28:])
	if !d.Sequence.valid() {
		return d, s.fail(12, BadSequenceNumber)
	}
	qos, payload, err := s.cutInlineQoS(dataFragLen)
	if err != nil {
		return d, err
	}
	length, ok := d.payloadLen()
	if !ok || length > int64(len(payload)) {
		return d, s.fail(20, BadFragment)
	}
	d.InlineQoS, d.Payload = qos, payload[:length:length]
	d.Key, d.NonStandard = s.is(flagFragKey), s.is(flagFragNonStandard)
	return d, nil
}

// payloadLen returns how many bytes the fragments have by their numbers, and
// false if the numbers contradict each other.
func (d *DataFrag) payloadLen() (n int64, ok bool) {
	if d.First < 1 || d.Fragments < 1 || d.Size < 1 || d.SampleSize < 1 {
		return 0, false
	}
	if int64(d.First)+int64(d.Fragments)-1 > int64(d.Total()) {
		return 0, false
	}
	return min(int64(d.Fragments)*int64(d.Size), int64(d.SampleSize)-d.Start()), true
}
