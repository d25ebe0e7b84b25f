package model

import "time"

// contexts are the scheduling contexts that callbacks share.
var contexts = named[Context]{
	noun: "a context", example: "slow: {class: edf, deadline: 10ms}", one: "class: edf",
	fields: contextFields, defaults: contextDefaults,
	head:  func(c *Context) (*string, *int) { return &c.Name, &c.Line },
	check: checkContext,
}

var contextDefaults = Context{Class: FIFO, Bucket: NormalBucket, OnMiss: OnMissIgnore}

var contextFields = []field[Context]{
	choice("class", func(c *Context) *Class { return &c.Class }, FIFO, EDF, Sporadic, BestEffort),
	choice("bucket", func(c *Context) *Bucket { return &c.Bucket }, CriticalBucket, NormalBucket, BestEffortBucket),
	quantity("deadline", duration, func(c *Context) *time.Duration { return &c.Deadline }),
	choice("deadline_from", func(c *Context) *DeadlineBase { return &c.From }, FromRelease, FromActivation, FromOrigin),
	choice("on_miss", func(c *Context) *Reaction { return &c.OnMiss }, OnMissIgnore, OnMissWarn, OnMissSkip, OnMissFault),
	quantity("budget", duration, func(c *Context) *time.Duration { return &c.Budget }),
	quantity("budget_period", duration, func(c *Context) *time.Duration { return &c.BudgetPeriod }),
	{
		key:   "window",
		read:  readWindow,
		write: func(c *Context) string { return flow(windowFields, &c.Window, &Window{}) },
	},
	names("all_of", "[fusion/imu]", func(c *Context) *[]string { return &c.Trigger.AllOf }),
	names("any_of", "[fusion/imu]", func(c *Context) *[]string { return &c.Trigger.AnyOf }),
}

var windowFields = []field[Window]{
	amount("offset", func(w *Window) *time.Duration { return &w.Offset }),
	quantity("duration", duration, func(w *Window) *time.Duration { return &w.Duration }),
	quantity("frame", duration, func(w *Window) *time.Duration { return &w.Frame }),
	flag("require_fit", func(w *Window) *bool { return &w.RequireFit }),
}

func readWindow(v value, c *Context) {
	w := &c.Window
	s := readSection(v, "{offset: 0s, duration: 2ms, frame: 10ms}", windowFields, w)
	if len(s.given) == 0 {
		return
	}
	if s.lacks("duration") {
		v.fail("has no duration", "write it, such as duration: 2ms")
	}
	if s.lacks("frame") {
		v.fail("has no frame, the period in which it comes again", "write it, such as frame: 10ms")
	}
	// Not offset plus duration, which may be more than there is.
	if w.Frame > 0 && (w.Offset >= w.Frame || w.Duration > w.Frame-w.Offset) {
		v.fail("does not end within its frame of "+FormatDuration(w.Frame), "write an offset and a duration that are that or less together")
	}
}

// checkContext reports keys of a context that contradict or need each other.
func checkContext(s *section, c *Context) {
	s.conflict("all_of", "any_of")
	s.together("budget", "budget_period", "10ms")
	s.together("budget_period", "budget", "2ms")
	s.atMost("budget", c.Budget, "budget_period", c.BudgetPeriod)
	switch {
	case c.Class == "":
	case c.Class != Sporadic && s.has("budget"):
		s.given["budget"].fail("has no meaning in the class "+string(c.Class), "write class: sporadic, or remove the line")
	case c.Class == Sporadic && s.lacks("budget"):
		s.given["class"].fail("is sporadic without a budget", "write one, such as budget: 2ms, or another class")
	}
	if c.From != FromOrigin { // which comes with the message
		s.together("deadline_from", "deadline", "10ms")
		s.together("on_miss", "deadline", "10ms")
	}
}
