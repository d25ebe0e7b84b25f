package gazebo

import (
	"math/big"
	"regexp"
	"strings"
)

// decimalForm is what is taken for a number: a decimal, with an exponent if
// need be. The exponent is bounded, as exact arithmetic grows with it.
var decimalForm = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,2})?$`)

const maxDigits = 64

// parseDecimal reads a number without rounding: 0.004, 4e-3.
func parseDecimal(text []byte) (*big.Rat, bool) {
	if len(text) > maxDigits || !decimalForm.Match(text) {
		return nil, false
	}
	return new(big.Rat).SetString(string(text))
}

// decimal writes a number with as many decimals as it has: 0.004. What has no
// end is cut to 12 decimals.
func decimal(x *big.Rat) string {
	n, exact := x.FloatPrec()
	if exact {
		return x.FloatString(n)
	}
	return strings.TrimRight(x.FloatString(12), "0")
}

func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// number reads the text of a node; an empty one gives nil, for the default.
func (n *node) number() (*big.Rat, *Error) {
	if n == nil || n.textEnd == 0 {
		return nil, nil
	}
	x, ok := parseDecimal(n.text())
	switch {
	case ok:
		return x, nil
	case strings.ContainsAny(string(n.text()), "${}<%"):
		return nil, n.at("fill in the template first, and name its result", "%s is %s, which is no number", n.name, shown(n.text()))
	}
	return nil, n.at("write a decimal, such as 0.001", "%s is %s, which is no number", n.name, shown(n.text()))
}
