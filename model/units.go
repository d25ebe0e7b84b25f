package model

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A UnitError reports a text that is not the quantity it should be.
type UnitError struct {
	Text    string
	Problem string // as a predicate: "has no unit"
	Remedy  string // what to write instead: "write 20ms"
}

// Error returns the text, what is wrong with it, and the remedy.
func (e *UnitError) Error() string {
	return shown(e.Text) + " " + e.Problem + "; " + e.Remedy
}

// A dimension is what a text is a quantity of, and how that is written.
type dimension struct {
	noun    string
	example string
	usual   string   // the unit that a number without one most likely lacks
	units   []string // what is accepted
}

var (
	durations = dimension{"a duration", "20ms", "ms", []string{"ns", "us", "ms", "s", "min", "h"}}
	rates     = dimension{"a rate", "16Hz", "Hz", []string{"Hz", "kHz"}}
	shares    = dimension{"a share", "5%", "%", []string{"%"}}
	numbers   = dimension{"a number", "0.95", "", []string{""}}
)

// nanoseconds are what the units of duration stand for.
var nanoseconds = map[string]time.Duration{
	"ns":  time.Nanosecond,
	"us":  time.Microsecond,
	"ms":  time.Millisecond,
	"s":   time.Second,
	"min": time.Minute,
	"h":   time.Hour,
}

// micro spells µ as u. The micro sign (U+00B5) and the Greek mu (U+03BC) look
// the same, so both are accepted.
var micro = strings.NewReplacer("\u00b5", "u", "\u03bc", "u")

// ParseDuration reads a duration: a decimal number that is not negative and
// one of the units ns, us, µs, ms, s, min and h, such as 10ms or 1.5s. The
// value is exact to the nanosecond: what is finer is refused, not rounded. All
// errors are *UnitError.
func ParseDuration(text string) (time.Duration, error) {
	number, unit, err := durations.split(text)
	if err != nil {
		return 0, err
	}
	// No duration needs as many digits, and big numbers cost time.
	if len(number) > 64 {
		return 0, &UnitError{text, "has too many digits", "write at most nanoseconds, such as 1.000000001s"}
	}
	ns, _ := new(big.Rat).SetString(number)
	ns.Mul(ns, new(big.Rat).SetInt64(int64(nanoseconds[unit])))
	switch {
	case !ns.IsInt():
		return 0, &UnitError{text, "is finer than a nanosecond", "round it to whole nanoseconds"}
	case !ns.Num().IsInt64():
		return 0, &UnitError{text, "is longer than 292 years", "write a shorter duration"}
	}
	return time.Duration(ns.Num().Int64()), nil
}

// FormatDuration returns the exact text of a duration in the largest of ns, us,
// ms and s in which it is at least 1, or in whole minutes or hours if that is
// no longer: 10ms, 1.5s, 250us, 90s, 2min. ParseDuration reads it back, unless
// it is negative.
func FormatDuration(d time.Duration) string {
	sign, n := "", uint64(d)
	if d < 0 {
		sign, n = "-", -n
	}
	text := formatDecimal(n)
	for _, unit := range []string{"min", "h"} {
		size := uint64(nanoseconds[unit])
		if whole := fmt.Sprint(n/size, unit); n > 0 && n%size == 0 && len(whole) <= len(text) {
			text = whole
		}
	}
	return sign + text
}

// formatDecimal writes n nanoseconds in a unit that is a power of ten of them.
func formatDecimal(n uint64) string {
	unit, digits := "ns", 0
	switch {
	case n == 0 || n >= uint64(time.Second):
		unit, digits = "s", 9
	case n >= uint64(time.Millisecond):
		unit, digits = "ms", 6
	case n >= uint64(time.Microsecond):
		unit, digits = "us", 3
	}
	size := uint64(nanoseconds[unit])
	text := strconv.FormatUint(n/size, 10)
	if rest := n % size; rest > 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%0*d", digits, rest), "0")
	}
	return text + unit
}

// ParseRate reads a rate in hertz: a decimal number that is not negative and
// the unit Hz or kHz, such as 16Hz. All errors are *UnitError.
func ParseRate(text string) (float64, error) {
	number, unit, err := rates.split(text)
	if err != nil {
		return 0, err
	}
	if unit == "kHz" {
		number += "e3" // not by 1000 after rounding: 1.001kHz would be 1000.9999999999999Hz
	}
	return toFloat(text, number)
}

