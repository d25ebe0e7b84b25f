package rosmsg

// A span is how far a value of fixed size moves the cursor: span[p] bytes,
// padding included, from an offset that is p modulo 8. Nothing in CDR is
// aligned to more than 8, so a span says all there is to know of how the value
// lies in a message, and spans can be joined without a message at hand.
type span [8]int

// primitiveSpan is the span of a primitive of size bytes, a power of two up to 8.
func primitiveSpan(size int) (s span) {
	for p := range s {
		s[p] = -p&(size-1) + size
	}
	return s
}

// then returns the span of a value followed by another.
func (s span) then(next span) span {
	for p := range s {
		s[p] += next[(p+s[p])&7]
	}
	return s
}

// times returns the span of n values in a row.
func (s span) times(n int) (all span) {
	for p := range s {
		all[p] = s.run(p, n)
	}
	return all
}

// run returns how far n values in a row move the cursor from an offset that is p modulo 8.
//
// Only the first may differ from the rest: let A be the value's largest
// alignment. How far a value moves depends on the offset modulo A alone, and
// after its first member aligned to A nothing depends on where it began, so
// every value ends, and the next one begins, at one offset modulo A.
func (s *span) run(p, n int) int {
	if n == 0 {
		return 0
	}
	first := s[p&7]
	return first + (n-1)*s[(p+first)&7]
}
