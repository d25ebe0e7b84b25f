package trace

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tsdl"
)

// A Clock is that of the instants of a trace.
type Clock struct {
	// Monotonic says that instants are on CLOCK_MONOTONIC of one boot of one
	// host, else they are on the wall clock.
	Monotonic bool
	Boot      string // of the host, if Monotonic: a UUID
	// WallOffset is wall minus monotonic time, in nanoseconds, as the tracer
	// measured it when tracing began; 0 unless Monotonic.
	WallOffset int64
}

// setClock says what clock instants are on: the monotonic one, if that is what
// all directories have, of one boot.
func (t *Trace) setClock() {
	first := clockOf(t.Domains[0].meta)
	monotonic := first != nil && first.Name == "monotonic"
	for _, d := range t.Domains {
		if c := clockOf(d.meta); monotonic && (c == nil || c.Name != first.Name || c.UUID != first.UUID) {
			monotonic = false
		}
	}
	if monotonic {
		t.Clock = Clock{Monotonic: true, Boot: boot(first.UUID), WallOffset: offset(first)}
	}
	for _, s := range t.streams {
		s.scale = newScale(clockOf(s.domain.meta), monotonic)
	}
}

// boot writes the UUID of a boot as Linux does, "" if there is none.
func boot(u [16]byte) string {
	if u == [16]byte{} {
		return ""
	}
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// clockOf returns the clock of the events, which is one in all that LTTng
// writes; nil: none is described.
func clockOf(m *tsdl.Metadata) *tsdl.Clock {
	for _, id := range slices.Sorted(maps.Keys(m.Streams)) {
		if h := m.Streams[id].EventHeader; h != nil {
			if c := m.Clocks[mapped(h, map[tsdl.Type]bool{})]; c != nil {
				return c
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Clocks)) {
		return m.Clocks[name]
	}
	return nil
}

// mapped returns the name of the clock that an integer within a type counts, ""
// if none does. Seen are the types that were looked into.
func mapped(t tsdl.Type, seen map[tsdl.Type]bool) string {
	if seen[t] {
		return ""
	}
	seen[t] = true
	var fields []tsdl.Field
	switch t := t.(type) {
	case *tsdl.Integer:
		return t.Clock
	case *tsdl.Struct:
		fields = t.Fields
	case *tsdl.Variant:
		fields = t.Options
	}
	for _, f := range fields {
		if name := mapped(f.Type, seen); name != "" {
			return name
		}
	}
	return ""
}

// A scale makes nanoseconds of a clock's counts.
type scale struct {
	freq   uint64
	offset int64
}

// newScale returns that of a clock, which may be nil: to instants of the clock
// itself, if all are on one monotonic clock, else to wall time.
func newScale(c *tsdl.Clock, monotonic bool) scale {
	switch {
	case c == nil:
		return scale{freq: 1e9}
	case monotonic:
		return scale{freq: c.Freq}
	}
	return scale{c.Freq, offset(c)}
}

// offset returns where counts begin, in nanoseconds after 1970.
func offset(c *tsdl.Clock) int64 {
	seconds := c.OffsetS
	if farthest := int64(math.MaxInt64 / 1_000_000_000); seconds > farthest || seconds < -farthest {
		seconds = 0
	}
	if c.Offset < 0 {
		return seconds*1e9 - counts(uint64(-c.Offset), c.Freq)
	}
	return seconds*1e9 + counts(uint64(c.Offset), c.Freq)
}

// counts returns nanoseconds of n counts, rounded down and saturated.
func counts(n, freq uint64) int64 {
	if freq == 1e9 {
		return int64(min(n, math.MaxInt64))
	}
	hi, lo := bits.Mul64(n, 1e9)
	if hi >= freq {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, freq)
	return int64(min(q, math.MaxInt64))
}

// at returns the instant of a count, saturated.
func (s *scale) at(count uint64) int64 {
	ns := counts(count, s.freq)
	if sum := ns + s.offset; s.offset <= 0 || sum >= ns {
		return sum
	}
	return math.MaxInt64
}
