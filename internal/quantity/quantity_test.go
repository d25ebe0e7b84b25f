package quantity

import "testing"

func TestQuantities(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Seconds(0), "0 s"},
		{Seconds(1.0178), "1.018 s"},
		{Seconds(0.9999996), "1 s"},
		{Seconds(0.1), "100 ms"},
		{Seconds(-0.00500836), "-5.008 ms"},
		{Seconds(22.259e-6), "22.259 µs"},
		{Seconds(8e-9), "8 ns"},
		{At(0.597903207), "0.598 s"},
		{At(12), "12.000 s"},
		{Hertz(199.6663), "199.666 Hz"},
		{Hertz(40), "40 Hz"},
		{Factor(0.966042961), "0.9660"},
		{Count(1, "gap"), "1 gap"},
		{Count(uint64(3), "gap"), "3 gaps"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
