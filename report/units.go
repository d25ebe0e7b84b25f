package report

import (
	"math"
	"strconv"
	"time"
)

// durationUnits are the units in which a duration is shown, largest first.
var durationUnits = []struct {
	name    string
	seconds float64
}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}}

// chosen writes a duration that someone chose, with as many decimals as it has: 8 ms, 1.5 s.
func chosen(d time.Duration) string {
	for _, u := range durationUnits {
		if unit := time.Duration(u.seconds * 1e9); d.Abs() >= unit {
			return plain(float64(d)/float64(unit)) + " " + u.name
		}
	}
	return plain(float64(d)) + " ns"
}

// asDuration returns s seconds to the nanosecond.
func asDuration(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }

// percent writes a share in per cent with as many decimals as it needs: 5 %, 0.02 %.
func percent(share float64) string {
	return plain(roundTo(share*100, 3)) + " %"
}

// plain writes a number with as many decimals as it has.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// roundTo rounds v to n significant figures.
func roundTo(v float64, n int) float64 {
	if v == 0 {
		return 0
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', n, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// compact writes a number for a table: four figures, at most three decimals.
func compact(v float64) string {
	decimals := 3
	// Half of the last figure is allowed for, lest 9.9996 come out as 10.000.
	for size := 10.0; size <= 1000 && math.Abs(v) >= size*(1-5e-5); size *= 10 {
		decimals--
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if s == "-0.000" {
		return "0.000"
	}
	return s
}
