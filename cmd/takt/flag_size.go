package main

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/takt-rt/takt/model"
)

// A size is a flag of bytes such as 64MB; zero is allowed.
type size int64

// sizeUnits are what a size may be written in, the longer ones first where one
// ends like another.
var sizeUnits = []struct {
	name  string
	bytes int64
}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

func (s *size) Type() string { return "size" }

// String writes a size in the largest unit in which it is a whole number.
func (s *size) String() string {
	for _, u := range sizeUnits {
		if n := int64(*s); n > 0 && n%u.bytes == 0 {
			return fmt.Sprint(n/u.bytes, u.name)
		}
	}
	return "0B"
}

func (s *size) Set(text string) error {
	for _, u := range sizeUnits {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := model.ParseExactNumber(number)
		if err != nil {
			return err
		}
		n.Mul(n, new(big.Rat).SetInt64(u.bytes))
		if !n.IsInt() || !n.Num().IsInt64() {
			return fmt.Errorf("%s is not a whole number of bytes below 9.2 EB", text)
		}
		*s = size(n.Num().Int64())
		return nil
	}
	return fmt.Errorf("%s has no unit of bytes; write it like 64MB", text)
}
