package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
)

// A counter counts jobs.
type counter struct {
	Unobserved
	jobs int
}

func (c *counter) Started(clock.Mono, int, *sched.Job) { c.jobs++ }

// benchmark runs a system on and on. One iteration is a second of virtual time.
func benchmark(b *testing.B, system System) {
	c := &counter{}
	run, err := New(system, c)
	if err != nil {
		b.Fatal(err)
	}
	until := clock.Mono(0)
	second := func() {
		until = until.Add(time.Second)
		if err := run.Run(until); err != nil {
			b.Fatal(err)
		}
	}
	second()
	c.jobs = 0
	b.ReportAllocs()
	for b.Loop() {
		second()
	}
	b.ReportMetric(float64(c.jobs)/b.Elapsed().Seconds(), "jobs/s")
}

// BenchmarkScenario runs scenarios: a job is a release, a start and an end.
func BenchmarkScenario(b *testing.B) {
	for _, s := range []struct{ file, name string }{
		{"s01", "levels"}, {"s01", "one_level"}, {"s01", "full_three_levels"}, {"s04", "scaled_levels"},
		{"s12", "budget_and_spin_period"},
	} {
		b.Run(fmt.Sprintf("scenario=%s/case=%s", s.file, s.name), func(b *testing.B) {
			for _, c := range scenarios(b, s.file+".json")[0].Cases {
				if c.Name == s.name {
					benchmark(b, c.System.build(b))
				}
			}
		})
	}
}

// BenchmarkCallbacks runs one thread of as many callbacks as it says, half of
// them timers and half subscriptions, which together use 80 % of the CPU.
func BenchmarkCallbacks(b *testing.B) {
	for executor, name := range []string{Level: "level", WaitSet: "waitset", Events: "events"} {
		for _, n := range []int{2, 10, 50, 500} {
			b.Run(fmt.Sprintf("executor=%s/callbacks=%d", name, n), func(b *testing.B) {
				t := Thread{Executor: Executor(executor)}
				system := System{}
				for i := range n / 2 {
					period := 10*time.Millisecond + time.Duration(i)*time.Microsecond
					c := Callback{Costs: []time.Duration{8 * time.Millisecond / time.Duration(n)}}
					c.Kind, c.Period, c.First = sched.TimerKind, period, clock.Mono(i)*1000
					t.Callbacks = append(t.Callbacks, c)
					topic := &Topic{}
					c = Callback{Costs: c.Costs, From: []*Topic{topic}}
					c.Kind, c.Inputs = sched.Subscription, []sched.Input{{Depth: 10}}
					t.Callbacks = append(t.Callbacks, c)
					system.Sources = append(system.Sources, Source{Topic: topic, Period: period, Phase: clock.Mono(i) * 1000})
				}
				system.Threads = []Thread{t}
				benchmark(b, system)
			})
		}
	}
}
