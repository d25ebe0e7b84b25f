package model

import (
	"slices"
	"strconv"
	"time"
)

// A draft is a callback while it is read or written: what a key says of its
// parts before its kind is known.
type draft struct {
	Callback
	kinds   []CallbackKind // as many as are given
	history Input          // Depth and All, of its only input
}

// callbackSections are the callbacks of one node.
var callbackSections = named[draft]{
	noun: "a callback", example: "plan: {timer: 100ms, execution: 5ms}", one: "{timer: 100ms, execution: 5ms}",
	fields: callbackFields, defaults: draftDefaults,
	head:  func(c *draft) (*string, *int) { return &c.Name, &c.Line },
	check: finishCallback,
}

// defaultDepth is the depth of a history in ROS 2's default profile.
const defaultDepth = 10

var draftDefaults = draft{
	Callback: Callback{
		Group: defaultGroup, Context: contextDefaults,
		Execution: Execution{Typical: -1, Worst: -1}, // none is right: it must be given
	},
	history: Input{Depth: defaultDepth},
}

var callbackFields = slices.Concat([]field[draft]{
	timerField,
	phaseField,
	either("timer_clock", "steady", "ros", func(c *draft) *bool { return &c.Timer.OnROS }),
	flag("catch_up", func(c *draft) *bool { return &c.Timer.CatchUp }),
	either("rcl", "jazzy", "humble", func(c *draft) *bool { return &c.Timer.Humble }),
	flag("once", func(c *draft) *bool { return &c.Timer.Once }),
	inputField(SubscriptionCallback, "/imu"),
	inputField(ServiceCallback, "/set_mode"),
	inputField(ClientCallback, "/set_mode"),
	inputField(ActionCallback, "/navigate"),
	triggerField,
	depthField(func(c *draft) *Input { return &c.history }),
	either("take", "one", "all", func(c *draft) *bool { return &c.TakeAll }),
	either("when", "all", "any", func(c *draft) *bool { return &c.Any }),
	{
		key:   "execution",
		read:  func(v value, c *draft) { c.Execution = readExecution(v) },
		write: func(c *draft) string { return c.Execution.short() },
	},
	names("publishes", "[/cmd]", func(c *draft) *[]string { return &c.Publishes }),
	names("calls", "[/set_mode]", func(c *draft) *[]string { return &c.Calls }),
	name("lock", "state", func(c *draft) *string { return &c.Lock }),
	name("group", "slow", func(c *draft) *string { return &c.Group }),
	name("context", "slow", func(c *draft) *string { return &c.ContextName }),
}, within(contextFields, func(c *draft) *Context { return &c.Context }))

// timerField is the field of a timer's period.
var timerField = field[draft]{
	key: "timer",
	read: func(v value, c *draft) {
		c.kinds = append(c.kinds, TimerCallback)
		quantity("timer", period, func(c *draft) *time.Duration { return &c.Timer.Period }).read(v, c)
	},
	write: func(c *draft) string {
		if c.Kind != TimerCallback {
			return ""
		}
		return FormatDuration(c.Timer.Period)
	},
}

// phaseField is the field of a timer's phase, whose default is its period.
var phaseField = field[draft]{
	key:  "phase",
	read: func(v value, c *draft) { c.Timer.Phase, _ = v.duration(writeOrRemove("0s")) },
	write: func(c *draft) string {
		if c.Kind != TimerCallback || c.Timer.Phase == c.Timer.Period {
			return ""
		}
		return FormatDuration(c.Timer.Phase)
	},
}

// inputField is the field of a callback with one input.
func inputField(kind CallbackKind, example string) field[draft] {
	return field[draft]{
		key: string(kind),
		read: func(v value, c *draft) {
			c.kinds = append(c.kinds, kind)
			name, _ := v.name(example)
			c.Inputs = []Input{{Topic: name, Line: v.at.line}}
		},
		write: func(c *draft) string {
			if c.Kind != kind || len(c.Inputs) == 0 {
				return ""
			}
			return quoted(c.Inputs[0].Topic)
		},
	}
}

// triggerField is the field of a callback with several inputs.
var triggerField = field[draft]{
	key: string(TriggerCallback),
	read: func(v value, c *draft) {
		c.kinds = append(c.kinds, TriggerCallback)
		c.Inputs = nil
		for _, item := range v.items("[/imu, /gps]") {
			c.Inputs = append(c.Inputs, readInput(item))
		}
	},
	write: func(c *draft) string {
		if c.Kind != TriggerCallback {
			return ""
		}
		return listed(c.Inputs, writeInput)
	},
}

