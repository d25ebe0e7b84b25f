package model

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// sameSystem compares what two systems say, wherever they say it.
var sameSystem = cmp.Options{
	cmpopts.IgnoreFields(System{}, "File"),
	cmpopts.IgnoreFields(ClockContract{}, "Line"),
	cmpopts.IgnoreFields(TopicContract{}, "Line"),
	cmpopts.IgnoreFields(LoopContract{}, "Line"),
}

func TestFormat(t *testing.T) {
	s := &System{
		Clock: &ClockContract{MinRTF: 0.95, MaxTick: 10 * time.Millisecond, Window: 100 * time.Millisecond},
		Topics: []TopicContract{
			{Name: "/imu", Kind: Soft, Rate: 200, RateTolerance: 0.05, SimRate: true, MaxAge: 20 * time.Millisecond, Allowed: 0.01},
			{Name: "imu raw", Kind: Hard, RateTolerance: 0.05, MaxInterval: 1500 * time.Microsecond},
		},
		Loops: []LoopContract{
			{Name: "control", Kind: Hard, Period: 10 * time.Millisecond, OnROS: true, Deadline: 10 * time.Millisecond, MaxLatenessShare: 0.05},
			{Name: "drive train", Kind: Firm, Violations: ptr(0), Jitter: 50 * time.Microsecond},
		},
	}
	got := s.Format(Comments{
		"":                        "Written by takt init\nfrom a bag.",
		"clock":                   "98 ticks",
		"clock.min_rtf":           "0.99 measured",
		"topics./imu":             "sensor_msgs/msg/Imu",
		"topics./imu.rate":        "199.8Hz\nmeasured",
		`topics."imu raw"`:        "first\n\nthird",
		"topics./imu.no_such_key": "not shown",
		"loops.control":           "489 callbacks",
		"loops.control.deadline":  "longest response 4ms",
	})
	want := `# Written by takt init
# from a bag.
takt: 1

# 98 ticks
clock:
  min_rtf: 0.95 # 0.99 measured
  max_tick: 10ms

topics:
  # sensor_msgs/msg/Imu
  /imu:
    kind: soft
    rate: 200Hz # 199.8Hz measured
    rate_clock: sim
    max_age: 20ms
    allowed: 1%
  # first
  #
  # third
  "imu raw":
    max_interval: 1.5ms

loops:
  # 489 callbacks
  control:
    period: 10ms
    timer_clock: ros
    deadline: 10ms # longest response 4ms
    max_lateness: 5%
  "drive train":
    kind: firm
    violations: 0
    jitter: 50us
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestFormatEmpty(t *testing.T) {
	if got := string((&System{}).Format(nil)); got != "takt: 1\n" {
		t.Errorf("got %q", got)
	}
}

func TestPath(t *testing.T) {
	for want, got := range map[string]string{
		"":                         Path(),
		"clock":                    Path("clock"),
		"topics./imu.max_age":      Path("topics", "/imu", "max_age"),
		`topics."/tf a -> b".rate`: Path("topics", "/tf a -> b", "rate"),
		`topics."true"`:            Path("topics", "true"),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Parse(Format(s)) is s, whatever the names and comments are.
func TestFormatParsesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := systems.Draw(t, "system")
		file := want.Format(anyComments(t, want))
		got, err := Parse("takt.yaml", file)
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		if diff := cmp.Diff(want, got, sameSystem, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s\n%s", diff, file)
		}
	})
}

// systems are all that Parse could return.
var systems = rapid.Custom(func(t *rapid.T) *System {
	s := &System{}
	if rapid.Bool().Draw(t, "has clock") {
		s.Clock = clocks.Draw(t, "clock")
	}
	for _, name := range anyNames.Draw(t, "topics") {
		s.Topics = append(s.Topics, anyTopic(t, name))
	}
	for _, name := range anyNames.Draw(t, "loops") {
		s.Loops = append(s.Loops, anyLoop(t, name))
	}
	return s
})

var anyNames = rapid.SliceOfNDistinct(
	rapid.OneOf(rapid.StringMatching(`/[a-z_/]{1,9}`), rapid.StringN(1, 20, 100),
		rapid.SampledFrom([]string{"true", "Null", "~", "- a", "? b", "a: b", "#c", "&d", "*e", "!f", "1", "1.5", "<<", "\r", "\u2028", "\ufeff", `"`, "'", " x "})),
	0, 8, rapid.ID[string])

