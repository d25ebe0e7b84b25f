package source_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/source"
	"github.com/takt-rt/takt/timeline"
)

const recordings = "../../testdata/recordings"

// The values of testdata/recordings/expected.json were worked out from the
// files with other programs (SQLite, zstd and lz4 tools, decoding by hand).
// Counts and _ns values are exact; floats within 2e-9 s or 1e-6 relative.
type expected struct {
	Kind         string
	Path         string
	MessageCount uint64   `json:"message_count"`
	StartNS      *int64   `json:"start_ns"`
	EndNS        *int64   `json:"end_ns"`
	DurationS    *float64 `json:"duration_s"`
	Topics       map[string]expectedTopic
	Clock        *expectedClock
	Reported     *struct {
		Topic               string
		Samples             uint64
		Mean, Min, P50, Max float64
	} `json:"simulator_reported_rtf"`
	ServiceCalls map[string]struct {
		Calls, Events uint64
		Client        *expectedSeries `json:"client_request_sent_to_response_received"`
		Server        *expectedSeries `json:"server_request_received_to_response_sent"`
	} `json:"service_calls"`
	Metadata *struct {
		Disagreements []string `json:"disagreements_with_data"`
	} `json:"metadata_yaml"`
}

type expectedSeries struct {
	N                                  uint64
	Mean, Min, P50, P95, P99, Max, Std float64
}

type expectedTopic struct {
	Type       string
	Count      uint64
	FirstNS    *int64 `json:"first_ns"`
	LastNS     *int64 `json:"last_ns"`
	Interval   *expectedSeries
	RateHz     *float64 `json:"rate_hz"`
	OutOfOrder uint64   `json:"out_of_order_in_file"`
	LongestGap *struct {
		Seconds float64
		At      float64 `json:"starts_after_recording_start_s"`
	} `json:"longest_gap"`
	Stamp *struct {
		Zero        uint64 `json:"zero_or_missing"`
		Nonzero     uint64
		ClockDomain string `json:"clock_domain"`
		Age         *expectedSeries
		AgeNegative uint64          `json:"age_negative"`
		Interval    *expectedSeries `json:"stamp_interval"`
		Backward    *uint64         `json:"stamp_backward"`
		Repeated    *uint64         `json:"stamp_repeated"`
		SpanS       *float64        `json:"stamp_span_s"`
		SpanRatio   *float64        `json:"stamp_span_over_receive_span"`
		ClockAge    *struct {
			expectedSeries
			Negative uint64
		} `json:"age_against_clock"`
	}
}

type expectedClock struct {
	Topic         string
	Messages      uint64
	SimStart      float64                         `json:"sim_start_s"`
	SimEnd        float64                         `json:"sim_end_s"`
	SimSpan       float64                         `json:"sim_span_s"`
	ReceiveSpan   float64                         `json:"receive_span_s"`
	RTF           float64                         `json:"real_time_factor"`
	SimStep       expectedSeries                  `json:"sim_step"`
	BackwardSteps uint64                          `json:"backward_steps"`
	RepeatedSteps uint64                          `json:"repeated_steps"`
	Between       struct{ Min, P50, Max float64 } `json:"between_messages_rtf"`
	Gap           struct {
		Seconds float64
		Advance float64 `json:"sim_advance_s"`
		At      float64 `json:"starts_after_recording_start_s"`
	} `json:"longest_receive_gap"`
	WithoutGap float64 `json:"real_time_factor_without_longest_gap"`
}

func loadExpected(t *testing.T) map[string]expected {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(recordings, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Recordings map[string]json.RawMessage }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	bags := map[string]expected{}
	for id, raw := range all.Recordings {
		var e expected
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		if e.Kind == "rosbag2" {
			bags[id] = e
		}
	}
	return bags
}

