package compile

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sched"
	"github.com/takt-rt/takt/sim"
)

// kinds are those of callbacks.
var kinds = map[model.CallbackKind]sched.Kind{
	model.TimerCallback: sched.TimerKind, model.SubscriptionCallback: sched.Subscription, model.ServiceCallback: sched.Service,
	model.ClientCallback: sched.Client, model.ActionCallback: sched.Waitable, model.TriggerCallback: sched.Fused,
}

// callback makes a callback for the thread.
func (t *threadBuilder) callback(m member) (c sim.Callback, err error) {
	if err := t.checkCallback(m); err != nil {
		return c, err
	}
	c.Name, c.Kind = m.node.Name+"/"+m.Name, kinds[m.Kind]
	c.Node, c.Group, c.Client = m.within, m.group, m.number+1
	c.TakeAll, c.Any = m.TakeAll, m.Any && m.Kind == model.TriggerCallback
	if m.Kind == model.TimerCallback {
		t.timer(m, &c)
	}
	if err := t.listens(m, &c); err != nil {
		return c, err
	}
	if err := t.talks(m, &c); err != nil {
		return c, err
	}
	if err := t.execution(m.node, m.Callback, &c); err != nil {
		return c, err
	}
	c.Context, err = t.context(m.node, m.Callback)
	if err == nil && c.Draw != nil && c.Cost == 0 && c.Context != nil && c.Context.Window.RequireFit {
		err = t.fail(m.Line, callbackField(m.node, m.Callback), "has no largest execution time, which a window with require_fit asks for", "give worst, or a high of the distribution")
	}
	if m.Lock != "" && err == nil {
		if c.Lock = t.locks[m.Lock]; c.Lock == nil {
			err = t.fail(m.Line, callbackField(m.node, m.Callback), "holds the lock "+strconv.Quote(m.Lock)+", which there is not", "name one of the locks")
		}
	}
	return c, err
}

func (t *threadBuilder) checkCallback(m member) error {
	problem, remedy := "", ""
	inputs, timer := len(m.Inputs), m.Kind == model.TimerCallback
	_, known := kinds[m.Kind]
	switch {
	case !known:
		problem, remedy = "is of the unknown kind "+strconv.Quote(string(m.Kind)), "make it a timer, subscription, service, client, action or trigger"
	case timer && (inputs > 0 || m.TakeAll):
		problem, remedy = "is a timer and takes messages", "make a callback of its own for them"
	case m.Kind == model.TriggerCallback && (inputs == 0 || m.TakeAll):
		problem, remedy = "is a trigger without topics, or one that takes all", "name topics, of which it takes one message each"
	case !timer && m.Kind != model.TriggerCallback && inputs != 1:
		problem, remedy = fmt.Sprintf("is a %s of %d topics", m.Kind, inputs), "name one, or make it a trigger"
	case m.Kind == model.TriggerCallback && !t.onLevel(), m.TakeAll && !t.onLevel():
		problem, remedy = "is a trigger or takes all, which the executor "+t.executor.Name+" cannot", "use an executor of kind levels"
	case timer && (m.Timer.Period < 0 || m.Timer.Phase < 0 || max(m.Timer.Period, m.Timer.Phase) > longest):
		problem, remedy = fmt.Sprintf("has a period of %v and a phase of %v", m.Timer.Period, m.Timer.Phase), "write 0ms or more, up to a year"
	case timer && m.Timer.Period == 0 && t.made.Executor == sim.Events:
		problem, remedy = "is a timer without a period, which an events executor cannot run", "give it one"
	default:
		return nil
	}
	return t.fail(m.Line, callbackField(m.node, m.Callback), problem, remedy)
}

func (t *threadBuilder) timer(m member, c *sim.Callback) {
	c.OnROS = follows(m.node, m.Callback)
	c.First, c.Period, c.Once = t.starts(m.Timer.Phase, c.OnROS), m.Timer.Period, m.Timer.Once
	switch {
	case m.Timer.CatchUp:
		c.Skip = sched.SkipNone
	case m.Timer.Humble:
		c.Skip = sched.KeepNow
	}
}

// defaultDepth is that of ROS 2's histories.
const defaultDepth = 10

// listens gives a callback its inputs.
func (t *threadBuilder) listens(m member, c *sim.Callback) error {
	to := t.topic
	switch m.Kind {
	case model.ServiceCallback, model.ActionCallback:
		to = t.request
	case model.ClientCallback:
		to = t.response
	}
	for _, in := range m.Inputs {
		topic, err := to(in.Topic)
		if err != nil {
			return err
		}
		depth := in.Depth
		switch {
		case depth < 0:
			return t.fail(m.Line, callbackField(m.node, m.Callback), fmt.Sprintf("has a depth of %d", depth), "write 1 or more, or all")
		case in.All:
			depth = 0
		case depth == 0:
			depth = defaultDepth
		}
		c.From, c.Inputs = append(c.From, topic), append(c.Inputs, sched.Input{Depth: depth})
	}
	return nil
}

// talks gives a callback what it publishes, asks and answers.
func (t *threadBuilder) talks(m member, c *sim.Callback) (err error) {
	add := func(to func(string) (*sim.Topic, error), names []string) {
		for _, name := range names {
			topic, failed := to(name)
			if failed != nil {
				err = failed
				return
			}
			c.Publishes = append(c.Publishes, topic)
		}
	}
	if t.Simulation != nil && slices.Contains(m.Publishes, clockTopic) {
		return t.fail(m.Line, callbackField(m.node, m.Callback), "publishes "+clockTopic+", as the section simulation does", "leave it to one of them")
	}
	add(t.publishes, m.Publishes)
	add(t.request, m.Calls)
	if m.Kind == model.ServiceCallback && t.answered[m.Inputs[0].Topic] && err == nil {
		c.Reply, err = t.response(m.Inputs[0].Topic)
	}
	return err
}
