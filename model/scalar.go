package model

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// amount is the field of a duration that may be zero, such as a phase.
func amount[T any](key string, at func(*T) *time.Duration) field[T] {
	read := func(v value, into *T) { *at(into), _ = v.duration(writeOrRemove(duration.example)) }
	write := func(from *T) string { return FormatDuration(*at(from)) }
	return field[T]{key: key, read: read, write: write}
}

// duration reads a duration that may be zero.
func (v value) duration(remedy string) (time.Duration, bool) {
	text, ok := v.text(remedy)
	if !ok {
		return 0, false
	}
	d, err := ParseDuration(text)
	return d, v.accept(err)
}

// accept reports what is wrong with a quantity, if anything is.
func (v value) accept(err error) bool {
	var wrong *UnitError
	if errors.As(err, &wrong) {
		v.fail(wrong.Problem, wrong.Remedy)
	}
	return err == nil
}

// period is a duration above zero, or a rate that stands for one.
var period = codec[time.Duration]{"10ms", parsePeriod, FormatDuration}

// parsePeriod reads a duration, or a rate as the period nearest to it in whole
// nanoseconds.
func parsePeriod(text string) (time.Duration, error) {
	if !strings.HasSuffix(text, "Hz") {
		return ParseDuration(text)
	}
	hz, err := ParseExactRate(text)
	switch {
	case err != nil:
		return 0, err
	case hz.Sign() == 0:
		return 0, &UnitError{text, "is zero, which never comes", "write more, such as 100Hz"}
	}
	return rounded(text, hz.Inv(hz))
}

// rounded returns seconds to the nearest nanosecond, halves up.
func rounded(text string, seconds *big.Rat) (time.Duration, error) {
	ns := seconds.Mul(seconds, big.NewRat(int64(time.Second), 1))
	ns.Add(ns, big.NewRat(1, 2))
	n := new(big.Int).Quo(ns.Num(), ns.Denom())
	switch {
	case n.Sign() == 0:
		return 0, &UnitError{text, "is faster than one in a nanosecond", "write a lower rate"}
	case !n.IsInt64():
		return 0, &UnitError{text, "is slower than one in 292 years", "write a higher rate"}
	}
	return time.Duration(n.Int64()), nil
}

// byRate is the field of a rate that is kept as a period; it is written as one,
// by the field of the period.
func byRate[T any](key string, at func(*T) *time.Duration) field[T] {
	read := func(v value, into *T) {
		text, ok := v.text(writeOrRemove(rate.example))
		if !ok {
			return
		}
		if _, err := ParseExactRate(text); !v.accept(err) {
			return
		}
		d, err := parsePeriod(text)
		if v.accept(err) {
			*at(into) = d
		}
	}
	return field[T]{key: key, read: read, write: func(*T) string { return "" }}
}

// flag is the field of a yes or no that is no if it is not written.
func flag[T any](key string, at func(*T) *bool) field[T] {
	read := func(v value, into *T) { *at(into) = oneWord(v, "true", "false") == "true" }
	write := func(from *T) string { return strconv.FormatBool(*at(from)) }
	return field[T]{key: key, read: read, write: write}
}

// either is a flag with two words of its own.
func either[T any](key, no, yes string, at func(*T) *bool) field[T] {
	read := func(v value, into *T) { *at(into) = oneWord(v, no, yes) == yes }
	write := func(from *T) string {
		if *at(from) {
			return yes
		}
		return no
	}
	return field[T]{key: key, read: read, write: write}
}

// A span is the whole numbers that a field takes, both ends included.
type span struct{ least, most int }

// whole is the field of a whole number; zero in the struct is one that is not written.
func whole[T any](key string, in span, at func(*T) *int) field[T] {
	read := func(v value, into *T) {
		text, ok := v.text(writeOrRemove(strconv.Itoa(max(in.least, 1))))
		if ok {
			*at(into) = v.whole(text, in)
		}
	}
	write := func(from *T) string {
		if *at(from) == 0 {
			return ""
		}
		return strconv.Itoa(*at(from))
	}
	return field[T]{key: key, read: read, write: write}
}

// whole reads a whole number; the least one if it is not one of the span.
func (v value) whole(text string, in span) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < in.least || n > in.most {
		v.fail(fmt.Sprintf("is %s, not a whole number from %d to %d", shown(text), in.least, in.most),
			"write one, such as "+strconv.Itoa(max(in.least, 1)))
		return in.least
	}
	return n
}

// seed is the field of the seed of what is drawn.
func seed[T any](at func(*T) *uint64) field[T] {
	read := func(v value, into *T) {
		text, ok := v.text(writeOrRemove("1"))
		if !ok {
			return
		}
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			v.fail(fmt.Sprintf("is %s, not a whole number from 0 to 2^63-1", shown(text)), "write one, such as 1")
		}
		*at(into) = n
	}
	write := func(from *T) string {
		if *at(from) == 0 {
			return ""
		}
		return strconv.FormatUint(*at(from), 10)
	}
	return field[T]{key: "seed", read: read, write: write}
}

// band reads priorities such as 10..49, or 99 if it is one.
func (v value) band() Band {
	const remedy = "write one such as 10..49, or 99 if it is one priority"
	text, ok := v.text(remedy)
	if !ok {
		return Band{}
	}
	lowest, highest, two := strings.Cut(text, "..")
	if !two {
		highest = lowest
	}
	low, err := strconv.Atoi(lowest)
	high, err2 := strconv.Atoi(highest)
	if err != nil || err2 != nil || low < 1 || high > maxPriority || low > high {
		v.fail(fmt.Sprintf("is %s, not a band of priorities from 1 to %d", shown(text), maxPriority), remedy)
		return Band{}
	}
	return Band{low, high}
}

// maxPriority is the highest priority of a real-time thread on Linux (sched(7)).
const maxPriority = 99

// String returns the band as the file has it; "" if it is none.
func (b Band) String() string {
	if b == (Band{}) {
		return ""
	}
	if b.Low == b.High {
		return strconv.Itoa(b.Low)
	}
	return fmt.Sprintf("%d..%d", b.Low, b.High)
}