var inputFields = []field[Input]{
	name("topic", "/imu", func(in *Input) *string { return &in.Topic }),
	depthField(func(in *Input) *Input { return in }),
}

// readInput reads one of several inputs: a topic, or a topic and its depth.
func readInput(v value) Input {
	in := Input{Depth: defaultDepth}
	if v.isMapping() {
		s := readSection(v, "{topic: /imu, depth: 1}", inputFields, &in)
		if len(s.given) > 0 && s.lacks("topic") {
			v.fail("has no topic", "write one, as in {topic: /imu, depth: 1}")
		}
	} else {
		in.Topic, _ = v.name("/imu")
	}
	in.Line = v.at.line
	return in
}

func writeInput(in Input) string {
	if in.Depth == defaultDepth && !in.All {
		return quoted(in.Topic)
	}
	return flow(inputFields, &in, &Input{})
}

// depthField is the field of a history's depth: a number, or all.
func depthField[T any](at func(*T) *Input) field[T] {
	return field[T]{
		key: "depth",
		read: func(v value, into *T) {
			text, ok := v.text(writeOrRemove("1, or all"))
			in := at(into)
			switch {
			case !ok:
			case text == "all":
				in.All, in.Depth = true, 0
			default:
				in.Depth = v.whole(text, span{1, 1 << 30})
			}
		},
		write: func(from *T) string {
			in := at(from)
			switch {
			case in.All:
				return "all"
			case in.Depth == 0:
				return ""
			}
			return strconv.Itoa(in.Depth)
		},
	}
}

// readCallbacks reads the callbacks of a node.
func readCallbacks(v value) []Callback {
	var all []Callback
	for _, d := range callbackSections.read(v) {
		all = append(all, d.Callback)
	}
	return all
}

// kindKeys are the keys that say what makes a callback ready.
var kindKeys = []string{"timer", "subscription", "service", "client", "action", "trigger"}

// finishCallback gives a callback its kind and what follows from it, and
// reports keys that do not go with that.
func finishCallback(s *section, c *draft) {
	switch {
	case len(c.kinds) == 1:
		c.Kind = c.kinds[0]
	case len(c.kinds) > 1:
		s.conflict(string(c.kinds[0]), string(c.kinds[1]))
		return
	case len(s.given) > 0 && s.lacks(kindKeys...):
		s.fail("does not say what makes it ready", "write "+oneOf(kindKeys)+", such as timer: 10ms")
		return
	}
	if len(s.given) > 0 && s.lacks("execution") {
		s.fail("does not say how much CPU time it takes", "write it, such as execution: 1ms")
	}
	if c.Kind == TimerCallback {
		if !s.has("phase") {
			c.Timer.Phase = c.Timer.Period
		}
	} else if c.Kind != TriggerCallback && len(c.Inputs) == 1 {
		c.Inputs[0].Depth, c.Inputs[0].All = c.history.Depth, c.history.All
	}
	s.onlyFor(c.Kind, TimerCallback, "phase", "timer_clock", "catch_up", "rcl", "once")
	s.onlyFor(c.Kind, TriggerCallback, "when")
	if s.has("depth") && (c.Kind == TimerCallback || c.Kind == TriggerCallback) {
		s.given["depth"].fail("has no meaning for a "+string(c.Kind), "remove the line, or of a trigger write it with its topic: {topic: /imu, depth: 1}")
	}
	if s.has("take") && c.Kind == TimerCallback {
		s.given["take"].fail("has no meaning for a timer", "remove the line")
	}
	checkContext(s, &c.Context)
	s.ownContext()
}

// onlyFor reports keys that only callbacks of another kind have.
func (s *section) onlyFor(kind, needed CallbackKind, keys ...string) {
	for _, key := range keys {
		if s.has(key) && kind != needed && kind != "" {
			s.given[key].fail("has no meaning for a "+string(kind), "remove the line, or write a "+string(needed)+" instead")
		}
	}
}

// ownContext reports keys of a context beside the name of another one.
func (s *section) ownContext() {
	if !s.has("context") {
		return
	}
	for _, f := range contextFields {
		if s.conflict("context", f.key) {
			return
		}
	}
}