func analyze(t *testing.T, path string, opt source.Options) (*analysis.Figures, []timeline.Finding) {
	t.Helper()
	s, err := source.Open(path, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a := analysis.New(analysis.Options{})
	o, err := s.Run(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	f, found := a.Figures()
	return f, append(o.Findings, found...)
}

func TestRecordingsGiveTheirValues(t *testing.T) {
	bags := loadExpected(t)
	if len(bags) != 25 {
		t.Errorf("%d recordings, want 25", len(bags))
	}
	for id, want := range bags {
		t.Run(id, func(t *testing.T) {
			f, found := analyze(t, filepath.Join(recordings, want.Path), source.Options{})
			checker{t}.recording(f, found, want)
		})
	}
}

// Converted copies hold the same messages in other chunks.
func TestConvertedRecordingsGiveTheSame(t *testing.T) {
	want := loadExpected(t)["mcap-jazzy-simstamps"]
	want.Metadata = nil
	for _, path := range []string{"derived/mcap-lz4-chunks/imu_joint_lz4.mcap", "derived/mcap-zstd-chunks/imu_joint_zstd.mcap"} {
		t.Run(path, func(t *testing.T) {
			f, found := analyze(t, filepath.Join(recordings, path), source.Options{})
			checker{t}.recording(f, found, want)
		})
	}
}

// Receive-time figures are the same when only times are asked for.
func TestTimesOnlyGivesTheSameTimes(t *testing.T) {
	for id, want := range loadExpected(t) {
		t.Run(id, func(t *testing.T) {
			f, _ := analyze(t, filepath.Join(recordings, want.Path), source.Options{TimesOnly: true})
			c := checker{t}
			c.span(f, want)
			topics := byName(f)
			for name, w := range want.Topics {
				w.Stamp = nil
				c.topic(name, topics[name], w)
			}
		})
	}
}

func byName(f *analysis.Figures) map[string]*analysis.Topic {
	topics := map[string]*analysis.Topic{}
	for _, t := range f.Topics {
		topics[t.Name] = t
	}
	return topics
}

type checker struct{ *testing.T }

func (c checker) float(what string, got, want float64) {
	c.Helper()
	if math.Abs(got-want) > max(2e-9, 1e-6*math.Abs(want)) {
		c.Errorf("%s = %.9f, want %.9f", what, got, want)
	}
}

func (c checker) pointer(what string, got, want *float64) {
	c.Helper()
	switch {
	case want == nil:
	case got == nil:
		c.Errorf("%s is unknown, want %v", what, *want)
	default:
		c.float(what, *got, *want)
	}
}

func (c checker) count(what string, got, want uint64) {
	c.Helper()
	if got != want {
		c.Errorf("%s = %d, want %d", what, got, want)
	}
}

func (c checker) series(what string, got *analysis.Series, want *expectedSeries) {
	c.Helper()
	if want == nil {
		return
	}
	if got == nil {
		c.Errorf("%s: no series, want one of %d", what, want.N)
		return
	}
	c.count(what+" n", got.Count, want.N)
	for _, v := range []struct {
		name      string
		got, want float64
	}{
		{"mean", got.Mean, want.Mean}, {"min", got.Min, want.Min}, {"max", got.Max, want.Max}, {"std", got.Stddev, want.Std},
		{"p50", got.P50, want.P50}, {"p95", got.P95, want.P95}, {"p99", got.P99, want.P99},
	} {
		c.float(what+" "+v.name, v.got, v.want)
	}
}

func (c checker) recording(f *analysis.Figures, found []timeline.Finding, want expected) {
	c.span(f, want)
	topics := byName(f)
	c.count("topics", uint64(len(topics)), uint64(len(want.Topics)))
	for name, w := range want.Topics {
		c.topic(name, topics[name], w)
		if n := reordered(found, name); n != w.OutOfOrder {
			c.Errorf("%s: %d out of order, want %d", name, n, w.OutOfOrder)
		}
	}
	c.clock(f, want)
	for name, w := range want.ServiceCalls {
		s := topics[name].Service
		if s == nil {
			c.Errorf("%s has no service figures", name)
			continue
		}
		c.count(name+" events", s.Events, w.Events)
		c.count(name+" calls", s.Calls, w.Calls)
		c.series(name+" client", s.ClientS, w.Client)
		c.series(name+" server", s.ServerS, w.Server)
	}
	if want.Metadata != nil {
		if contradicted := has(found, "metadata-contradicts-data"); contradicted != (len(want.Metadata.Disagreements) > 0) {
			c.Errorf("contradicting metadata found: %v, want %q", contradicted, want.Metadata.Disagreements)
		}
	}
}

func (c checker) span(f *analysis.Figures, want expected) {
	c.count("messages", f.Messages, want.MessageCount)
	if want.StartNS == nil {
		return
	}
	if f.StartNS != *want.StartNS || f.EndNS != *want.EndNS {
		c.Errorf("from %d to %d, want %d to %d", f.StartNS, f.EndNS, *want.StartNS, *want.EndNS)
	}
	c.float("span", f.SpanS, *want.DurationS)
}

func (c checker) topic(name string, got *analysis.Topic, want expectedTopic) {
	if got == nil {
		c.Errorf("no topic %s", name)
		return
	}
	if got.Type != want.Type {
		c.Errorf("%s is of type %s, want %s", name, got.Type, want.Type)
	}
	c.count(name+" count", got.Count, want.Count)
	for _, v := range []struct{ got, want *int64 }{{got.FirstNS, want.FirstNS}, {got.LastNS, want.LastNS}} {
		if v.want != nil && (v.got == nil || *v.got != *v.want) {
			c.Errorf("%s: first or last message differs from %d", name, *v.want)
		}
	}
	c.pointer(name+" rate", got.RateHz, want.RateHz)
	c.series(name+" interval", got.IntervalS, want.Interval)
	if g := want.LongestGap; g != nil && got.IntervalS != nil {
		c.float(name+" longest gap", got.IntervalS.Max, g.Seconds)
		c.float(name+" longest gap at", got.IntervalS.MaxAtS, g.At)
	}
	c.stamps(name, got, want)
}

func (c checker) stamps(name string, got *analysis.Topic, want expectedTopic) {
	w := want.Stamp
	if w == nil {
		return
	}
	s := got.Stamps
	if s == nil {
		c.Errorf("%s has no stamps", name)
		return
	}
	c.count(name+" zero stamps", s.Zero, w.Zero)
	c.count(name+" stamps", s.Nonzero, w.Nonzero)
	if onWall := s.Domain == "wall"; w.ClockDomain != "" && onWall != (w.ClockDomain == "wall") {
		c.Errorf("%s: stamps are %s, want %s", name, s.Domain, w.ClockDomain)
	}
	if w.Backward != nil {
		c.count(name+" backward", s.Backward, *w.Backward)
		c.count(name+" repeated", s.Equal, *w.Repeated)
		c.float(name+" span", s.SpanS, *w.SpanS)
		c.pointer(name+" span ratio", s.SpanRatio, w.SpanRatio)
	}
	c.series(name+" stamp interval", got.StampIntervalS, w.Interval)
	if w.Age != nil {
		c.age(name, got.AgeS, "wall", w.Age, w.AgeNegative)
	}
	if w.ClockAge != nil {
		c.age(name, got.AgeS, "sim", &w.ClockAge.expectedSeries, w.ClockAge.Negative)
	}
}

func (c checker) age(name string, got *analysis.Age, clock string, want *expectedSeries, negative uint64) {
	if got == nil || got.Clock != clock {
		c.Errorf("%s: age %v, want one by the %s clock", name, got, clock)
		return
	}
	c.series(name+" age", &got.Series, want)
	c.count(name+" negative ages", got.Negative, negative)
}

func (c checker) clock(f *analysis.Figures, want expected) {
	w := want.Clock
	if w == nil {
		if f.Clock != nil {
			c.Errorf("a clock, want none")
		}
		return
	}
	k := f.Clock
	if k == nil || k.Topic != w.Topic {
		c.Fatalf("clock %v, want %s", k, w.Topic)
	}
	c.count("ticks", k.Ticks, w.Messages)
	c.count("backward", k.Backward, w.BackwardSteps)
	c.count("repeated", k.Repeated, w.RepeatedSteps)
	c.float("first", k.FirstSimS, w.SimStart)
	c.float("last", k.LastSimS, w.SimEnd)
	c.float("simulated span", k.SpanSimS, w.SimSpan)
	c.float("receive span", k.SpanWallS, w.ReceiveSpan)
	c.pointer("rtf", k.RTF, &w.RTF)
	c.series("step", k.StepSimS, &w.SimStep)
	c.float("least ratio", k.Displays.PerFrame.Min, w.Between.Min)
	c.float("median ratio", k.Displays.PerFrame.P50, w.Between.P50)
	c.float("largest ratio", k.Displays.PerFrame.Max, w.Between.Max)
	c.float("gap", k.LongestGap.LengthS, w.Gap.Seconds)
	c.float("gap at", k.LongestGap.AtS, w.Gap.At)
	c.float("simulated in gap", k.LongestGap.SimulatedS, w.Gap.Advance)
	c.pointer("rtf without gap", k.LongestGap.RTFWithout, &w.WithoutGap)
	if r := want.Reported; r != nil {
		if f.Simulator == nil || f.Simulator.Topic != r.Topic {
			c.Fatalf("simulator %v, want %s", f.Simulator, r.Topic)
		}
		s := f.Simulator.RTF
		c.count("reported samples", s.Count, r.Samples)
		c.float("reported mean", s.Mean, r.Mean)
		c.float("reported min", s.Min, r.Min)
		c.float("reported median", s.P50, r.P50)
		c.float("reported max", s.Max, r.Max)
	}
}

// reordered returns how many messages of a topic the source had to put in order.
func reordered(found []timeline.Finding, topic string) (n uint64) {
	for _, f := range found {
		if f.ID == "out-of-order" && f.Subject == topic {
			fmt.Sscan(f.Text, &n)
		}
	}
	return n
}

func has(found []timeline.Finding, id string) bool {
	for _, f := range found {
		if strings.HasPrefix(f.ID, id) {
			return true
		}
	}
	return false
}
