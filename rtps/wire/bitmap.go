package wire

import "math/bits"

// maxBits is how many numbers a set on the wire can speak of.
const maxBits = 256

// A bitmap is what sets of sequence and of fragment numbers share (9.4.2.6).
// On the wire:
//
//	numBits 4 | (numBits + 31) / 32 words of 4
//
// Bit i is bit 31 - i%32 of word i/32, as a value: the order of its bytes is
// that of the submessage. Bits from numBits on are zero here.
type bitmap struct {
	n     uint32
	words [maxBits / 32]uint32
}

func (m *bitmap) set(i uint32) {
	m.words[i/32] |= 1 << (31 - i%32)
	m.n = max(m.n, i+1)
}

func (m *bitmap) has(i uint32) bool { return m.words[i/32]&(1<<(31-i%32)) != 0 }

func (m *bitmap) count() (n int) {
	for _, w := range m.words {
		n += bits.OnesCount32(w)
	}
	return n
}

func (m *bitmap) append(b []byte, order Order) []byte {
	b = order.AppendUint32(b, m.n)
	for _, w := range m.words[:(m.n+31)/32] {
		b = order.AppendUint32(b, w)
	}
	return b
}

// parseBitmap reads a bitmap from the start of b and returns its length, or a
// problem.
func parseBitmap(b []byte, order Order) (m bitmap, length int, p Problem) {
	if len(b) < 4 {
		return m, 0, ShortBody
	}
	m.n = order.Uint32(b)
	if m.n > maxBits {
		return bitmap{}, 0, TooManyBits
	}
	n := int(m.n+31) / 32
	if len(b) < 4+4*n {
		return bitmap{}, 0, ShortBody
	}
	for i := range n {
		m.words[i] = order.Uint32(b[4+4*i:])
	}
	if used := m.n % 32; used != 0 {
		m.words[n-1] &= ^uint32(0) << (32 - used)
	}
	return m, 4 + 4*n, noProblem
}
