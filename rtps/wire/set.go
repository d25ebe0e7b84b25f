package wire

import (
	"iter"
	"math"
)

// A Set holds some of the maxBits numbers from Base on. The zero Set with a
// Base is empty. Two are equal (==) if base, bits spoken of and members are.
type Set[N SequenceNumber | FragmentNumber] struct {
	Base N
	bits bitmap
}

// A SequenceSet is a set of sequence numbers (9.4.2.6). On the wire: Base 8,
// then a bitmap.
type SequenceSet = Set[SequenceNumber]

// A FragmentSet is a set of fragment numbers (9.4.2.8). On the wire: Base 4,
// then a bitmap.
type FragmentSet = Set[FragmentNumber]

// Add puts n into the set and reports whether it could: n must be one of the
// 256 numbers from Base on.
func (s *Set[N]) Add(n N) bool {
	if n < s.Base || n-s.Base >= maxBits {
		return false
	}
	s.bits.set(uint32(n - s.Base))
	return true
}

// Contains reports whether n is in the set.
func (s *Set[N]) Contains(n N) bool {
	return n >= s.Base && n-s.Base < maxBits && s.bits.has(uint32(n-s.Base))
}

// Len returns how many numbers are in the set.
func (s *Set[N]) Len() int { return s.bits.count() }

// NumBits returns how many numbers from Base on the set speaks of, 0 to 256.
func (s *Set[N]) NumBits() int { return int(s.bits.n) }

// All returns the numbers in the set, ascending.
func (s *Set[N]) All() iter.Seq[N] {
	return func(yield func(N) bool) {
		for i := range s.bits.n {
			if s.bits.has(i) && !yield(s.Base+N(i)) {
				return
			}
		}
	}
}

func appendSequenceSet(b []byte, s *SequenceSet, order Order) []byte {
	return s.bits.append(s.Base.append(b, order), order)
}

// parseSequenceSet reads a set from the start of b and returns its length, or
// a problem. Base may be 0: Fast DDS begins with such an ACKNACK.
func parseSequenceSet(b []byte, order Order) (s SequenceSet, length int, p Problem) {
	if len(b) < 8 {
		return s, 0, ShortBody
	}
	s.Base = parseSequence(b, order)
	if s.Base < 0 || s.Base > MaxSequence {
		return s, 0, BadSequenceNumber
	}
	s.bits, length, p = parseBitmap(b[8:], order)
	return s, 8 + length, p
}

func appendFragmentSet(b []byte, s *FragmentSet, order Order) []byte {
	return s.bits.append(order.AppendUint32(b, uint32(s.Base)), order)
}

// parseFragmentSet reads a set from the start of b and returns its length, or
// a problem.
func parseFragmentSet(b []byte, order Order) (s FragmentSet, length int, p Problem) {
	if len(b) < 4 {
		return s, 0, ShortBody
	}
	s.Base = FragmentNumber(order.Uint32(b))
	if s.Base < 1 || s.Base > math.MaxUint32-maxBits {
		return s, 0, BadFragment
	}
	s.bits, length, p = parseBitmap(b[4:], order)
	return s, 4 + length, p
}
