package report

import (
	"testing"
	"time"
)

func TestUnits(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{chosen(8 * time.Millisecond), "8 ms"},
		{chosen(1500 * time.Millisecond), "1.5 s"},
		{chosen(1234560), "1.23456 ms"},
		{chosen(250 * time.Microsecond), "250 µs"},
		{chosen(7), "7 ns"},
		{chosen(0), "0 ns"},
		{chosen(-8 * time.Millisecond), "-8 ms"},
		{percent(0.05), "5 %"},
		{percent(0.0002), "0.02 %"},
		{percent(1.0 / 3), "33.3 %"},
		{plain(200), "200"},
		{plain(12.5), "12.5"},
		{compact(5.0084), "5.008"},
		{compact(9.9996), "10.00"},
		{compact(34.057), "34.06"},
		{compact(199.666), "199.7"},
		{compact(1017.87), "1018"},
		{compact(123456), "123456"},
		{compact(-49.8187), "-49.82"},
		{compact(-0.0001), "0.000"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}
