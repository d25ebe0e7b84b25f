package sim

import (
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/timeline"
)

// about makes e an event about a message.
func (m *message) about(e *timeline.Event) {
	e.Number, e.Cause = m.cause.Number, m.cause
	e.Sent, e.Flags = timeline.Instant(m.sent), e.Flags|timeline.HasSent
}

// Published writes that a message was sent.
func (t *Timeline) Published(now clock.Mono, thread int, job *sched.Job, to *Topic) {
	w := t.all[thread].callbacks[job.Callback].writes[to]
	w.sent++
	e := t.on(t.index(OSThread{thread, job.Worker}), now, timeline.SampleSent, w.entity)
	e.Number = w.sent
	t.event(&e)
	t.topics[to].underWay.push(message{cause: timeline.Cause{Entity: w.entity, Number: w.sent}, sent: now})
}

// Delivered writes that a message, or a tick, arrived at whoever listens.
func (t *Timeline) Delivered(now clock.Mono, of *Topic, source int, sent clock.Mono) {
	topic, known := t.topics[of]
	if !known {
		topic = t.clock // of a Clock without a topic of its own
	}
	e := timeline.Event{At: timeline.Instant(now), Kind: timeline.SampleArrived, Entity: topic.entity}
	number := topic.arrived.number + 1
	switch {
	case topic == t.clock:
		topic.arrived = message{sent: sent}
		e.Kind, e.Value = timeline.TickArrived, int64(t.ticks.pop())
	case source >= 0:
		w := &t.sources[source]
		w.sent++
		topic.arrived = message{cause: timeline.Cause{Entity: w.entity, Number: w.sent}, sent: sent}
	default:
		topic.arrived = topic.underWay.pop()
	}
	topic.arrived.number = number
	topic.arrived.about(&e)
	t.event(&e)
}

// Arrived writes that a message came into a queue.
func (t *Timeline) Arrived(thread, callback, input int, s sched.Sample) {
	in := &t.all[thread].callbacks[callback].inputs[input]
	m := in.topic.arrived
	m.number = s.Number
	in.waiting.push(m)
	e := timeline.Event{At: timeline.Instant(s.Arrival), Kind: timeline.SampleArrived, Entity: in.reader}
	m.about(&e)
	t.event(&e)
}

// Overwritten writes that a message is lost to a reader.
func (t *Timeline) Overwritten(now clock.Mono, thread, callback, input int, s sched.Sample) {
	in := &t.all[thread].callbacks[callback].inputs[input]
	m, ok := in.waiting.remove(func(m *message) bool { return m.number == s.Number })
	if !ok {
		return
	}
	e := timeline.Event{At: timeline.Instant(now), Kind: timeline.SampleDropped, Entity: in.reader, Value: int64(timeline.OverwrittenAtReader)}
	m.about(&e)
	t.event(&e)
}

// Started writes the release and the start of a job, and what it took.
func (t *Timeline) Started(now clock.Mono, thread int, job *sched.Job) {
	on := t.index(OSThread{thread, job.Worker})
	th, c := &t.threads[on], &t.all[thread].callbacks[job.Callback]
	c.jobs++
	th.job, th.since, th.used = c.jobs, now, 0

	released := t.on(on, now, timeline.JobReleased, c.entity)
	released.Number, released.Value = c.jobs, int64(job.Release)
	if c.onROS {
		released.Value = int64(job.SimRelease)
	}
	t.event(&released)

	taken := t.take(c, job.Taken)
	started := t.on(on, now, timeline.JobStarted, c.entity)
	if len(taken) > 0 {
		taken[0].about(&started)
	}
	started.Number = c.jobs
	t.event(&started)
	for i := range taken {
		e := t.on(on, now, timeline.SampleTaken, taken[i].reader)
		taken[i].about(&e)
		t.event(&e)
	}
}

// A takenMessage is a message and who took it.
type takenMessage struct {
	message
	reader timeline.EntityID
}

// take takes what a job takes out of the queues: of one input all that it
// takes, of several one each. It is valid until the next call.
func (t *Timeline) take(c *tracedCallback, count int) []takenMessage {
	t.scratch = t.scratch[:0]
	for i := range c.inputs {
		in := &c.inputs[i]
		n := min(count, in.waiting.len())
		if len(c.inputs) > 1 {
			n = min(n, 1)
		}
		for range n {
			t.scratch = append(t.scratch, takenMessage{in.waiting.pop(), in.reader})
		}
	}
	return t.scratch
}

// Ended writes the end of a job.
func (t *Timeline) Ended(now clock.Mono, thread int, job *sched.Job, _ bool) {
	on := t.index(OSThread{thread, job.Worker})
	th, c := &t.threads[on], &t.all[thread].callbacks[job.Callback]
	e := t.on(on, now, timeline.JobEnded, c.entity)
	e.Number, e.Value, e.Flags = th.job, int64(th.used)+int64(now.Sub(th.since)), e.Flags|timeline.HasCPUTime
	t.event(&e)
}

// Placed writes which threads lost their CPU, and which got one.
func (t *Timeline) Placed(now clock.Mono, threads []OSThread) {
	next := 0
	for i := range t.threads {
		if next < len(threads) && t.index(threads[next]) == i {
			next++
		} else if th := &t.threads[i]; th.cpu >= 0 {
			th.used = th.used.Add(now.Sub(th.since))
			e := t.on(i, now, timeline.SwitchedOut, th.entity)
			t.event(&e)
			t.taken[th.cpu], th.last, th.cpu = false, th.cpu, -1
		}
	}
	for _, anywhere := range [2]bool{false, true} {
		for _, id := range threads {
			i := t.index(id)
			if th := &t.threads[i]; th.cpu < 0 && (anywhere || !t.taken[th.last]) {
				t.place(now, i)
			}
		}
	}
}

// place gives a thread the CPU that it had last, or the first that is free.
func (t *Timeline) place(now clock.Mono, thread int) {
	th := &t.threads[thread]
	th.cpu = th.last
	for cpu := 0; t.taken[th.cpu]; cpu++ {
		th.cpu = cpu
	}
	t.taken[th.cpu], th.since = true, now
	e := t.on(thread, now, timeline.SwitchedIn, th.entity)
	t.event(&e)
}

// TickSent writes that a tick was sent.
func (t *Timeline) TickSent(now clock.Mono, sim clock.Sim) {
	t.ticks.push(sim)
	e := timeline.Event{At: timeline.Instant(now), Kind: timeline.TickSent, Entity: t.clock.entity, Value: int64(sim)}
	t.event(&e)
}

// Ticked takes what a thread's clock shows.
func (t *Timeline) Ticked(_ clock.Mono, thread int, sim clock.Sim) {
	t.all[thread].ros, t.all[thread].hasROS = sim, true
}
