package wire

// A SequenceNumber counts the samples of one writer, from 1 (8.3.5.4). On the
// wire (9.4.2.5) it is the higher four bytes, signed, then the lower four.
type SequenceNumber int64

const (
	// SequenceUnknown is the number of a sample that is not known.
	SequenceUnknown SequenceNumber = -1 << 32
	// MaxSequence is the highest number taken from the wire, so that sums of
	// a number and a small one cannot wrap: a writer would reach it after
	// 146 years at 1,000,000,000 samples per second.
	MaxSequence SequenceNumber = 1 << 62
)

func (n SequenceNumber) valid() bool { return n >= 1 && n <= MaxSequence }

func (n SequenceNumber) append(b []byte, order Order) []byte {
	b = order.AppendUint32(b, uint32(n>>32))
	return order.AppendUint32(b, uint32(n))
}

// parseSequence reads the first 8 bytes of b, which the caller has counted.
func parseSequence(b []byte, order Order) SequenceNumber {
	return SequenceNumber(uint64(order.Uint32(b))<<32 | uint64(order.Uint32(b[4:])))
}

// A FragmentNumber counts the fragments of one sample, from 1 (8.3.5.6).
type FragmentNumber uint32
