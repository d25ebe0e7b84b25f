package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/schematest"
	"github.com/takt-rt/takt/timeline"
)

const watchSchemaFile = "../docs/watch.schema.json"

func graphSnapshot() *Snapshot {
	f, found := graphFigures()
	return NewSnapshot(f, found, 2*time.Second)
}

// The figures are those that runGraph's schedule comes to by hand.
func TestSnapshot(t *testing.T) {
	s := graphSnapshot()
	topics := map[string]LiveTopic{}
	for _, l := range s.Topics {
		topics[l.Name] = l
	}
	scan, odom := topics["/scan"], topics["/odom"]
	c := s.Clock
	for _, test := range []struct {
		what      string
		got, want float64
	}{
		{"elapsed", s.ElapsedS, 2},
		{"messages", float64(s.Messages), 201 + 91 + 41},
		{"RTF", *c.RTF, 0.5},
		{"RTF of the last window", *c.RTFLast, 0.5},
		{"ticks", *c.TickHz, 100},
		{"latency", c.LatencyS.Mean, 0.0002},
		{"error", *c.Error.TotalMeanS, 0.5 * (0.0002 + 1.0/200)},
		{"crossover", *c.Error.CrossoverHz, 5000},
		{"/scan count", float64(scan.Count), 91}, // 101 less the ten whose number ends in 0
		{"/scan rate", *scan.RateHz, 45},         // 90 intervals in 2 s
		{"/scan in simulated time", *scan.RateSimHz, 90},
		{"/scan longest interval", scan.IntervalS.Max, 0.040},
		{"/scan mean interval", scan.IntervalS.Mean, 2.0 / 90},
		{"/scan bandwidth", *scan.BytesPerS, 45_000},
		{"/scan age", scan.PathS.Mean, 0.001},
		{"/scan lost by takt", float64(scan.OwnLosses.LostOnWire), 10},
		{"/scan mismatches", float64(scan.Mismatches), 1},
		{"/odom rate", *odom.RateHz, 20},
		{"/odom age by source timestamp", odom.PathS.Max, 0.003},
		{"/odom age by stamp", odom.AgeS.Max, 0.004},
		{"/odom lost", float64(odom.Losses.LostOnWire), 1},
		{"/odom publishers", float64(*odom.Publishers), 1},
		{"/cmd_vel publishers", float64(*topics["/cmd_vel"].Publishers), 0},
		{"/cmd_vel subscribers", float64(*topics["/cmd_vel"].Subscribers), 1},
	} {
		if math.Abs(test.got-test.want) > 1e-9*max(1, test.want) {
			t.Errorf("%s is %v, want %v", test.what, test.got, test.want)
		}
	}
	if scan.Losses != nil || odom.OwnLosses != nil {
		t.Errorf("losses that nobody told of: %+v, %+v", scan.Losses, odom.OwnLosses)
	}
}

func TestRTFIsNeverShownAlone(t *testing.T) {
	s := graphSnapshot()
	var screen, lines bytes.Buffer
	if err := Live(&screen, s, LiveOptions{Height: 10}); err != nil {
		t.Fatal(err)
	}
	if err := LiveLines(&lines, s, nil); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{screen.String(), lines.String()} {
		if !strings.Contains(text, "RTF 0.5000") || !strings.Contains(text, "deadlines not measured") {
			t.Errorf("not both in\n%s", text)
		}
	}
}

func TestLinesTellAFindingOnce(t *testing.T) {
	first, second := graphSnapshot(), graphSnapshot()
	for _, test := range []struct {
		before *Snapshot
		want   int
	}{{nil, 1}, {first, 0}} {
		var b bytes.Buffer
		if err := LiveLines(&b, second, test.before); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "they never connect"); n != test.want {
			t.Errorf("told %d times, want %d\n%s", n, test.want, &b)
		}
	}
}

