package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A dataRate is a flag such as 5MB/s, in bytes per second; 0: not given.
type dataRate int64

var dataRateUnits = []struct {
	unit  string
	bytes float64
}{{"GB/s", 1e9}, {"MB/s", 1e6}, {"kB/s", 1e3}, {"B/s", 1}}

func (r *dataRate) Type() string { return "rate" }

func (r *dataRate) String() string {
	if *r == 0 {
		return ""
	}
	for _, u := range dataRateUnits {
		if v := float64(*r) / u.bytes; v >= 1 {
			return strconv.FormatFloat(v, 'f', -1, 64) + u.unit
		}
	}
	return fmt.Sprintf("%dB/s", *r)
}

func (r *dataRate) Set(text string) error {
	for _, u := range dataRateUnits {
		number, ok := strings.CutSuffix(text, u.unit)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		v = math.Round(v * u.bytes)
		if err != nil || !(v >= 1 && v < math.MaxInt64) {
			return fmt.Errorf("%s is not a rate above zero; write one such as 5MB/s", text)
		}
		*r = dataRate(v)
		return nil
	}
	return fmt.Errorf("%s has no unit; write one such as 5MB/s or 500kB/s", text)
}
