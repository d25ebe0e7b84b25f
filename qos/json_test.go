package qos

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestJSON(t *testing.T) {
	for _, test := range []struct {
		want string
		p    Policies
	}{
		{`{"reliability":"best_effort","durability":"volatile","history":"keep_last"}`, Policies{}},
		{`{"reliability":"reliable","durability":"transient_local","history":"keep_last","depth":10,"deadline_ns":100000000}`,
			Policies{Reliability: Reliable, Durability: TransientLocal, History: KeepLast(10), Deadline: Within(100 * time.Millisecond)}},
		{`{"reliability":"reliable","durability":"volatile","history":"keep_all","lease_ns":0,"latency_budget_ns":"infinite"}`,
			Policies{Reliability: Reliable, History: KeepAll(), Lease: Within(0), LatencyBudget: math.MaxInt64}},
		{`{"reliability":"7","durability":"volatile","history":"unknown","liveliness":"manual_by_topic","ownership":"exclusive","strength":-2,"partition":["","a*"],"presentation":{"scope":"group","ordered":true},"destination_order":"by_source","min_separation_ns":5,"representation":["XCDR2","9"]}`,
			Policies{Reliability: 7, History: History{Unknown: true}, Liveliness: ManualByTopic, Ownership: Exclusive, Strength: -2, Partition: []string{"", "a*"},
				Presentation: Presentation{Scope: GroupScope, Ordered: true}, DestinationOrder: BySource, MinSeparation: 5, Representation: []Representation{XCDR2, 9}}},
	} {
		got, err := json.Marshal(test.p)
		if err != nil || string(got) != test.want {
			t.Errorf("%v is written\n%s (%v), want\n%s", test.p, got, err, test.want)
		}
		var back Policies
		if err := json.Unmarshal([]byte(test.want), &back); err != nil || !reflect.DeepEqual(back, test.p) {
			t.Errorf("%s is read as %+v (%v), want %+v", test.want, back, err, test.p)
		}
	}
}

func TestAbsentIsDefault(t *testing.T) {
	for _, text := range []string{`{}`, `{"deadline_ns":"infinite","unheard_of":1}`} {
		p := DefaultWriter() // what was there goes
		if err := json.Unmarshal([]byte(text), &p); err != nil || !reflect.DeepEqual(p, Policies{}) {
			t.Errorf("%s is read as %+v (%v)", text, p, err)
		}
	}
}

func TestJSONRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                              "qos: ",
		`{"reliability":"sometimes"}`:     `qos: "sometimes" is no reliability; takt writes one of best_effort,reliable`,
		`{"representation":["99999999"]}`: `qos: "99999999" is no representation`,
		`{"deadline_ns":"soon"}`:          `a duration is "soon"; write whole nanoseconds or "infinite"`,
		`{"deadline_ns":1.5}`:             `a duration is 1.5`,
	} {
		p := DefaultWriter()
		err := json.Unmarshal([]byte(text), &p)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if !reflect.DeepEqual(p, DefaultWriter()) {
			t.Errorf("%s changed the policies", text)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	limit := rapid.Custom(func(t *rapid.T) Limit {
		if rapid.Bool().Draw(t, "infinite") {
			return Limit{}
		}
		return Within(time.Duration(rapid.Int64().Draw(t, "ns")))
	})
	kind := rapid.IntRange(-3, 9)
	rapid.Check(t, func(t *rapid.T) {
		p := Policies{
			Reliability: Reliability(kind.Draw(t, "reliability")), Durability: Durability(kind.Draw(t, "durability")),
			History:  rapid.SampledFrom([]History{{}, KeepLast(3), KeepAll(), {Unknown: true}}).Draw(t, "history"),
			Deadline: limit.Draw(t, "deadline"), Lifespan: limit.Draw(t, "lifespan"), Lease: limit.Draw(t, "lease"),
			Liveliness: Liveliness(kind.Draw(t, "liveliness")), Ownership: Ownership(kind.Draw(t, "ownership")),
			Strength:         rapid.Int32().Draw(t, "strength"),
			Presentation:     Presentation{Scope(kind.Draw(t, "scope")), rapid.Bool().Draw(t, "coherent"), rapid.Bool().Draw(t, "ordered")},
			DestinationOrder: DestinationOrder(kind.Draw(t, "order")),
			LatencyBudget:    time.Duration(rapid.Int64().Draw(t, "budget")),
			MinSeparation:    time.Duration(rapid.Int64().Draw(t, "separation")),
		}
		for range rapid.IntRange(0, 3).Draw(t, "names") {
			p.Partition = append(p.Partition, rapid.StringMatching(`[a-z*?é"]{0,5}`).Draw(t, "partition"))
			p.Representation = append(p.Representation, Representation(rapid.Int16().Draw(t, "representation")))
		}
		data, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var back Policies
		if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(p, back) {
			t.Fatalf("%s is read as %+v (%v), want %+v", data, back, err, p)
		}
	})
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"reliability":"reliable","depth":-1,"presentation":{},"deadline_ns":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p, back Policies
		if json.Unmarshal(data, &p) != nil {
			return
		}
		again, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(again, &back); err != nil || !reflect.DeepEqual(writeHistory(p.History), writeHistory(back.History)) || p.Deadline != back.Deadline {
			t.Errorf("%s is read as %+v (%v), want %+v", again, back, err, p)
		}
	})
}
