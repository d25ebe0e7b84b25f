package infer

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/timeline"
)

// maxTimes is how many instants of a sensor are written one by one; more are a
// period.
const maxTimes = 64

// heard are the topics that callbacks of the system listen to, by entity.
func (b *builder) heard() (all []timeline.EntityID) {
	for _, n := range b.nodes {
		for _, m := range n.members {
			if m.topic != 0 {
				all = append(all, m.topic)
			}
		}
	}
	slices.SortFunc(all, cmp.Compare[timeline.EntityID])
	return slices.Compact(all)
}

// addTopics writes how long messages travel.
func (b *builder) addTopics() {
	for _, id := range b.heard() {
		t := b.topicsOf[id]
		if t == nil || t.least == 0 {
			continue
		}
		name := b.entities[id].Name
		b.design.Topics = append(b.design.Topics, model.Topic{Name: name, Latency: t.least})
		b.comment("least of "+quantity.Count(t.takes, "take")+" since publication", "topics", name, "latency")
	}
}

// addSensors writes what publishes the samples that no callback of the system does.
func (b *builder) addSensors() {
	used := names{}
	for _, id := range b.heard() {
		t := b.topicsOf[id]
		if t == nil {
			continue
		}
		var at []time.Duration
		for _, a := range t.arrivals {
			if a.from == nil || !b.has[a.from] || !a.from.publishes(id) {
				at = append(at, max(a.sent.Sub(b.first), 0))
			}
		}
		if len(at) == 0 {
			continue
		}
		slices.Sort(at)
		name := b.entities[id].Name
		s := model.Sensor{Name: used.unique("from_outside_" + plain(name)), Publishes: []string{name}}
		b.comment(pace(&s, at), "sensors", s.Name)
		b.design.Sensors = append(b.design.Sensors, s)
	}
}

// pace makes a sensor publish at sorted instants, and says how it was found: if
// they are about as far apart from each other, or many, with their mean interval.
func pace(s *model.Sensor, at []time.Duration) string {
	n := quantity.Count(len(at), "message")
	mean := time.Duration(0)
	if len(at) > 1 {
		mean = (at[len(at)-1] - at[0]) / time.Duration(len(at)-1)
	}
	switch even := len(at) >= 5 && isEven(at, mean); {
	case mean > 0 && (even || len(at) > maxTimes):
		s.Period, s.Phase = mean, at[0]
		return fmt.Sprintf("mean interval of %s that no callback published", n)
	default:
		s.Times = at[:min(len(at), maxTimes)]
		return fmt.Sprintf("%s that no callback published", n)
	}
}

// isEven reports whether all intervals are within a half of their mean.
func isEven(at []time.Duration, mean time.Duration) bool {
	for i := 1; i < len(at); i++ {
		if d := at[i] - at[i-1]; 2*d < mean || 2*d > 3*mean {
			return false
		}
	}
	return true
}
