package qos

import (
	"testing"
	"time"
)

func TestHistoryNames(t *testing.T) {
	for want, h := range map[string]History{
		"keep last 1": {}, "keep last 10": KeepLast(10), "keep all": KeepAll(), "history unknown": {Unknown: true},
	} {
		if h.String() != want {
			t.Errorf("%v, want %s", h, want)
		}
	}
}

func TestPoliciesInWords(t *testing.T) {
	for _, c := range []struct {
		p    Policies
		want string
	}{
		{DefaultReader(), "best effort, volatile, keep last 1"},
		{DefaultWriter(), "reliable, volatile, keep last 1"},
		{Policies{Reliability: Reliable, Durability: TransientLocal, History: KeepLast(1000), Lifespan: Within(10 * time.Second)},
			"reliable, transient local, keep last 1000, lifespan 10s"},
		{Policies{Deadline: Within(0), Lease: Within(time.Second), LatencyBudget: time.Millisecond, MinSeparation: 2 * time.Millisecond},
			"best effort, volatile, keep last 1, deadline 0s, automatic liveliness within 1s, a latency budget of 1ms, a sample every 2ms at most"},
		{Policies{Liveliness: ManualByTopic, Ownership: Exclusive, Strength: 7, Partition: []string{"left"}},
			`best effort, volatile, keep last 1, manual by topic liveliness without a lease, exclusive ownership of strength 7, partition "left"`},
		{Policies{Presentation: Presentation{Scope: TopicScope, Ordered: true}, DestinationOrder: BySource, Representation: []Representation{XCDR2}},
			"best effort, volatile, keep last 1, topic presentation, ordered, order by source, XCDR2"},
	} {
		if got := c.p.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
