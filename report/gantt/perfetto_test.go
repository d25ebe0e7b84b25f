package gantt

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/timeline"
)

// A traceEvent has the members that the trace event format documents for the
// phases that are used here; no other is allowed.
type traceEvent struct {
	Phase    string         `json:"ph"`
	Name     string         `json:"name"`
	Category string         `json:"cat"`
	Process  *int64         `json:"pid"`
	Thread   *int64         `json:"tid"`
	At       *json.Number   `json:"ts"`
	For      *json.Number   `json:"dur"`
	ID       any            `json:"id"`
	Scope    string         `json:"s"`
	Args     map[string]any `json:"args"`
}

type trace struct {
	Unit   string            `json:"displayTimeUnit"`
	Events []traceEvent      `json:"traceEvents"`
	Other  map[string]string `json:"otherData"`
}

func parse(t interface{ Fatalf(string, ...any) }, written []byte) (all trace) {
	d := json.NewDecoder(bytes.NewReader(written))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		t.Fatalf("%v in %s", err, written)
	}
	return all
}

func perfetto(play func(timeline.Sink)) []byte {
	var b bytes.Buffer
	p := NewPerfetto(&b)
	play(p)
	p.Close()
	return b.Bytes()
}

// check: what each phase must have by the format.
func (e *traceEvent) check(t interface{ Fatalf(string, ...any) }) {
	ok := e.Name != "" && e.Process != nil
	switch e.Phase {
	case "X":
		ok = ok && e.At != nil && e.For != nil && e.Thread != nil
	case "b", "e", "s", "f":
		ok = ok && e.At != nil && e.ID != nil && e.Category != "" && e.Thread != nil
	case "i":
		ok = ok && e.At != nil && e.Scope == "t" && e.Thread != nil
	case "M":
		ok = ok && e.Args["name"] != "" && slices.Contains([]string{"process_name", "thread_name"}, e.Name)
	default:
		ok = false
	}
	if !ok {
		t.Fatalf("%+v", e)
	}
}

func TestTraceTellsTheRun(t *testing.T) {
	all := parse(t, perfetto(play))
	find := func(phase, name string) *traceEvent {
		for i := range all.Events {
			if e := &all.Events[i]; e.Phase == phase && e.Name == name {
				return e
			}
		}
		t.Fatalf("no %s %q", phase, name)
		return nil
	}
	for i := range all.Events {
		all.Events[i].check(t)
	}
	if e := find("X", "/drive/loop"); *e.At != "2500.000" || *e.For != "1000.000" || e.Args["job"] != 1.0 {
		t.Errorf("%+v", e)
	}
	if e := find("X", "/log/telemetry off its CPU"); *e.At != "2000.000" || *e.For != "1500.000" {
		t.Errorf("%+v", e)
	}
	b, e := find("b", "/log/listen waits"), find("e", "/log/listen waits")
	if *b.At != "3500.000" || *e.At != "6000.000" || b.ID != e.ID {
		t.Errorf("%+v %+v", b, e)
	}
	s, f := find("s", "sample"), find("f", "sample")
	if *s.At != "3499.999" || *f.At != "6000.000" || s.ID != f.ID || *s.Process == *f.Process {
		t.Errorf("%+v %+v", s, f)
	}
	if all.Other["axis"] != "mono" || all.Other["first_event_ns"] != "3600000000000" || all.Unit != "ns" {
		t.Errorf("%+v", all.Other)
	}
}

func TestNamesAreEscaped(t *testing.T) {
	const foreign = "\"}],<script>\\\x00\xff\u2028"
	all := parse(t, perfetto(func(s timeline.Sink) {
		s.Start(timeline.Origin{})
		s.Describe(timeline.Entity{ID: 1, Kind: timeline.CallbackEntity, Name: foreign})
		s.Events([]timeline.Event{{At: 1, Kind: timeline.JobStarted, Entity: 1}, {At: 2, Kind: timeline.JobEnded, Entity: 1}})
	}))
	if got, want := all.Events[0].Name, "\"}],<script>\\\x00\ufffd\u2028"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestMicros(t *testing.T) {
	for ns, want := range map[int64]string{0: "0.000", 1: "0.001", -1: "-0.001", 1_000_001: "1000.001", math.MaxInt64: "9223372036854775.807", math.MinInt64: "-9223372036854775.808"} {
		if got := micros(ns); got != want {
			t.Errorf("%d: %s, want %s", ns, got, want)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriterFails(t *testing.T) {
	p := NewPerfetto(failing{})
	play(p)
	if err := p.Close(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}

// Of two publications beyond the bound the older is forgotten.
func TestFlowsAreBounded(t *testing.T) {
	f := newFlows()
	for i := range uint64(maxFlows + 10) {
		f.remember(timeline.Cause{Entity: 1, Number: i}, publication{})
	}
	if _, kept := f.from[timeline.Cause{Entity: 1, Number: 9}]; kept || len(f.from) != maxFlows {
		t.Errorf("%d kept", len(f.from))
	}
}

func checkDrawings(t *rapid.T, c *Chart, all []timeline.Event) {
	var b bytes.Buffer
	if err := c.Text(&b, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, line := range bytes.Split(b.Bytes(), []byte("\n"))[2:] {
		if len([]rune(string(line))) > 80 {
			t.Fatalf("wider than 80: %q", line)
		}
	}
	c.Drawing()
	got := parse(t, perfetto(func(s timeline.Sink) {
		s.Start(timeline.Origin{})
		s.Events(all)
	}))
	for i := range got.Events {
		got.Events[i].check(t)
	}
}

// A source that fails before its first event leaves a document all the same.
func TestTraceOfNothing(t *testing.T) {
	if all := parse(t, perfetto(func(timeline.Sink) {})); len(all.Events) != 0 {
		t.Errorf("%+v", all)
	}
}
