package compile

import (
	"fmt"
	"testing"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim"
)

// large is a system of so many callbacks, ten to a node and a hundred nodes to an
// executor, each of which publishes to the next. Half of the executors have levels.
func large(callbacks int) *model.System {
	d := &model.Design{}
	for n := range callbacks / 10 {
		if n%100 == 0 {
			x := model.Executor{Name: fmt.Sprintf("executor_%d", n/100), Kind: model.SingleThreaded}
			if n/100%2 == 0 {
				x.Kind = model.LevelsExecutor
			}
			d.Executors = append(d.Executors, x)
		}
		node := model.Node{Name: fmt.Sprintf("/robot/node_%d", n), Executor: d.Executors[len(d.Executors)-1].Name}
		for i := range 10 {
			c := on(fmt.Sprintf("callback_%d", i), model.SubscriptionCallback, fmt.Sprintf("/topic_%d_%d", n, i), us)
			if i == 0 {
				c = timer("callback_0", ms, 0, us)
			}
			c.Publishes = []string{fmt.Sprintf("/topic_%d_%d", n, i+1)}
			node.Callbacks = append(node.Callbacks, c)
		}
		d.Nodes = append(d.Nodes, node)
	}
	return &model.System{Design: d}
}

// What it takes to compile grows with the system and not with its square: ten
// times the callbacks allocate little more than ten times as often.
func TestLargeSystems(t *testing.T) {
	allocations := func(callbacks int) float64 {
		s := large(callbacks)
		return testing.AllocsPerRun(1, func() { compileWith(t, s, Options{}) })
	}
	if small, big := allocations(2000), allocations(20_000); big > 11*small {
		t.Errorf("%v allocations for 2000 callbacks, %v for ten times as many", small, big)
	}
	b := compileWith(t, large(20_000), Options{})
	if _, err := sim.New(b.System, nil); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		s := large(n)
		b.Run(fmt.Sprintf("callbacks=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Compile(s, Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/callback")
		})
	}
}
