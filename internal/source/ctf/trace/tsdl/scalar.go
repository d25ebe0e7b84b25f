package tsdl

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
)

// maxAlignment is in bits: no tracer aligns to more than a page.
const maxAlignment = 4096 * 8

func alignment(n uint64, line int) (int, error) {
	if n == 0 || n > maxAlignment || bits.OnesCount64(n) != 1 {
		return 0, &Error{line, fmt.Sprintf("an alignment is a power of two of at most %d bits, not %d", maxAlignment, n)}
	}
	return int(n), nil
}

// attributes reads "{ key = value; ... }".
func (p *parser) attributes(into map[string]func(Value) error) error {
	if err := p.expect("{"); err != nil {
		return err
	}
	for !p.tok.is("}") {
		if err := p.entry(func(key string) error { return p.set(key, into) }); err != nil {
			return err
		}
	}
	return p.advance()
}

func alignTo(to *int) func(Value) error {
	return func(v Value) error {
		n, err := alignment(uint64(v.Number), 0)
		if err != nil {
			return errors.New(err.(*Error).Problem)
		}
		*to = n
		return nil
	}
}

func (p *parser) integerType() (Type, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	i, line := &Integer{}, p.tok.line
	err := p.attributes(map[string]func(Value) error{
		"size": func(v Value) error {
			if v.Number < 1 || v.Number > 64 {
				return errors.New("an integer has 1 to 64 bits")
			}
			i.Size = int(v.Number)
			return nil
		},
		"align": alignTo(&i.Alignment),
		"signed": func(v Value) error {
			i.Signed = v.Text == "true" || v.Text == "TRUE" || v.Number == 1
			return nil
		},
		"byte_order": p.byteOrder(&i.Order),
		"encoding": func(v Value) error {
			i.Text = v.Text == "UTF8" || v.Text == "ASCII" || v.Text == "utf8" || v.Text == "ascii"
			return nil
		},
		"map": func(v Value) error {
			clock, ok := strings.CutPrefix(v.Text, "clock.")
			if clock, is := strings.CutSuffix(clock, ".value"); ok && is {
				i.Clock = clock
			}
			return nil
		},
	})
	if err != nil {
		return nil, err
	}
	if i.Size == 0 {
		return nil, &Error{line, "the integer has no size"}
	}
	if i.Alignment == 0 {
		i.Alignment = 1
		if i.Size%8 == 0 {
			i.Alignment = 8
		}
	}
	return i, nil
}

func (p *parser) floatType() (Type, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	f, line, exponent, mantissa := &Float{}, p.tok.line, int64(0), int64(0)
	err := p.attributes(map[string]func(Value) error{
		"exp_dig":    func(v Value) error { exponent = v.Number; return nil },
		"mant_dig":   func(v Value) error { mantissa = v.Number; return nil },
		"align":      alignTo(&f.Alignment),
		"byte_order": p.byteOrder(&f.Order),
	})
	if err != nil {
		return nil, err
	}
	switch {
	case exponent == 8 && mantissa == 24:
		f.Size = 32
	case exponent == 11 && mantissa == 53:
		f.Size = 64
	default:
		return nil, &Error{line, fmt.Sprintf("a floating point number has 8 and 24 or 11 and 53 bits of exponent and mantissa, not %d and %d", exponent, mantissa)}
	}
	if f.Alignment == 0 {
		f.Alignment = 1
	}
	return f, nil
}

func (p *parser) stringType() (Type, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.is("{") {
		return &String{}, p.attributes(nil)
	}
	return &String{}, nil
}
