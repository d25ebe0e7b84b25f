package main

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/takt-rt/takt/model"
)

// Quantities as flags: each with its unit, as the system file writes it, and
// none at zero. A pointer in them is nil until the flag is given.

// A duration is a flag such as 10ms.
type duration time.Duration

func (d *duration) String() string {
	if *d == 0 { // not given: help then shows no default
		return ""
	}
	return model.FormatDuration(time.Duration(*d))
}

func (d *duration) Type() string { return "duration" }

func (d *duration) Set(text string) error {
	v, err := model.ParseDuration(text)
	if err == nil && v <= 0 {
		err = fmt.Errorf("%s is not longer than zero", text)
	}
	*d = duration(v)
	return err
}

// durations are a flag such as 250ms,250ms,375ms.
type durations []time.Duration

func (d *durations) Type() string { return "durations" }

func (d *durations) String() string {
	var texts []string
	for _, v := range *d {
		texts = append(texts, model.FormatDuration(v))
	}
	return strings.Join(texts, ",")
}

func (d *durations) Set(list string) error {
	*d = nil
	for text := range strings.SplitSeq(list, ",") {
		var v duration
		if err := v.Set(text); err != nil {
			return err
		}
		*d = append(*d, time.Duration(v))
	}
	return nil
}

// A rate is a flag such as 16Hz.
type rate struct{ hz *big.Rat }

func (r *rate) Type() string { return "rate" }

func (r *rate) String() string {
	if r.hz == nil {
		return ""
	}
	hz, _ := r.hz.Float64()
	return model.FormatRate(hz)
}

func (r *rate) Set(text string) (err error) {
	r.hz, err = positive(text, model.ParseExactRate)
	return err
}

// A share is a flag such as 20%.
type share struct{ of1 *big.Rat }

func (s *share) Type() string { return "share" }

func (s *share) String() string {
	if s.of1 == nil {
		return ""
	}
	x, _ := s.of1.Float64()
	return model.FormatShare(x)
}

func (s *share) Set(text string) (err error) {
	s.of1, err = model.ParseExactShare(text)
	return err
}

// factors are a flag such as 1,0.5,0.25, for one or more real time factors.
type factors []*big.Rat

func (f *factors) Type() string { return "factors" }

func (f *factors) String() string {
	var texts []string
	for _, x := range *f {
		v, _ := x.Float64()
		texts = append(texts, fmt.Sprint(v))
	}
	return strings.Join(texts, ",")
}

func (f *factors) Set(list string) error {
	*f = nil
	for text := range strings.SplitSeq(list, ",") {
		x, err := positive(text, model.ParseExactNumber)
		if err != nil {
			return err
		}
		*f = append(*f, x)
	}
	return nil
}

// positive reads a quantity above zero.
func positive(text string, parse func(string) (*big.Rat, error)) (*big.Rat, error) {
	x, err := parse(text)
	if err != nil {
		return nil, err
	}
	if x.Sign() <= 0 {
		return nil, fmt.Errorf("%s is not above zero", text)
	}
	return x, nil
}
