package main

// multithreaded is about rclcpp's multi-threaded executor and callback groups.
var multithreaded = []mutation{
	{"a callback starts although its group is busy", "Group", "sched",
		"!m.groupOf(e.callback).busy", "true",
		"sched.TestMutuallyExclusiveTimersStarve"},
	{"a reentrant group is mutually exclusive", "Group", "sched",
		"c.Group, c.Group.Reentrant", "c.Group, false",
		"sched.TestReentrant"},
	{"the nodes of an executor share their default group", "Group", "sched",
		"any(c.Node), false", "any(0), false",
		"sched.TestDefaultGroupOfANode"},
	{"a message that is passed over for its group is kept", "rclcpp up to Iron, where a later one is meant", "sched",
		"case m.slots[e.callback].kind == TimerKind:", "case true:",
		"sched.TestPassedOverIsForgotten"},
	{"a timer that is passed over for its group is forgotten", "MultiThreaded", "sched",
		"case m.slots[e.callback].kind == TimerKind:", "case false:",
		"sched.TestPassedOverTimerStays"},
	{"every wait is on all groups that are free", "rclcpp up to Iron, where a later one is meant", "sched",
		"if m.rebuild {", "if true {",
		"sched.TestWaitSetLacksTheGroupOnceMore"},
	{"the end of a callback leaves a waiting worker asleep", "MultiThreaded", "sched",
		"w.busy--\n\t\tw.wake()", "w.busy--",
		"sched.TestEndOfCallbackWakesTheWait"},
}
