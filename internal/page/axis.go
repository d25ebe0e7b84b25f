package page

import (
	"math"
	"strings"

	"github.com/takt-rt/takt/internal/quantity"
)

// A Unit says how the values of an axis are written.
type Unit int

// The units.
const (
	Seconds Unit = iota
	Hertz
	Factor // a real time factor, or another ratio
	Number // of things
)

// Write writes a value in full.
func (u Unit) Write(x float64) string {
	switch u {
	case Hertz:
		return quantity.Hertz(x)
	case Factor:
		return quantity.Factor(x)
	case Number:
		return short(x)
	}
	return quantity.Seconds(x)
}

// tick writes the value of a tick: decimals that are zero are left out.
func (u Unit) tick(x float64) string {
	if u == Factor || u == Number {
		return short(x)
	}
	number, unit, _ := strings.Cut(u.Write(x), " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number + " " + unit
}

// A scale places values on an axis: from at 0, to at 1.
type scale struct {
	from, to float64
	log      bool
}

// place returns where a value lies, held within the axis.
func (s scale) place(x float64) float64 {
	from, to := s.from, s.to
	if s.log {
		from, to, x = math.Log(from), math.Log(to), math.Log(max(x, s.from))
	}
	return min(max((x-from)/(to-from), 0), 1)
}

// newScale returns a scale from least to most, with some room at both ends
// that is as round as the ticks. A logarithmic one needs least above 0, else it
// becomes a linear one.
func newScale(least, most float64, log bool) scale {
	if log && least > 0 {
		if most < least*1.2 {
			least, most = least/1.2, most*1.2
		}
		return scale{least / 1.1, most * 1.1, true}
	}
	// Values that are nearly alike cannot be told apart in a float64 once
	// ticks are counted from 0, and need not be by eye.
	if size := max(math.Abs(least), math.Abs(most)); most-least <= 1e-9*size {
		room := max(size/10, 1e-9)
		least, most = least-room, most+room
	}
	room := (most - least) / 20
	s := scale{from: least - room, to: most + room}
	if least >= 0 {
		s.from = max(s.from, 0)
	}
	return s
}

// ticks returns round values on the axis, at most about n.
func (s scale) ticks(n int) []float64 {
	if s.log {
		return s.logTicks(n)
	}
	step := roundUp((s.to - s.from) / float64(n))
	first := math.Ceil(s.from / step)
	var all []float64
	for i := range n + 1 {
		if x := (first + float64(i)) * step; x <= s.to {
			all = append(all, x)
		}
	}
	return all
}

// roundUp returns the next of 1, 2 and 5 times a power of ten.
func roundUp(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= x*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// logTicks are powers of ten, as many of them as there is room for, and twice
// and five times those where there is room for these too.
func (s scale) logTicks(n int) []float64 {
	decades := math.Log10(s.to / s.from)
	within := func(multiples ...float64) (all []float64) {
		every := max(1, math.Ceil(decades/float64(n)))
		for e := math.Floor(math.Log10(s.from)/every) * every; e <= math.Log10(s.to); e += every {
			for _, m := range multiples {
				if x := m * math.Pow(10, e); x >= s.from && x <= s.to {
					all = append(all, x)
				}
			}
		}
		return all
	}
	if fine := within(1, 2, 5); len(fine) <= n {
		if len(fine) < 2 { // too narrow for any: as on a linear axis
			return scale{from: s.from, to: s.to}.ticks(n)
		}
		return fine
	}
	if coarse := within(1); len(coarse) > 1 {
		return coarse
	}
	return within(1, 3)
}
