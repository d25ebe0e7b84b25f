// Package plan answers on paper what a system will do before anything runs:
// by the closed forms of package bounds, and by a run in virtual time that
// turns the machines of package sched where the answer depends on what happens
// when. It reads no clock and no file.
//
// A plan is a function from a struct of given quantities to a struct of
// answers. The answers are exact, in rationals or integers, until they become
// the float64 nearest to them; what is not known is absent, never zero.
package plan

import (
	"encoding/json"
	"io"
	"math/big"
	"time"
)

// JSON writes a plan, indented, in the form that its schema in docs describes.
func JSON(w io.Writer, plan any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(plan)
}

// seconds returns a duration as an exact number of seconds.
func seconds(d time.Duration) *big.Rat { return big.NewRat(int64(d), int64(time.Second)) }

// ratio returns the float64 nearest to x.
func ratio(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// float is ratio for what may be unknown: nil stays nil.
func float(x *big.Rat) *float64 {
	if x == nil {
		return nil
	}
	f := ratio(x)
	return &f
}