var (
	anyShare    = rapid.Float64Range(1e-9, 0.999)
	anyDuration = rapid.Custom(func(t *rapid.T) time.Duration { return time.Duration(rapid.Int64Min(1).Draw(t, "ns")) })
	anyLimit    = rapid.OneOf(rapid.Just(time.Duration(0)), anyDuration)
)

var clocks = rapid.Custom(func(t *rapid.T) *ClockContract {
	factor := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1e-6, 1))
	c := &ClockContract{
		Topic:  rapid.SampledFrom([]string{"/clock", "/sim/clock", "my clock", "null"}).Draw(t, "topic"),
		Kind:   rapid.SampledFrom([]Kind{Hard, Firm, Soft}).Draw(t, "kind"),
		MinRTF: factor.Draw(t, "min"), MaxRTF: 1.5, Window: anyDuration.Draw(t, "window"),
		MinWindowRTF: factor.Draw(t, "least"), MaxWindowRTF: rapid.SampledFrom([]float64{1, 2, 1e9}).Draw(t, "most"),
		MaxTick: anyLimit.Draw(t, "tick"),
	}
	if c.Kind == Soft {
		c.Allowed = anyShare.Draw(t, "allowed")
	}
	return c
})

func anyTopic(t *rapid.T, name string) TopicContract {
	c := TopicContract{
		Name: name, Kind: rapid.SampledFrom([]Kind{Hard, Firm, Soft}).Draw(t, "kind"), RateTolerance: 0.05,
		MaxAge: anyDuration.Draw(t, "age"), MaxBehind: anyLimit.Draw(t, "behind"),
	}
	if c.Kind == Soft {
		c.Allowed = anyShare.Draw(t, "allowed")
	}
	if c.Kind == Firm || rapid.Bool().Draw(t, "has rate") {
		c.Rate = rapid.Float64Range(1e-3, 1e9).Draw(t, "rate")
		c.RateTolerance = anyShare.Draw(t, "tolerance")
		c.SimRate = rapid.Bool().Draw(t, "sim")
	} else { // with a rate they could contradict it
		c.MaxInterval, c.MaxGap = anyLimit.Draw(t, "interval"), anyLimit.Draw(t, "gap")
	}
	return c
}

func anyLoop(t *rapid.T, name string) LoopContract {
	c := LoopContract{
		Name: name, Kind: rapid.SampledFrom([]Kind{Hard, Firm, Soft}).Draw(t, "kind"),
		Period: anyLimit.Draw(t, "period"), OnROS: rapid.Bool().Draw(t, "ros"), Deadline: anyDuration.Draw(t, "deadline"),
	}
	if c.Kind == Soft {
		c.Allowed = anyShare.Draw(t, "allowed")
	} else if rapid.Bool().Draw(t, "has violations") {
		c.Violations = ptr(rapid.Uint64Max(1<<63-1).Draw(t, "violations"))
	}
	if rapid.Bool().Draw(t, "shares") {
		c.MaxLatenessShare, c.JitterShare = anyShare.Draw(t, "lateness"), anyShare.Draw(t, "jitter")
	} else {
		c.MaxLateness, c.Jitter = anyLimit.Draw(t, "lateness"), anyLimit.Draw(t, "jitter")
	}
	if c.OnROS || c.Period == 0 { // else it could be below the period
		c.Budget = anyLimit.Draw(t, "budget")
	}
	return c
}

// anyComments draws comments on everything that a system file of s may have.
func anyComments(t *rapid.T, s *System) Comments {
	paths := []string{"", "clock", "clock.kind", "clock.max_rtf"}
	for _, topic := range s.Topics {
		paths = append(paths, Path("topics", topic.Name), Path("topics", topic.Name, "max_age"))
	}
	for _, loop := range s.Loops {
		paths = append(paths, Path("loops", loop.Name), Path("loops", loop.Name, "deadline"))
	}
	c := Comments{}
	for _, path := range paths {
		c[path] = rapid.OneOf(rapid.Just(""), rapid.String(), rapid.StringMatching("[\r\n\t #:x]*")).Draw(t, "comment")
	}
	return c
}

// No bytes make Parse panic, and what it accepts survives Format.
func FuzzParse(f *testing.F) {
	full, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	for _, c := range refused {
		f.Add([]byte(c.file))
	}
	f.Add([]byte(strings.Repeat("a: [{", 9)))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("takt.yaml", data)
		if err != nil {
			if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' && r != '\n' }) {
				t.Errorf("control characters in %q", err)
			}
			return
		}
		again, err := Parse("takt.yaml", s.Format(nil))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, again, sameSystem); diff != "" {
			t.Error(diff)
		}
	})
}
