package ctf

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const recordings = "../../../testdata/recordings"

// The values of testdata/recordings/ctf/expected.json were worked out from the
// text output of babeltrace2. Counts and _ns values are exact; seconds within
// 2e-9 or 1e-6 relative.
type expected struct {
	Path       string
	EventCount uint64 `json:"event_count"`
	Processes  []struct {
		VPID int64 `json:"vpid"`
	}
	Nodes             []string
	NodeInits         int                 `json:"node_inits"`
	EndsWithoutStart  uint64              `json:"callback_end_without_start"`
	StartsWithoutEnd  uint64              `json:"callback_start_without_end"`
	Callbacks         []expectedCallback  `json:"callbacks"`
	Publishers        []expectedPublisher `json:"publishers"`
	CallbackInstances uint64              `json:"callback_instances"`
	TracetoolsVersion string              `json:"tracetools_version"`
}

type expectedCallback struct {
	VPID         int64
	Callback     string // address, lower-case hex
	Kind         string
	Topic        string
	Node         string
	PeriodS      float64 `json:"configured_period_s"`
	Starts       uint64
	Intra        uint64          `json:"intra_process_starts"`
	Duration     *expectedSeries `json:"duration"`
	StartToStart *expectedSeries `json:"start_to_start"`
	StampToStart *expectedSeries `json:"source_stamp_to_start"`
	PeriodError  *struct {
		Mean       float64
		WorstLate  float64 `json:"worst_late"`
		WorstEarly float64 `json:"worst_early"`
	} `json:"period_error"`
	Over15 uint64 `json:"intervals_over_1_5_periods"`
}

type expectedPublisher struct {
	VPID     int64
	Event    string
	Topic    string
	Node     string
	Count    uint64
	Interval *expectedSeries
}

type expectedSeries struct {
	N                                  int
	Mean, Min, P50, P95, P99, Max, Std float64
}

func loadExpected(t *testing.T) map[string]expected {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(recordings, "ctf", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Recordings map[string]expected }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all.Recordings
}

func TestTracesGiveTheirValues(t *testing.T) {
	all := loadExpected(t)
	if len(all) != 6 {
		t.Errorf("%d traces, want 6", len(all))
	}
	for id, want := range all {
		t.Run(id, func(t *testing.T) {
			c := checker{t, read(t, filepath.Join(recordings, want.Path))}
			c.trace(&want)
			c.equal("callbacks", len(c.ran()), len(want.Callbacks))
			instances := uint64(0)
			for i := range want.Callbacks {
				instances += c.callback(&want.Callbacks[i])
			}
			c.equal("callback instances", instances, want.CallbackInstances)
			for i := range want.Publishers {
				c.publisher(&want.Publishers[i])
			}
		})
	}
}

// A checker compares what was read of a trace with what it holds.
type checker struct {
	*testing.T
	got *reading
}

func (c checker) equal(what string, got, want any) {
	c.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		c.Errorf("%s: %v, want %v", what, got, want)
	}
}

func (c checker) near(what string, got, want float64) {
	c.Helper()
	if math.Abs(got-want) > max(2e-9, 1e-6*math.Abs(want)) {
		c.Errorf("%s: %.9f, want %.9f", what, got, want)
	}
}

func (c checker) trace(want *expected) {
	g := c.got
	c.equal("events", g.run.events, want.EventCount)
	var pids []int64
	for _, p := range want.Processes {
		pids = append(pids, p.VPID)
	}
	c.equal("processes", g.pids(), pids)
	slices.Sort(want.Nodes)
	c.equal("nodes", g.nodes(), want.Nodes)
	c.equal("nodes made", len(g.nodes()), want.NodeInits)
	c.equal("ends without start", g.run.found.strayEnds, want.EndsWithoutStart)
	for _, p := range g.run.processes {
		c.equal("tracetools", p.version, want.TracetoolsVersion)
	}
	c.equal("findings", g.outcome.Partial, false)
}

