package model

import (
	"errors"
	"math"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0s":                     0,
		"1ns":                    1,
		"250us":                  250_000,
		"250µs":                  250_000, // micro sign
		"250μs":                  250_000, // Greek mu
		"10ms":                   10_000_000,
		"0.05s":                  50_000_000,
		"0.1s":                   100_000_000,
		"1.000000001s":           1_000_000_001,
		"1.0000000010s":          1_000_000_001,
		"007ms":                  7_000_000,
		"1min":                   60_000_000_000,
		"0.25min":                15_000_000_000,
		"1.5h":                   5_400_000_000_000,
		"0.0000000000025h":       9,
		"9223372036854775807ns":  math.MaxInt64,
		"9223372036.854775807s":  math.MaxInt64,
		"9223372036854.775807ms": math.MaxInt64,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("ParseDuration(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestFormatDuration(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s":                     0,
		"1ns":                    1,
		"10ms":                   10 * time.Millisecond,
		"100ms":                  100 * time.Millisecond,
		"250us":                  250 * time.Microsecond,
		"999.999us":              999_999,
		"1.5s":                   1500 * time.Millisecond,
		"90s":                    90 * time.Second,
		"2min":                   2 * time.Minute,
		"1h":                     time.Hour,
		"60s":                    time.Minute,
		"33.333334ms":            33_333_334,
		"5430s":                  90*time.Minute + 30*time.Second,
		"-1.5ms":                 -1500 * time.Microsecond,
		"9223372036.854775807s":  math.MaxInt64,
		"-9223372036.854775808s": math.MinInt64,
	} {
		if got := FormatDuration(d); got != want {
			t.Errorf("FormatDuration(%d) = %s, want %s", d, got, want)
		}
	}
}

func TestParseRate(t *testing.T) {
	for text, want := range map[string]float64{
		"200Hz":    200,
		"16Hz":     16,
		"0.5Hz":    0.5,
		"1.6kHz":   1600,
		"1.001kHz": 1001, // 1.001*1000 is 1000.9999999999999
		"29.97Hz":  29.97,
	} {
		if got, err := ParseRate(text); err != nil || got != want {
			t.Errorf("ParseRate(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestParseShare(t *testing.T) {
	for text, want := range map[string]float64{
		"5%":     0.05,
		"1%":     0.01,
		"0.1%":   0.001,
		"35%":    0.35, // 35*0.01 is 0.35000000000000003
		"7%":     0.07,
		"100%":   1,
		"0%":     0,
		"12.50%": 0.125,
		"250%":   2.5,
	} {
		if got, err := ParseShare(text); err != nil || got != want {
			t.Errorf("ParseShare(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestFormatRateAndShare(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{FormatRate(200), "200Hz"},
		{FormatRate(29.97), "29.97Hz"},
		{FormatRate(1600), "1600Hz"},
		{FormatShare(0.05), "5%"},
		{FormatShare(0.07), "7%"},
		{FormatShare(0.29), "29%"},
		{FormatShare(0.001), "0.1%"},
		{FormatShare(0.12345), "12.345%"},
		{FormatShare(1), "100%"},
		{FormatShare(25), "2500%"},
		{FormatShare(0), "0%"},
		{FormatShare(-0.5), "-50%"},
		{FormatShare(math.Inf(1)), "+Inf%"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestRefusedQuantities(t *testing.T) {
	long := func(text string) (time.Duration, error) { return ParseDuration(text) }
	rate := func(text string) (time.Duration, error) { _, err := ParseRate(text); return 0, err }
	share := func(text string) (time.Duration, error) { _, err := ParseShare(text); return 0, err }
	number := func(text string) (time.Duration, error) { _, err := parseNumber(text); return 0, err }
	for _, c := range []struct {
		parse func(string) (time.Duration, error)
		text  string
		want  string
	}{
		{long, "20", `"20" has no unit; write 20ms`},
		{long, "0", `"0" has no unit; write 0ms`},
		{long, "", `"" is not a duration; write a number and ns, us, ms, s, min or h, such as 20ms`},
		{long, "soon", `"soon" is not a duration; write a number and ns, us, ms, s, min or h, such as 20ms`},
		{long, "20 ms", `"20 ms" has a space in it; write 20ms`},
		{long, "1m", `"1m" has the unknown unit "m"; write a number and ns, us, ms, s, min or h, such as 20ms`},
		{long, "20MS", `"20MS" has the unknown unit "MS"; write a number and ns, us, ms, s, min or h, such as 20ms`},
		{long, "1m30s", `"1m30s" has the unknown unit "m30s"; write a number and ns, us, ms, s, min or h, such as 20ms`},
		{long, "1e3ms", `"1e3ms" has the unknown unit "e3ms"; write a number and ns, us, ms, s, min or h, such as 20ms`},
		{long, "-5ms", `"-5ms" is negative; write a duration above zero, such as 20ms`},
		{long, ".5s", `".5s" is not a decimal number; write a number and ns, us, ms, s, min or h, such as 20ms`},
		{long, "1.2.3s", `"1.2.3s" is not a decimal number; write a number and ns, us, ms, s, min or h, such as 20ms`},
		{long, "0.5ns", `"0.5ns" is finer than a nanosecond; round it to whole nanoseconds`},
		{long, "1.0000000001s", `"1.0000000001s" is finer than a nanosecond; round it to whole nanoseconds`},
		{long, "9223372036854775808ns", `"9223372036854775808ns" is longer than 292 years; write a shorter duration`},
		{long, "nan", `"nan" is not a duration; write a number and ns, us, ms, s, min or h, such as 20ms`},
		{rate, "200", `"200" has no unit; write 200Hz`},
		{rate, "200hz", `"200hz" has the unknown unit "hz"; write a number and Hz or kHz, such as 16Hz`},
		{rate, "infHz", `"infHz" is not a rate; write a number and Hz or kHz, such as 16Hz`},
		{rate, "-1Hz", `"-1Hz" is negative; write a rate above zero, such as 16Hz`},
		{share, "5", `"5" has no unit; write 5%`},
		{share, "5 %", `"5 %" has a space in it; write 5%`},
		{share, "five%", `"five%" is not a share; write a share such as 5%`},
		{number, "NaN", `"NaN" is not a number; write a number such as 0.95`},
		{number, "+Inf", `"+Inf" is not a number; write a number such as 0.95`},
		{number, "0x1p-2", `"0x1p-2" is not a number; write a number such as 0.95`},
		{number, "95%", `"95%" is not a number; write a number such as 0.95`},
		{number, "1.", `"1." is not a decimal number; write a number such as 0.95`},
	} {
		_, err := c.parse(c.text)
		var unit *UnitError
		if !errors.As(err, &unit) || err.Error() != c.want {
			t.Errorf("%q gives\n\t%v, want\n\t%s", c.text, err, c.want)
		}
	}
}

func TestHugeNumbersAreRefused(t *testing.T) {
	digits := make([]byte, 400)
	for i := range digits {
		digits[i] = '9'
	}
	if _, err := ParseDuration(string(digits) + "s"); err == nil {
		t.Error("a duration of 400 digits is accepted")
	}
	if _, err := ParseRate(string(digits) + "Hz"); err == nil {
		t.Error("a rate of 400 digits is accepted")
	}
}

// What Format writes, Parse reads back, and it says what big.Rat says it says.
func TestQuantitiesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Min(0).Draw(t, "duration"))
		if got, err := ParseDuration(FormatDuration(d)); err != nil || got != d {
			t.Errorf("%d becomes %s, then %d, %v", d, FormatDuration(d), got, err)
		}
		x := rapid.Float64Min(0).Draw(t, "x")
		if got, err := ParseRate(FormatRate(x)); err != nil || got != x {
			t.Errorf("%v becomes %s, then %v, %v", x, FormatRate(x), got, err)
		}
		share := rapid.Float64Range(0, 10).Draw(t, "share")
		if got, err := ParseShare(FormatShare(share)); err != nil || got != share {
			t.Errorf("%v becomes %s, then %v, %v", share, FormatShare(share), got, err)
		}
	})
}

// A share in thousandths of a per cent is the float64 nearest to the quotient.
func TestSharesAreNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 100_000).Draw(t, "n")
		want, _ := big.NewRat(n, 100_000).Float64()
		text := big.NewRat(n, 1000).FloatString(3) + "%"
		if got, err := ParseShare(text); err != nil || got != want {
			t.Errorf("%s is read as %v, %v; want %v", text, got, err, want)
		}
	})
}

