package wire

import "encoding/binary"

// A StatusInfo says what became of an instance (9.6.3). On the wire it is
// four bytes, big endian whatever the list is.
type StatusInfo uint32

// The bits of a StatusInfo.
const (
	Disposed     StatusInfo = 1 << 0
	Unregistered StatusInfo = 1 << 1
)

// A SampleIdentity names one sample of one writer. On the wire: GUID 16, then
// sequence number 8, SequenceUnknown where only the writer matters.
type SampleIdentity struct {
	Writer   GUID
	Sequence SequenceNumber
}

// An InlineQoS is what a sample says about itself beside its payload
// (9.6.3). Absent means that the sample says nothing, not zero.
type InlineQoS struct {
	KeyHash        Optional[[16]byte] // of the instance; of builtin topics the GUID
	Status         Optional[StatusInfo]
	RelatedSample  Optional[SampleIdentity] // the request that a reply of Fast DDS answers
	OriginalWriter Optional[SampleIdentity] // of a relayed sample
	CoherentSet    Optional[SequenceNumber] // the first sample of the set this one belongs to; any number
}

// Append appends the parameter list with its sentinel, for Data.InlineQoS and
// in the byte order of its submessage.
func (q InlineQoS) Append(b []byte, order Order) []byte {
	l := list{b: b, order: order}
	put(&l, PIDKeyHash, q.KeyHash, (*list).hash)
	put(&l, PIDStatusInfo, q.Status, (*list).status)
	put(&l, PIDRelatedSample, q.RelatedSample, (*list).sample)
	put(&l, PIDOriginalWriter, q.OriginalWriter, (*list).sample)
	put(&l, PIDCoherentSet, q.CoherentSet, (*list).sequence)
	return AppendSentinel(l.b, order)
}

// ParseInlineQoS reads Data.InlineQoS, in the byte order of its submessage. It
// skips what it does not know, even what must be understood, as both vendors
// do. The source's vendor says what a vendor's own parameters mean: a related
// sample is read from those of Fast DDS and RTI too. Nothing is allocated but
// for an error.
func ParseInlineQoS(params []byte, order Order, vendor VendorID) (q InlineQoS, err error) {
	r := NewParameterReader(params, order)
	for p, ok := r.Next(); ok; p, ok = r.Next() {
		v := value{b: p.Value, order: order}
		q.take(p.ID, &v, vendor)
		if v.problem != noProblem {
			return InlineQoS{}, &Error{p.ID.String(), r.off - len(p.Value) + v.off, v.problem}
		}
	}
	if _, err := r.End(); err != nil {
		return InlineQoS{}, err
	}
	return q, nil
}

func (q *InlineQoS) take(id ParameterID, v *value, vendor VendorID) {
	switch id {
	case PIDKeyHash:
		q.KeyHash = Some(v.hash())
	case PIDStatusInfo:
		q.Status = Some(v.status())
	case PIDRelatedSample:
		q.RelatedSample = Some(v.sample())
	case PIDRelatedSampleOfVendors:
		if vendor == FastDDS || vendor == RTIConnext {
			q.RelatedSample = Some(v.sample())
		}
	case PIDOriginalWriter:
		q.OriginalWriter = Some(v.sample())
	case PIDCoherentSet:
		q.CoherentSet = Some(v.sequence())
	}
}

func (l *list) status(s StatusInfo) { l.b = binary.BigEndian.AppendUint32(l.b, uint32(s)) }

func (v *value) status() StatusInfo {
	if b := v.take(4); b != nil {
		return StatusInfo(binary.BigEndian.Uint32(b))
	}
	return 0
}
