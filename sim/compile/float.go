package compile

import "math"

// The functions of package math may differ in the last bit between CPUs, some of
// which have their own, or round a product and a sum once instead of twice. Here
// each product is rounded by a conversion, which the language says is not fused,
// so that results are the same everywhere. math.Frexp, Ldexp, Round and Sqrt are
// exact, or rounded rightly, on all.

// logarithm returns ln x of a positive finite x: with x = f 2^e, that is
// e ln 2 + 2 artanh((f-1)/(f+1)). The series is cut off below 2^-56.
func logarithm(x float64) float64 {
	f, e := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f, e = 2*f, e-1
	}
	t := (f - 1) / (f + 1) // up to 0.1716
	square := float64(t * t)
	sum := 0.0
	for k := 23; k >= 1; k -= 2 {
		sum = float64(sum*square) + 1/float64(k)
	}
	return float64(2*t*sum) + float64(float64(e)*math.Ln2)
}

// exponential returns e^x, or 0 or +Inf beyond what there is: with
// x = k ln 2 + r, that is 2^k e^r. The series is cut off below 2^-56.
func exponential(x float64) float64 {
	k := math.Round(min(max(x, -1000), 1000) / math.Ln2)
	r := min(max(x, -1000), 1000) - float64(k*ln2High)
	r -= float64(k * ln2Low)
	sum := 1.0
	for n := 15; n >= 1; n-- {
		sum = 1 + float64(sum*r)/float64(n)
	}
	return math.Ldexp(sum, int(k))
}

// ln 2 in two parts, of which the first times a small whole number is exact.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = math.Ln2 - ln2High
)