// ParseExactRate is ParseRate without rounding: 83.33Hz is 8333/100.
func ParseExactRate(text string) (*big.Rat, error) {
	number, unit, err := rates.split(text)
	if err != nil {
		return nil, err
	}
	if unit == "kHz" {
		number += "e3"
	}
	return exact(text, number)
}

// ParseExactShare is ParseShare without rounding.
func ParseExactShare(text string) (*big.Rat, error) {
	number, _, err := shares.split(text)
	if err != nil {
		return nil, err
	}
	return exact(text, number+"e-2")
}

// ParseExactNumber reads a plain decimal number that is not negative, such as
// a real time factor, without rounding.
func ParseExactNumber(text string) (*big.Rat, error) {
	number, _, err := numbers.split(text)
	if err != nil {
		return nil, err
	}
	return exact(text, number)
}

// exact converts what split found. Exact arithmetic grows with the digits, so
// their number is bounded.
func exact(text, number string) (*big.Rat, error) {
	if len(number) > 24 {
		return nil, &UnitError{text, "has too many digits", "write at most 20"}
	}
	x, _ := new(big.Rat).SetString(number)
	return x, nil
}

// FormatRate returns the shortest text in Hz that ParseRate reads back as hz.
func FormatRate(hz float64) string { return formatNumber(hz) + "Hz" }

// ParseShare reads a share in per cent, such as 5%, and returns the fraction,
// 0.05: the float64 nearest to it. All errors are *UnitError.
func ParseShare(text string) (float64, error) {
	number, _, err := shares.split(text)
	if err != nil {
		return 0, err
	}
	return toFloat(text, number+"e-2")
}

// FormatShare returns the shortest text in per cent that ParseShare reads back
// as share: 5% for 0.05.
func FormatShare(share float64) string {
	// Multiplying by 100 would round: the exponent of the decimal text is moved instead.
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(share, 'e', -1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	percent, ok := new(big.Rat).SetString(fmt.Sprintf("%se%d", digits, power+2))
	if !ok { // NaN or infinite
		return formatNumber(share) + "%"
	}
	_, fraction, _ := strings.Cut(digits, ".")
	return percent.FloatString(max(0, len(fraction)-power-2)) + "%"
}

// parseNumber reads a plain decimal number, such as a real time factor.
func parseNumber(text string) (float64, error) {
	number, _, err := numbers.split(text)
	if err != nil {
		return 0, err
	}
	return toFloat(text, number)
}

func formatNumber(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// toFloat converts what split found; only its size can be wrong.
func toFloat(text, number string) (float64, error) {
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, &UnitError{text, "is too large", "write a smaller number"}
	}
	return x, nil
}

// split takes a text apart into its number, which is decimal digits with at
// most one point between them, and its unit, which is one of the dimension's.
func (d *dimension) split(text string) (number, unit string, err error) {
	end := strings.IndexFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(text)
	}
	number, unit = text[:end], micro.Replace(text[end:])
	problem, remedy := "", ""
	switch {
	case strings.HasPrefix(text, "-"):
		problem, remedy = "is negative", "write "+d.noun+" above zero, such as "+d.example
	case number == "":
		problem, remedy = "is not "+d.noun, "write "+d.form()
	case strings.HasPrefix(number, ".") || strings.HasSuffix(number, ".") || strings.Count(number, ".") > 1:
		problem, remedy = "is not a decimal number", "write "+d.form()
	case unit == "" && d.usual != "":
		problem, remedy = "has no unit", "write "+number+d.usual
	case slices.Contains(d.units, unit):
		return number, unit, nil
	case slices.Contains(d.units, strings.TrimSpace(unit)):
		problem, remedy = "has a space in it", "write "+number+strings.TrimSpace(unit)
	case d.usual == "":
		problem, remedy = "is not "+d.noun, "write "+d.form()
	default:
		problem, remedy = "has the unknown unit "+shown(unit), "write "+d.form()
	}
	return "", "", &UnitError{text, problem, remedy}
}

// form says how a quantity of the dimension is written.
func (d *dimension) form() string {
	if len(d.units) == 1 {
		return d.noun + " such as " + d.example
	}
	return "a number and " + oneOf(d.units) + ", such as " + d.example
}

// oneOf lists words: "a, b or c".
func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
