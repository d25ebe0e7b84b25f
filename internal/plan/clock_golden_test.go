package plan

import (
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"testing"
)

// Every case of the published article on time stamps, from the JSON that takt
// writes. A case gives some quantities and the results that follow.
func TestPublishedClockErrors(t *testing.T) {
	data, err := os.ReadFile("../../testdata/seeds/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Clock struct {
			Cases []map[string]any `json:"cases"`
		} `json:"clock_error"`
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Clock.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range golden.Clock.Cases {
		s, results := clockCase(c)
		got := clockJSON(t, s)
		for key, want := range results {
			if got[key] != want {
				t.Errorf("%v: %s is %v, want %v", c, key, got[key], want)
			}
		}
	}
}

// clockCase takes a case apart into what is given and what must come out. The
// names of results are those of takt, but for the one of the readings.
func clockCase(c map[string]any) (s ClockSetup, results map[string]any) {
	given := map[string]**big.Rat{
		"rtf": &s.RTF, "latency_s": &s.Latency, "clock_rate_hz": &s.Rate, "speed_mps": &s.Speed,
		"tolerance_s": &s.Tolerance, "callback_rate_hz": &s.Ask,
	}
	results = map[string]any{}
	for key, value := range c {
		switch quantity := given[key]; {
		case quantity != nil:
			*quantity = rat(value.(float64))
		case key == "equal_readings_per_tick":
			results["readings_per_tick"] = value
		case key != "note":
			results[key] = value
		}
	}
	return s, results
}

// clockJSON returns the keys of a plan as they are written, those of ask among them.
func clockJSON(t *testing.T, s ClockSetup) map[string]any {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, newClock(t, s)); err != nil {
		t.Fatal(err)
	}
	keys := map[string]any{}
	if err := json.Unmarshal(b.Bytes(), &keys); err != nil {
		t.Fatal(err)
	}
	if ask, ok := keys["ask"].(map[string]any); ok {
		for key, value := range ask {
			keys[key] = value
		}
	}
	return keys
}

func newClock(t *testing.T, s ClockSetup) *Clock {
	t.Helper()
	c, err := NewClock(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// With a /clock in fixed steps of simulated time the tick term is 1/f_sim
// whatever the RTF.
func TestPublishedStepOfSimulatedTime(t *testing.T) {
	for _, rtf := range []float64{0.5, 1, 10} {
		c := newClock(t, ClockSetup{RTF: rat(rtf), Step: big.NewRat(1, 50)})
		wantNumber(t, "tick term", c.TickTerm, 0.02)
		wantNumber(t, "ticks per wall second", c.Given.ClockRate, 50*rtf)
	}
}
