package levels

import (
	"strconv"
	"testing"
)

func TestRefusals(t *testing.T) {
	slow := []string{"slow"}
	for _, c := range []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"a pin in a reserved band", func(o *Options) { o.Pins = []Pin{{Name: "p", Groups: slow, Priority: 75}} },
			`level "p" is pinned at priority 75, in the reserved band transport, 70..79; choose one of the pool 10..49, or say that it is above transport`},
		{"a pin that outranks the transport", func(o *Options) { o.Pins = []Pin{{Name: "p", Groups: slow, Priority: 85}} },
			`level "p" is pinned at priority 85, which outranks the band transport, 70..79; choose one of the pool 10..49, or say that it is above transport`},
		{"a band that is not there", func(o *Options) { o.Pins = []Pin{{"p", slow, 85, "driver"}} },
			`level "p" is above "driver", which is no reserved band`},
		{"above a band that it is below", func(o *Options) { o.Pins = []Pin{{"p", slow, 30, Transport}} },
			`level "p" says that it is above the band transport, but its priority 30 is not; leave that out`},
		{"outside of the pool", func(o *Options) { o.Pins = []Pin{{Name: "p", Groups: slow, Priority: 5}} },
			`level "p" is pinned at priority 5, outside of the pool 10..49`},
		{"outside of the range", func(o *Options) { o.Pins = []Pin{{Name: "p", Groups: slow, Priority: 100}} },
			`level "p" is pinned at priority 100, outside of 1..99`},
		{"two pins collide", func(o *Options) {
			o.Pins = []Pin{{Name: "p", Groups: slow, Priority: 30}, {Name: "q", Groups: []string{"a"}, Priority: 30}}
		},
			`the levels "p" and "q" are both pinned at priority 30; move one`},
		{"a group on two levels", func(o *Options) { o.Pins = []Pin{{Name: "p", Groups: slow}, {Name: "q", Groups: slow}} },
			`the levels "p" and "q" are both for the group "slow"; leave it to one`},
		{"a group nobody declares", func(o *Options) { o.Pins = []Pin{{Name: "p", Groups: []string{"nobody"}}} },
			`level "p" is for the group "nobody", which nobody declares`},
		{"too few slots", func(o *Options) { o.Plan.Pool = Band{10, 11} },
			`3 levels need a priority each, but the pool 10..11 has 2 free; widen the pool, allow fewer levels, or pin less`},
		{"a pool above the transport", func(o *Options) { o.Plan.Pool = Band{60, 90} },
			`the pool 60..90 reaches into or above the band transport, 70..79; levels would starve the link they publish over: keep the pool less urgent`},
		{"no levels left", func(o *Options) { o.Pins, o.MaxLevels = []Pin{{Name: "p", Groups: slow}}, 1 },
			`1 pinned levels leave none of the 1 for the 2 ranks of the other groups; pin fewer, or allow more levels`},
		{"a chain through nothing", func(o *Options) { o.Chains = []Chain{{Name: "c", Callbacks: []string{"nobody"}}} },
			`chain "c" goes through "nobody", which no group has`},
		{"a chain in a circle", func(o *Options) { o.Chains = []Chain{{Name: "c", Callbacks: []string{"a/t", "a/t"}}} },
			`chain "c" goes through "a/t" twice; end it before it comes back`},
		{"no range", func(o *Options) { o.Plan = Plan{Range: Band{5, 1}} },
			`a range of priorities of 5..1; give the lower one first, within 0..65535`},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Plan: linux()}
			c.change(&o)
			_, err := Assign([]Group{timer("a", ms, ms), timer("b", 5*ms, ms), timer("slow", 100*ms, ms)}, o)
			wantError(t, err, c.want)
		})
	}
}

// The work grows with the callbacks, and not with their square.
func TestManyCallbacks(t *testing.T) {
	const n = 100_000
	groups := make([]Group, n)
	ch := Chain{Name: "c", Source: "s", Period: ms}
	for i := range groups {
		groups[i] = listener(strconv.Itoa(i), ms)
		ch.Callbacks = append(ch.Callbacks, groups[i].Callbacks[0].Name)
	}
	for _, order := range []Order{RateMonotonic, ChainAware} {
		r, err := Assign(groups, Options{Order: order, Plan: linux(), Chains: []Chain{ch}})
		if err != nil {
			t.Fatal(err)
		}
		if last := r.Levels[len(r.Levels)-1]; len(last.Members)+len(r.Levels)-1 != n {
			t.Errorf("%d members on %d levels", len(last.Members), len(r.Levels))
		}
	}
}
