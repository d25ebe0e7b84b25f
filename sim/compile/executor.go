package compile

import (
	"fmt"
	"strconv"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
)

// stock are the executors of the client libraries.
var stock = map[model.ExecutorKind]sim.Executor{
	model.SingleThreaded: sim.WaitSet, model.StaticExecutor: sim.Static, model.EventsExecutor: sim.Events,
	model.RclpyExecutor: sim.Rclpy, model.MultiThreaded: sim.MultiThreaded,
}

// threads makes the threads of all executors.
func (b *builder) threads() error {
	for i := range b.Executors {
		x := &b.Executors[i]
		made := Executor{Name: x.Name}
		if err := b.checkExecutor(x); err != nil {
			return err
		}
		var err error
		switch kind, isStock := stock[x.Kind]; {
		case x.Kind == "" || x.Kind == model.LevelsExecutor:
			err = b.levels(i, &made)
		case isStock && len(b.nodes[i]) > 0:
			err = b.stock(i, kind, &made)
		case x.Kind == model.RclpyMultiThreaded:
			err = b.fail(x.Line, executorField(x), "is rclpy's multi-threaded executor, which is not simulated", "use another kind")
		case !isStock:
			err = b.fail(x.Line, executorField(x), "is of the unknown kind "+strconv.Quote(string(x.Kind)), "use another kind")
		}
		if err != nil {
			return err
		}
		b.built.Executors = append(b.built.Executors, made)
	}
	return b.checkPins()
}

func (b *builder) checkExecutor(x *model.Executor) error {
	onWaitSet := x.Kind == model.SingleThreaded || x.Kind == model.StaticExecutor || x.Kind == model.RclpyExecutor
	looped := x.Spin.Kind != "" && x.Spin.Kind != model.SpinForever
	problem, remedy := "", ""
	switch {
	case x.CPU < 0 || x.CPU > b.cpus():
		problem, remedy = fmt.Sprintf("is pinned to CPU %d of %d", x.CPU, b.cpus()), "pin it to one that there is"
	case x.Threads < 0 || x.Threads > sched.MaxWorkers:
		problem, remedy = fmt.Sprintf("has %d threads", x.Threads), fmt.Sprintf("write 1 to %d", sched.MaxWorkers)
	case looped && !onWaitSet:
		problem, remedy = "spins by "+string(x.Spin.Kind)+", which is simulated of single_threaded, static and rclpy only", "write spin"
	case x.Spin.Period < 0:
		problem, remedy = fmt.Sprintf("spins every %v", x.Spin.Period), "write 0ms or more"
	case !looped && x.Spin.Period > 0:
		problem, remedy = "has a spin period without a loop", "write spin: spin_some or spin: spin_once"
	case x.Kind == model.RclpyExecutor && x.Spin.Kind == model.SpinSome:
		problem, remedy = "spins by spin_some, which rclpy does not have", "write spin_once"
	default:
		return nil
	}
	return b.fail(x.Line, executorField(x), problem, remedy)
}

// stock makes the thread, or threads, of a stock executor.
func (b *builder) stock(executor int, kind sim.Executor, made *Executor) error {
	x := &b.Executors[executor]
	next := len(b.built.System.Threads)
	main := b.thread(x, x.Name, next)
	main.made.Executor, main.made.Priority, main.made.CPU = kind, x.Priority, x.CPU
	main.asks = kind == sim.Rclpy
	if x.ClockThread != nil {
		main.asks = !*x.ClockThread
	}
	switch kind {
	case sim.MultiThreaded:
		main.made.Workers = x.Threads
		if x.Threads == 0 {
			main.made.Workers = max(b.cpus(), 2) // rclcpp never has fewer unless told to
		}
	case sim.WaitSet, sim.Static, sim.Rclpy:
		main.made.Spin = spin(x)
	}
	all := []*threadBuilder{main}
	timers := main
	if x.TimerThread {
		if kind != sim.Events || main.asks {
			return b.fail(x.Line, executorField(x), "has its timers on a thread of their own", "leave that to kind: events with a clock thread")
		}
		timers = b.thread(x, x.Name+"/timers", next+1)
		timers.made.Executor, timers.made.Priority, timers.made.CPU = sim.EventsTimers, x.Priority, x.CPU
		all = append(all, timers)
	}
	err := b.members(executor, func(m member, _ int) error {
		if m.Kind == model.TimerCallback {
			return timers.add(m)
		}
		return main.add(m)
	})
	b.finish(made, all...)
	return err
}

// spin is how a program turns its executor. The static one runs one callback per
// wait (rclcpp from Jazzy on).
func spin(x *model.Executor) sched.Spin {
	s := sched.Spin{Period: x.Spin.Period}
	s.Once = x.Spin.Kind == model.SpinOnce || x.Kind == model.StaticExecutor && x.Spin.Kind != model.SpinSome
	return s
}

// members yields the callbacks of an executor in the order of the file, each
// with the number of its group among those of all of its nodes.
func (b *builder) members(executor int, yield func(m member, group int) error) error {
	first := 0
	for within, number := range b.nodes[executor] {
		n := &b.Nodes[number]
		g, err := b.groups(n)
		if err != nil {
			return err
		}
		for i := range n.Callbacks {
			at := g.of[i]
			if err := yield(member{&n.Callbacks[i], n, number, within, g.all[at].made}, first+at); err != nil {
				return err
			}
		}
		first += len(g.all)
	}
	return nil
}

// checkPins makes sure that all threads are pinned to CPUs, or none is.
func (b *builder) checkPins() error {
	threads := b.built.System.Threads
	for i := range threads {
		if (threads[i].CPU == 0) != (threads[0].CPU == 0) {
			x := b.executorOf(i)
			return b.fail(x.Line, executorField(x), fmt.Sprintf("has the thread %s: either that or %s is pinned to a CPU, but not both", threads[i].Name, threads[0].Name), "pin all threads, or none")
		}
	}
	return nil
}

// executorOf returns whose a thread is.
func (b *builder) executorOf(thread int) *model.Executor {
	for i, x := range b.built.Executors {
		if n := len(x.Threads); n > 0 && x.Threads[0] <= thread && thread <= x.Threads[n-1] {
			return &b.Executors[i]
		}
	}
	return &model.Executor{}
}