// ran returns the callbacks that ran.
func (c checker) ran() (all []Callback) {
	for _, cb := range c.got.source.Callbacks() {
		if len(c.got.starts[cb.ID]) > 0 {
			all = append(all, cb)
		}
	}
	return all
}

func (c checker) find(want *expectedCallback) (found Callback) {
	c.Helper()
	for _, cb := range c.ran() {
		if cb.PID == want.VPID && fmt.Sprintf("%#x", cb.Address) == want.Callback {
			return cb
		}
	}
	c.Fatalf("no callback %s of process %d", want.Callback, want.VPID)
	return found
}

// callback checks one, and returns how often it ended.
func (c checker) callback(want *expectedCallback) (ended uint64) {
	cb := c.find(want)
	what := want.Node + " " + want.Kind + " " + want.Topic
	c.equal(what+": kind", cb.Kind, want.Kind)
	c.equal(what+": node", cb.Node, want.Node)
	c.equal(what+": topic", cb.On, want.Topic)
	c.near(what+": period", cb.Period.Seconds(), want.PeriodS)
	starts := c.got.starts[cb.ID]
	c.equal(what+": starts", len(starts), want.Starts)
	c.series(what+": duration", c.got.durations(cb.ID), want.Duration)
	between := intervals(starts)
	c.series(what+": start to start", between, want.StartToStart)
	if want.StampToStart != nil {
		c.series(what+": stamp to start", c.got.sinceSent(cb.ID), want.StampToStart)
	}
	if e := want.PeriodError; e != nil {
		c.near(what+": mean period error", mean(between)-want.PeriodS, e.Mean)
		c.near(what+": worst late", slices.Max(between)-want.PeriodS, e.WorstLate)
		c.near(what+": worst early", slices.Min(between)-want.PeriodS, e.WorstEarly)
	}
	over := uint64(0)
	for _, d := range between {
		if d > 1.5*want.PeriodS && want.PeriodS > 0 {
			over++
		}
	}
	c.equal(what+": over 1.5 periods", over, want.Over15)
	return uint64(len(c.got.durations(cb.ID)))
}

func (c checker) publisher(want *expectedPublisher) {
	var calls []int64
	for _, w := range c.got.writers(want.Topic, want.Node) {
		calls = append(calls, c.got.calls[w]...)
	}
	c.equal(want.Node+" publishes "+want.Topic, len(calls), want.Count)
	c.series(want.Node+" publishes "+want.Topic+": interval", intervals(calls), want.Interval)
}

// series compares values with their statistics: std is divided by n, quantiles
// are interpolated at rank (n-1)q.
func (c checker) series(what string, got []float64, want *expectedSeries) {
	c.Helper()
	if want == nil || want.N == 0 {
		return
	}
	if len(got) != want.N {
		c.Errorf("%s: %d values, want %d", what, len(got), want.N)
		return
	}
	sorted := slices.SortedFunc(slices.Values(got), cmp.Compare[float64])
	at := func(q float64) float64 {
		rank := q * float64(len(sorted)-1)
		i := int(rank)
		return sorted[i] + (rank-float64(i))*(sorted[min(i+1, len(sorted)-1)]-sorted[i])
	}
	squares := 0.0
	for _, v := range got {
		squares += (v - mean(got)) * (v - mean(got))
	}
	c.near(what+" mean", mean(got), want.Mean)
	c.near(what+" min", sorted[0], want.Min)
	c.near(what+" p50", at(0.5), want.P50)
	c.near(what+" p95", at(0.95), want.P95)
	c.near(what+" p99", at(0.99), want.P99)
	c.near(what+" max", sorted[len(sorted)-1], want.Max)
	c.near(what+" std", math.Sqrt(squares/float64(len(got))), want.Std)
}

func mean(values []float64) (m float64) {
	for _, v := range values {
		m += v / float64(len(values))
	}
	return m
}

func intervals(at []int64) (all []float64) {
	for i := 1; i < len(at); i++ {
		all = append(all, float64(at[i]-at[i-1])/1e9)
	}
	return all
}
