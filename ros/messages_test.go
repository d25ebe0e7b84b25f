package ros

import (
	"encoding/hex"
	"math"
	"testing"
	"time"

	"github.com/takt-rt/takt/cdr"
	"github.com/takt-rt/takt/clock"
	"pgregory.net/rapid"
)

// The examples in the definition of builtin_interfaces/msg/Time: 1.7 s is
// {1, 7e8} and -1.7 s is {-2, 3e8}.
func TestTimesInMessages(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		want Time
	}{
		{1_700_000_000, Time{1, 700_000_000}},
		{-1_700_000_000, Time{-2, 300_000_000}},
		{0, Time{}},
		{-1, Time{-1, 999_999_999}},
		{math.MaxInt32*1_000_000_000 + 999_999_999, Time{math.MaxInt32, 999_999_999}},
		{math.MinInt32 * 1_000_000_000, Time{math.MinInt32, 0}},
	} {
		got := TimeOf(clock.Sim(c.ns))
		if got != c.want || got.Sim() != clock.Sim(c.ns) || got.Wall() != clock.Wall(c.ns) {
			t.Errorf("%d ns: %v, back %d", c.ns, got, got.Sim())
		}
		if d := DurationOf(time.Duration(c.ns)); d != Duration(c.want) || d.Std() != time.Duration(c.ns) {
			t.Errorf("%d ns as a span: %v", c.ns, d)
		}
	}
	if got := TimeOf(math.MaxInt64); got != (Time{math.MaxInt32, 999_999_999}) {
		t.Errorf("beyond the last instant: %v", got)
	}
	if got := TimeOf(math.MinInt64); got != (Time{math.MinInt32, 0}) {
		t.Errorf("before the first instant: %v", got)
	}
}

func TestTimesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sec, ns := rapid.Int32().Draw(t, "sec"), rapid.Uint32Range(0, 999_999_999).Draw(t, "nanosec")
		want := Time{sec, ns}
		if got := TimeOf(want.Sim()); got != want {
			t.Fatalf("%v comes back as %v", want, got)
		}
	})
}

// The bytes are written out by hand from the rules of CDR.
func TestMessagesOnTheWire(t *testing.T) {
	for _, c := range []struct {
		message any
		want    string
	}{
		{&Clock{Time{101, 123456789}}, "00010000" + "65000000" + "15cd5b07"},
		{&Header{Time{1, 2}, "map"}, "00010000" + "01000000" + "02000000" + "04000000" + "6d617000"},
		{&Empty{}, "00010000" + "00"},
		{&String{"hi"}, "00010000" + "03000000" + "686900"},
		{&Float64{1}, "00010000" + "000000000000f03f"},
		{&StatisticDataPoint{StatisticMaximum, 1}, "00010000" + "03" + "00000000000000" + "000000000000f03f"},
		{&DiagnosticStatus{Level: DiagnosticWarn, Name: "a", Values: []KeyValue{{"k", "v"}}},
			"00010000" + "01000000" + "02000000" + "6100" + "0000" + "01000000" + "00" + "000000" + "01000000" + "00" + "000000" +
				"01000000" + "02000000" + "6b00" + "0000" + "02000000" + "7600"},
	} {
		got, err := cdr.Append(nil, cdr.LittleEndian, c.message)
		if err != nil || hex.EncodeToString(got) != c.want {
			t.Errorf("%+v\n got %x, %v\nwant %s", c.message, got, err, c.want)
		}
	}
}
