package main

import (
	"fmt"
	"strings"
)

// A dataRate is a flag such as 5MB/s, in bytes per second; 0: not given.
type dataRate size

func (r *dataRate) Type() string { return "rate" }

func (r *dataRate) String() string {
	if *r == 0 {
		return ""
	}
	return (*size)(r).String() + "/s"
}

func (r *dataRate) Set(text string) error {
	bytes, ok := strings.CutSuffix(text, "/s")
	if !ok {
		return fmt.Errorf("%s is not a rate; write one such as 5MB/s or 500kB/s", text)
	}
	var s size
	if err := s.Set(bytes); err != nil {
		return err
	}
	if s == 0 {
		return fmt.Errorf("%s is not above zero; write one such as 5MB/s", text)
	}
	*r = dataRate(s)
	return nil
}
