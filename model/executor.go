package model

import (
	"slices"
	"strconv"
	"time"
)

// executors are the section of that name.
var executors = named[Executor]{
	noun: "an executor", example: "main: {kind: single_threaded}", one: "kind: single_threaded", bare: true,
	fields: executorFields, defaults: Executor{Kind: LevelsExecutor, Spin: Spin{Kind: SpinForever}},
	head:  func(e *Executor) (*string, *int) { return &e.Name, &e.Line },
	check: checkExecutor,
}

var executorFields = []field[Executor]{
	choice("kind", func(e *Executor) *ExecutorKind { return &e.Kind }, LevelsExecutor, SingleThreaded, StaticExecutor,
		MultiThreaded, EventsExecutor, RclpyExecutor, RclpyMultiThreaded),
	whole("priority", span{0, maxPriority}, func(e *Executor) *int { return &e.Priority }),
	whole("cpu", span{1, maxCPUs}, func(e *Executor) *int { return &e.CPU }),
	whole("threads", span{1, 1000}, func(e *Executor) *int { return &e.Threads }),
	choice("spin", func(e *Executor) *SpinKind { return &e.Spin.Kind }, SpinForever, SpinSome, SpinOnce),
	amount("spin_period", func(e *Executor) *time.Duration { return &e.Spin.Period }),
	clockThread,
	flag("timer_thread", func(e *Executor) *bool { return &e.TimerThread }),
	{
		key:   "levels",
		read:  func(v value, e *Executor) { e.Levels = levelSections.read(v) },
		write: func(*Executor) string { return "" }, // as sections of their own
	},
}

// clockThread is the field of a yes or no whose default is the client library's.
var clockThread = field[Executor]{
	key: "clock_thread",
	read: func(v value, e *Executor) {
		if word := oneWord(v, "true", "false"); word != "" {
			yes := word == "true"
			e.ClockThread = &yes
		}
	},
	write: func(e *Executor) string {
		if e.ClockThread == nil {
			return ""
		}
		return strconv.FormatBool(*e.ClockThread)
	},
}

// stockKeys are the keys that only executors other than takt's have.
var stockKeys = []string{"priority", "cpu", "threads", "spin", "spin_period", "clock_thread", "timer_thread"}

// checkExecutor reports keys that the kind of executor does not have.
func checkExecutor(s *section, e *Executor) {
	if e.Kind == "" { // reported where it stands
		return
	}
	for _, key := range stockKeys {
		if s.has(key) && !e.Kind.has(key) {
			s.given[key].fail("has no meaning for an executor of the kind "+string(e.Kind), e.Kind.remedy(key))
		}
	}
	if s.has("levels") && e.Kind != LevelsExecutor {
		s.given["levels"].fail("has no meaning for an executor of the kind "+string(e.Kind), "write kind: levels, or remove the section")
	}
	if s.has("spin_period") && e.Spin.Kind == SpinForever {
		s.given["spin_period"].fail("is the period of a loop around the executor, which spins by itself", "write spin: spin_some or spin: spin_once, or remove the line")
	}
	if e.Spin.Kind == SpinSome && e.Kind == RclpyExecutor {
		s.given["spin"].fail("is spin_some, which rclpy does not have", "write spin: spin_once")
	}
}

// has reports whether executors of the kind have a key of stock executors.
func (k ExecutorKind) has(key string) bool {
	switch key {
	case "threads":
		return k == MultiThreaded || k == RclpyMultiThreaded
	case "spin", "spin_period":
		return slices.Contains([]ExecutorKind{SingleThreaded, StaticExecutor, RclpyExecutor}, k)
	case "timer_thread":
		return k == EventsExecutor
	}
	return k != LevelsExecutor
}

// remedy says what to do about a key that the kind does not have.
func (k ExecutorKind) remedy(key string) string {
	if k == LevelsExecutor && (key == "priority" || key == "cpu") {
		return "write it in one of its levels"
	}
	return "remove the line"
}

// levelSections are the levels of one executor that the file pins.
var levelSections = named[Level]{
	noun: "a level", example: "control: {priority: 40}", one: "priority: 40", bare: true,
	fields: levelFields,
	head:   func(l *Level) (*string, *int) { return &l.Name, &l.Line },
	check:  checkLevel,
}

var levelFields = []field[Level]{
	names("groups", "[attitude]", func(l *Level) *[]string { return &l.Groups }),
	whole("priority", span{1, maxPriority}, func(l *Level) *int { return &l.Priority }),
	choice("above", func(l *Level) *string { return &l.AboveBand }, bandNames...),
	whole("cpu", span{1, maxCPUs}, func(l *Level) *int { return &l.CPU }),
	either("drain", "latched", "greedy", func(l *Level) *bool { return &l.Greedy }),
	whole("greedy_cap", span{1, 1 << 30}, func(l *Level) *int { return &l.GreedyCap }),
	quantity("spin_period", duration, func(l *Level) *time.Duration { return &l.SpinPeriod }),
	quantity("cycle_budget", duration, func(l *Level) *time.Duration { return &l.CycleBudget }),
	either("data", "interleaved", "let", func(l *Level) *bool { return &l.LET }),
	quantity("budget", duration, func(l *Level) *time.Duration { return &l.Budget }),
	quantity("budget_period", duration, func(l *Level) *time.Duration { return &l.BudgetPeriod }),
	quantity("watchdog", duration, func(l *Level) *time.Duration { return &l.Watchdog }),
}

// checkLevel reports keys of one level that contradict or need each other.
func checkLevel(s *section, l *Level) {
	s.together("budget", "budget_period", "10ms")
	s.together("budget_period", "budget", "2ms")
	s.together("cycle_budget", "spin_period", "10ms")
	s.atMost("budget", l.Budget, "budget_period", l.BudgetPeriod)
	if s.has("greedy_cap") && !l.Greedy {
		s.given["greedy_cap"].fail("is a bound of greedy cycles, and this level is latched", "write drain: greedy, or remove the line")
	}
	if l.LET && l.Greedy {
		s.given["data"].fail("is let, which needs cycles that are latched", "write drain: latched, or data: interleaved")
	}
	if s.has("above") && s.lacks("priority") {
		s.given["above"].fail("is about a priority that is not given", "write one, or remove the line")
	}
}

// atMost refuses an amount that is longer than what it is a part of.
func (s *section) atMost(key string, amount time.Duration, ofKey string, of time.Duration) {
	if amount > of && of > 0 {
		s.given[key].fail("is longer than "+ofKey+", "+FormatDuration(of), "write that or less")
	}
}
