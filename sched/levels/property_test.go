package levels

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Whatever the groups, pins and plan: every group is on one level, priorities
// are distinct, within the pool and in no band but for pins, derived levels
// keep the order of their ranks, and the same input gives the same output.
func TestAssignment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{
			Order: Order(rapid.IntRange(0, 2).Draw(t, "order")), MaxLevels: rapid.IntRange(1, 12).Draw(t, "levels"),
			Plan: linux(),
		}
		o.Plan.Pool = Band{rapid.IntRange(10, 30).Draw(t, "low"), rapid.IntRange(30, 60).Draw(t, "high")}
		o.Plan.Reserved = append(o.Plan.Reserved, Reserve{"foreign", Band{50, 50}})
		if rapid.Bool().Draw(t, "smaller") {
			o.Plan.SmallerIsUrgent = true
			o.Plan.Reserved[0].Band = Band{2, 9}
		}
		groups := drawGroups(t)
		o.Pins = drawPins(t, len(groups))
		if n := rapid.IntRange(0, len(groups)).Draw(t, "chain"); n > 0 {
			ch := Chain{Name: "c", Source: "s", Period: rapid.SampledFrom([]time.Duration{0, ms, 7 * ms}).Draw(t, "source")}
			for i := range n {
				ch.Callbacks = append(ch.Callbacks, fmt.Sprintf("g%d/0", i))
			}
			o.Chains = []Chain{ch}
		}
		r, err := Assign(groups, o)
		again, _ := Assign(groups, o)
		if !reflect.DeepEqual(r, again) {
			t.Fatal("the same input gave two results")
		}
		if err != nil {
			return
		}
		r.check(t, groups, &o)
	})
}

func drawGroups(t *rapid.T) (groups []Group) {
	for i := range rapid.IntRange(1, 14).Draw(t, "groups") {
		g := Group{Name: fmt.Sprintf("g%d", i)}
		for j := range rapid.IntRange(1, 3).Draw(t, "callbacks") {
			g.Callbacks = append(g.Callbacks, Callback{
				Name:     fmt.Sprintf("g%d/%d", i, j),
				Period:   time.Duration(rapid.IntRange(0, 12).Draw(t, "period")) * ms,
				Deadline: time.Duration(rapid.IntRange(0, 5).Draw(t, "deadline")) * ms,
				Cost:     time.Duration(rapid.IntRange(0, 3).Draw(t, "cost")) * ms,
			})
		}
		groups = append(groups, g)
	}
	return groups
}

func drawPins(t *rapid.T, groups int) (pins []Pin) {
	for i := range rapid.IntRange(0, min(groups, 3)).Draw(t, "pins") {
		p := Pin{Name: fmt.Sprintf("p%d", i), Groups: []string{fmt.Sprintf("g%d", i)}}
		if rapid.Bool().Draw(t, "fixed") {
			p.Priority = rapid.IntRange(10, 49).Draw(t, "priority")
		}
		pins = append(pins, p)
	}
	return pins
}

func (r *Result) check(t *rapid.T, groups []Group, o *Options) {
	if len(r.Levels) > o.MaxLevels {
		t.Fatalf("%d levels of %d", len(r.Levels), o.MaxLevels)
	}
	pinned := map[string]int{}
	for _, p := range o.Pins {
		pinned[p.Name] = p.Priority
	}
	on, names := map[string]int{}, map[string]bool{}
	for i, l := range r.Levels {
		if names[l.Name] || l.Why == "" || l.Chosen == "" || l.Boot != (i == len(r.Levels)-1) {
			t.Fatalf("%+v", l)
		}
		names[l.Name] = true
		for _, m := range l.Members {
			on[m.Group]++
		}
		if l.Ordinary {
			if !l.Boot || l.Pinned {
				t.Fatalf("at the ordinary policy: %+v", l)
			}
			continue
		}
		if want := pinned[l.Name]; want != 0 && l.Priority != want {
			t.Fatalf("pin at %d moved to %d", want, l.Priority)
		}
		if !o.Plan.Pool.has(l.Priority) || o.Plan.reserved(l.Priority) {
			t.Fatalf("priority %d", l.Priority)
		}
		if i > 0 {
			if above := r.Levels[i-1].Priority; above == l.Priority || (above > l.Priority) == o.Plan.SmallerIsUrgent {
				t.Fatalf("priority %d, then %d", above, l.Priority)
			}
		}
	}
	for _, g := range groups {
		if on[g.Name] != 1 {
			t.Fatalf("group %s is on %d levels", g.Name, on[g.Name])
		}
	}
	if o.Order == RateMonotonic {
		r.checkRates(t)
	}
}

// checkRates: the levels that are derived have rising periods.
func (r *Result) checkRates(t *rapid.T) {
	var last time.Duration
	for _, l := range r.Levels {
		if l.Pinned || l.Period == 0 {
			continue
		}
		if l.Period <= last {
			t.Fatalf("period %v after %v", l.Period, last)
		}
		last = l.Period
	}
}

// Without pins and bands the priorities are high - floor(k (high - low)/(n - 1)).
func TestEvenSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.IntRange(1, 40).Draw(t, "low")
		n := rapid.IntRange(2, 10).Draw(t, "levels")
		high := low + rapid.IntRange(n-1, 50).Draw(t, "width")
		var groups []Group
		for i := range n {
			groups = append(groups, timer(fmt.Sprint(i), time.Duration(i+1)*ms, ms))
		}
		r, err := Assign(groups, Options{MaxLevels: n, Plan: Plan{Range: Band{1, 99}, Pool: Band{low, high}}})
		if err != nil {
			t.Fatal(err)
		}
		for k, l := range r.Levels {
			if want := high - k*(high-low)/(n-1); l.Priority != want {
				t.Fatalf("level %d at %d, want %d", k, l.Priority, want)
			}
		}
	})
}

// The blocking of a member is what going through all the others gives.
func TestBlockingByEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		groups := drawGroups(t)
		r, err := Assign(groups, Options{MaxLevels: 1, Plan: linux()})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Levels[0].Members {
			var longest time.Duration
			unknown := false
			for _, g := range groups {
				for _, c := range g.Callbacks {
					if g.Name != m.Group {
						longest, unknown = max(longest, c.Cost), unknown || c.Cost == 0
					}
				}
			}
			if m.Blocking.Longest != longest || (m.Blocking.Unknown != "") != unknown {
				t.Fatalf("%s: %+v, want %v", m.Group, m.Blocking, longest)
			}
		}
	})
}