// A second mismatch of a topic is news, though the first was told.
func TestLinesTellANewMismatch(t *testing.T) {
	a := analysis.New(analysis.Options{})
	describeGraph(a)
	runGraph(a)
	f, found := a.Figures()
	before := NewSnapshot(f, found, time.Second)
	a.Describe(timeline.Entity{ID: 50, Kind: timeline.ReaderEntity, Parent: scanTopic, Name: "08", Node: "/slam", QoS: &reliable})
	f, found = a.Figures()
	var b bytes.Buffer
	if err := LiveLines(&b, NewSnapshot(f, found, 2*time.Second), before); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "they never connect"); n != 1 || !strings.Contains(b.String(), "/slam wants reliable") {
		t.Errorf("told %d times\n%s", n, &b)
	}
}

// A screen never exceeds its height, nor a line of it its width, and no byte of
// a name reaches the terminal as a control character.
func TestScreenFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := analysis.New(analysis.Options{})
		describeGraph(a)
		runGraph(a)
		for i := range rapid.IntRange(0, 40).Draw(t, "topics") {
			name := rapid.StringMatching(`/[a-z/_\x1b\n]{0,70}`).Draw(t, "name")
			a.Describe(timeline.Entity{ID: timeline.EntityID(100 + i), Kind: timeline.TopicEntity, Name: name, Type: "std_msgs/msg/String"})
		}
		f, found := a.Figures()
		o := LiveOptions{Width: rapid.IntRange(40, 200).Draw(t, "width"), Height: rapid.IntRange(10, 60).Draw(t, "height")}
		var b bytes.Buffer
		if err := Live(&b, NewSnapshot(f, found, time.Second), o); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) > o.Height {
			t.Fatalf("%d lines of %d\n%s", len(lines), o.Height, &b)
		}
		for _, l := range lines {
			if columns(l) > o.Width || strings.ContainsRune(l, '\x1b') {
				t.Fatalf("%d columns of %d: %q", columns(l), o.Width, l)
			}
		}
	})
}

func TestEmptySnapshot(t *testing.T) {
	f, found := analysis.New(analysis.Options{}).Figures()
	s := NewSnapshot(f, found, time.Second)
	var b bytes.Buffer
	if err := Live(&b, s, LiveOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "1.000 s: 0 messages, 0 topics\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.Reset()
	if err := s.JSON(&b); err != nil {
		t.Fatal(err)
	}
	schematest.Validate(t, schematest.Compile(t, watchSchemaFile), b.Bytes())
}

func TestSnapshotsAreValid(t *testing.T) {
	every := &Snapshot{}
	fill(reflect.ValueOf(every).Elem(), 0)
	every.Schema, every.Findings[0].Severity, every.Clock.Error.Knob, every.Topics[0].AgeClock = SnapshotSchema, "info", analysis.KnobPath, "sim"
	for name, s := range map[string]*Snapshot{"graph": graphSnapshot(), "every key": every} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := s.JSON(&b); err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(b.Bytes(), []byte{'\n'}); n != 1 {
				t.Errorf("%d lines", n)
			}
			schematest.Validate(t, schematest.Compile(t, watchSchemaFile), b.Bytes())
		})
	}
	schematest.HasEveryKey(t, watchSchemaFile, "", reflect.TypeFor[Snapshot]())
}

// What ends the lines is a report like any other.
func TestLastLineIsTheReport(t *testing.T) {
	var b bytes.Buffer
	if err := JSONLine(&b, graphReport()); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(b.Bytes(), []byte{'\n'}); n != 1 {
		t.Errorf("%d lines", n)
	}
	schematest.Validate(t, schematest.Compile(t, schemaFile), b.Bytes())
	if _, err := Read(&b); err != nil {
		t.Error(err)
	}
}

func BenchmarkLive(b *testing.B) {
	for _, n := range []int{100} {
		b.Run(fmt.Sprintf("topics=%d", n), func(b *testing.B) {
			s := graphSnapshot()
			for len(s.Topics) < n {
				s.Topics = append(s.Topics, s.Topics...)
			}
			var out bytes.Buffer
			for b.Loop() {
				out.Reset()
				if err := Live(&out, s, LiveOptions{Width: 160, Height: 60}); err != nil {
					b.Fatal(err)
				}
				if err := json.NewEncoder(&out).Encode(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