func FuzzQuantities(f *testing.F) {
	for _, text := range []string{"10ms", "0.05s", "9223372036854775807ns", "1.5h", "16Hz", "1.6kHz", "5%", "-1s", "250µs"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := ParseDuration(text); err == nil {
			if again, err := ParseDuration(FormatDuration(d)); err != nil || again != d {
				t.Errorf("%q is %d, then %d, %v", text, d, again, err)
			}
		}
		if x, err := ParseRate(text); err == nil {
			if again, err := ParseRate(FormatRate(x)); err != nil || again != x {
				t.Errorf("%q is %v, then %v, %v", text, x, again, err)
			}
		}
		if x, err := ParseShare(text); err == nil {
			if again, err := ParseShare(FormatShare(x)); err != nil || again != x {
				t.Errorf("%q is %v, then %v, %v", text, x, again, err)
			}
		}
	})
}

func TestExactQuantities(t *testing.T) {
	for _, c := range []struct {
		parse func(string) (*big.Rat, error)
		text  string
		want  *big.Rat
	}{
		{ParseExactRate, "16Hz", big.NewRat(16, 1)},
		{ParseExactRate, "83.33Hz", big.NewRat(8333, 100)},
		{ParseExactRate, "1.001kHz", big.NewRat(1001, 1)},
		{ParseExactShare, "5%", big.NewRat(1, 20)},
		{ParseExactNumber, "0.1", big.NewRat(1, 10)},
	} {
		if got, err := c.parse(c.text); err != nil || got.Cmp(c.want) != 0 {
			t.Errorf("%s: got %v, %v, want %v", c.text, got, err, c.want)
		}
	}
	for _, bad := range []string{"-1", "NaN", "Inf", "1e3", "", "0.1x", "0.3333333333333333333333333333333"} {
		if got, err := ParseExactNumber(bad); err == nil {
			t.Errorf("%q: got %v, want an error", bad, got)
		}
	}
}
