package bag

import (
	"cmp"
	"strings"
)

// naturalCompare orders names with numbers in them by the numbers: bag_2 comes
// before bag_10.
func naturalCompare(a, b string) int {
	wholeA, wholeB := a, b
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na == 0 || nb == 0 {
			if a[0] != b[0] {
				return strings.Compare(a, b)
			}
			a, b = a[1:], b[1:]
			continue
		}
		x, y := strings.TrimLeft(a[:na], "0"), strings.TrimLeft(b[:nb], "0")
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
		a, b = a[na:], b[nb:]
	}
	return cmp.Or(len(a)-len(b), strings.Compare(wholeA, wholeB))
}

// digits returns how many digits s begins with.
func digits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}
