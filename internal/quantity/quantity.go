// Package quantity writes measured quantities for people, with their units.
package quantity

import (
	"math"
	"strconv"
	"strings"
)

// units are the units in which a duration is shown, largest first.
var units = []struct {
	name    string
	seconds float64
}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}}

// Seconds writes a duration of s seconds to three decimals of the largest unit
// that leaves a figure before the point: 1.018 s, 5.008 ms, 22.259 µs, 8 ns.
// Decimals that are all zero are left out: 100 ms.
func Seconds(s float64) string {
	if s == 0 {
		return "0 s"
	}
	for _, u := range units {
		// Half of the last decimal is allowed for, lest 0.9999996 s come out as 1000.000 ms.
		if math.Abs(s) >= u.seconds*(1-5e-7) {
			return decimals(s/u.seconds) + " " + u.name
		}
	}
	return strconv.FormatFloat(s*1e9, 'f', 0, 64) + " ns"
}

// At writes an instant, s seconds after some beginning, to the millisecond: 0.598 s.
func At(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) + " s" }

// Hertz writes a rate to three decimals: 199.666 Hz, 40 Hz.
func Hertz(r float64) string { return decimals(r) + " Hz" }

func decimals(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 3, 64), ".000")
}

// Factor writes a real time factor to four decimals: 0.9660.
func Factor(f float64) string { return strconv.FormatFloat(f, 'f', 4, 64) }

// Count writes a number of things: 1 gap, 3 gaps.
func Count[N ~int | ~uint64](n N, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.FormatInt(int64(n), 10) + " " + thing
}
