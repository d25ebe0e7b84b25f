package model

import "time"

// A Design is how a system is built: what there is to run, on what, as a trace
// shows it. A callback is named as NODE/CALLBACK; what names something else
// names it as its own list does. Each name is there once; a zero value is the
// default.
type Design struct {
	Machine    Machine
	Simulation *Simulation // nil if nothing follows simulated time
	Executors  []Executor  // at least one
	Contexts   []Context   // those with a name, which callbacks share
	Nodes      []Node
	Topics     []Topic // how messages travel; a topic that is not here takes no time
	Sensors    []Sensor
	Locks      []Lock
	Chains     []Chain
}

// A Machine is the computer, and what its kernel does for threads.
type Machine struct {
	Line        int
	CPUs        int         // default 1
	Platform    Platform    // default linux
	Preemption  Preemption  // default full
	Enforcement Enforcement // of budgets of levels; default as the platform can

	// Levels from contracts.
	Order     Order     // default rate_monotonic
	MaxLevels int       // default 8
	Strict    bool      // more ranks than levels is an error instead of a merge
	Pool      Band      // priorities for levels; default 10..49
	Reserved  []Reserve // default: transport 70..79, foreign 99
}

// A Platform is a kernel, by what it can do for a thread.
type Platform string

// A Preemption says whether the kernel takes a CPU from one thread for another.
type Preemption string

// The preemptions.
const (
	FullPreemption Preemption = "full" // by priority
	NoPreemption   Preemption = "none" // priorities are refused: all threads are equal
)

// An Enforcement says who holds a level to its budget.
type Enforcement string

// The enforcements.
const (
	ByKernel   Enforcement = "kernel"
	ByExecutor Enforcement = "executor"
)

// An Order says which callback group is more urgent than which.
type Order string

// The orders.
const (
	RateMonotonic     Order = "rate_monotonic"
	DeadlineMonotonic Order = "deadline_monotonic"
	ChainAware        Order = "chain_aware"
)

// A Band is priorities from Low to High, both included; more is more urgent.
// It is written 10..49, or 99 if it is one.
type Band struct{ Low, High int }

// A Reserve is a band that no level may have.
type Reserve struct {
	Name string // transport, driver or foreign
	Band Band
}

// A Simulation is who publishes /clock, and how.
type Simulation struct {
	Line    int
	RTF     float64       // simulated time over monotonic time; default 1
	Step    time.Duration // of simulated time, one tick each
	Rate    float64       // or ticks per second of monotonic time, Hz
	Latency time.Duration // of a tick from the publisher to the node
	Start   time.Duration // the first value
	At      time.Duration // the instant of the run at which it is sent
	Jumps   []Jump        // in order
}

// A Jump is simulated time that goes on elsewhere.
type Jump struct {
	Line int
	At   time.Duration // the instant of the run
	To   time.Duration // the value of the next tick; PauseFor stops the ticks instead
	// PauseFor is for how long no tick comes and simulated time stands; 0 is a jump.
	PauseFor time.Duration
}

// An ExecutorKind is which executor runs callbacks.
type ExecutorKind string

// The kinds.
const (
	LevelsExecutor     ExecutorKind = "levels"          // takt's: one thread per level
	SingleThreaded     ExecutorKind = "single_threaded" // rclcpp's, on a wait set
	StaticExecutor     ExecutorKind = "static"          // rclcpp's static single-threaded
	MultiThreaded      ExecutorKind = "multi_threaded"  // rclcpp's
	EventsExecutor     ExecutorKind = "events"          // rclcpp's
	RclpyExecutor      ExecutorKind = "rclpy"           // rclpy's single-threaded
	RclpyMultiThreaded ExecutorKind = "rclpy_multi_threaded"
)

// An Executor runs the callbacks of nodes.
type Executor struct {
	Name string
	Line int
	Kind ExecutorKind // default levels

	// Of stock executors; levels have their own.
	Priority    int     // of its threads; default 0, below every other
	CPU         int     // they are pinned to, from 1; 0 is none
	Threads     int     // of the multi-threaded ones; default the machine's CPUs
	Spin        Spin    // default spin
	ClockThread *bool   // whether a thread of its own takes /clock; default as the client library has it
	TimerThread bool    // events: timers run on a thread of their own
	Levels      []Level // of the kind levels: those that are pinned or have options; the others are derived
}

// A Spin is how a program turns its executor.
type Spin struct {
	Kind   SpinKind
	Period time.Duration // of spin_some and spin_once in a loop; 0 is as fast as possible
}

// A SpinKind is a way to spin.
type SpinKind string

// The kinds.
const (
	SpinForever SpinKind = "spin"
	SpinSome    SpinKind = "spin_some"
	SpinOnce    SpinKind = "spin_once"
)

// A Level is one thread of takt's executor.
type Level struct {
	Name         string
	Line         int
	Groups       []string      // NODE or NODE/GROUP: what is pinned here; none leaves that to callbacks' groups
	Priority     int           // a pin in the pool; 0 is derived
	AboveBand    string        // the reserved band that the pin may outrank, said on purpose
	CPU          int           // from 1; 0 is none
	Greedy       bool          // drain
	GreedyCap    int           // most callbacks per cycle; 0 is no limit
	SpinPeriod   time.Duration // 0 is none
	CycleBudget  time.Duration // 0 is none
	LET          bool          // data are sampled at the start of a cycle
	Budget       time.Duration // CPU time per BudgetPeriod; 0 is none
	BudgetPeriod time.Duration
	Watchdog     time.Duration // the longest legal silence; 0 is none
}

// A Node is a ROS node.
type Node struct {
	Name       string
	Line       int
	Executor   string // default the only executor
	UseSimTime bool
	Groups     []Group // the group "default", mutually exclusive, is always there and need not be
	Callbacks  []Callback
}

// A Group is a callback group. Groups are the code's; their level is the deployment's.
type Group struct {
	Name      string
	Line      int
	Reentrant bool
	Level     string // of the executor; "" is derived
}

// A CallbackKind is what makes a callback ready.
type CallbackKind string

// The kinds. The key of the file that says what it listens to has the same name.
const (
	TimerCallback        CallbackKind = "timer"
	SubscriptionCallback CallbackKind = "subscription"
	ServiceCallback      CallbackKind = "service" // a request comes in, the response goes out at the end
	ClientCallback       CallbackKind = "client"  // a response comes in
	ActionCallback       CallbackKind = "action"  // a step of a goal
	TriggerCallback      CallbackKind = "trigger" // several topics, and a condition over them
)

// A Callback is one callback of a node, or what a client asks.
type Callback struct {
	Name  string
	Line  int
	Kind  CallbackKind
	Group string // default "default"

	Timer   Timer   // of a timer
	Inputs  []Input // of the others: one, of a trigger several
	Any     bool    // a trigger is ready when any input has a sample instead of all
	TakeAll bool    // one run takes all samples that there are

	Execution Execution
	Publishes []string // topics, one message each at the end
	Calls     []string // services, one request each at the end
	Lock      string

	ContextName string  // one of the contexts; "" is Context
	Context     Context // of its own: without name
}

// A Timer is a periodic or one-shot timer.
type Timer struct {
	Period  time.Duration // on its clock
	Phase   time.Duration // the first release, from the start of the run on its clock; default the period, as rcl has it
	OnROS   bool          // follows the node's ROS time; else steady
	CatchUp bool          // makes up for releases that passed instead of skipping them
	Humble  bool          // keeps a release at the very instant of a call (rcl before Jazzy)
	Once    bool          // cancels itself at its first call
}

// An Input is a topic and the history in front of the callback.
type Input struct {
	Topic string
	Line  int
	Depth int  // of KEEP_LAST; default 10, ROS 2's
	All   bool // KEEP_ALL
}

// An Execution is how much CPU time the runs of a callback take. One of
// Pattern, Samples and Distribution may be given, or none; Worst is then the
// largest of them by itself, for gates and bounds.
type Execution struct {
	Line         int
	Typical      time.Duration   // what a run takes; default Worst
	Worst        time.Duration   // default Typical
	Pattern      []time.Duration // used in turn
	Samples      string          // a file of durations, one in a line, used in turn; its path from the system file's folder
	Distribution Distribution
}

// A Distribution is random execution times, the same for the same seed.
type Distribution struct {
	Kind      DistributionKind // "" is none
	Low, High time.Duration    // of uniform; the others are cut off there, High 0 is nowhere
	Mean      time.Duration    // of normal and exponential; of lognormal its mean, not its logarithm's
	Deviation time.Duration    // of normal and lognormal
	Seed      uint64
}

// A DistributionKind is the shape of a Distribution.
type DistributionKind string

// The shapes.
const (
	Uniform     DistributionKind = "uniform"
	Normal      DistributionKind = "normal"
	Lognormal   DistributionKind = "lognormal"
	Exponential DistributionKind = "exponential"
)

// A Context is a scheduling context: how callbacks that share it are ordered
// and held back.
type Context struct {
	Name     string // "" if it is one callback's own
	Line     int
	Class    Class
	Bucket   Bucket
	Deadline time.Duration
	From     DeadlineBase
	OnMiss   Reaction

	Budget, BudgetPeriod time.Duration // of the class sporadic
	Window               Window
	Trigger              Trigger
}

// A Class says how ready callbacks of one bucket are ordered.
type Class string

// The classes. The default is FIFO.
const (
	FIFO       Class = "fifo"
	EDF        Class = "edf"
	Sporadic   Class = "sporadic"
	BestEffort Class = "best_effort"
)

// A Bucket is the coarsest order within a level.
type Bucket string

// The buckets. The default is NormalBucket.
const (
	CriticalBucket   Bucket = "critical"
	NormalBucket     Bucket = "normal"
	BestEffortBucket Bucket = "best_effort"
)

// A DeadlineBase says what a deadline is counted from.
type DeadlineBase string

// The bases.
const (
	FromRelease    DeadlineBase = "released"  // default of timers: the instant on the grid
	FromActivation DeadlineBase = "activated" // default of the others: when it became ready
	FromOrigin     DeadlineBase = "inherited" // it travels with the message, from the start of its chain
)

// A Reaction is what a missed deadline leads to beside being counted.
type Reaction string

// The reactions. The default is OnMissIgnore.
const (
	OnMissIgnore Reaction = "ignore"
	OnMissWarn   Reaction = "warn"
	OnMissSkip   Reaction = "skip"  // what the context has left in this cycle waits for the next
	OnMissFault  Reaction = "fault" // the run stops
)

// A Window lets callbacks start only in a part of each frame.
type Window struct {
	Offset, Duration, Frame time.Duration // no window with a Duration of 0
	RequireFit              bool          // start only what fits in what is left
}

// A Trigger holds back callbacks until others are ready.
type Trigger struct {
	AllOf, AnyOf []string // callbacks of the same thread, no timers; at most one of the two is given
}

// A Topic is how its messages travel from the end of the callback that
// publishes them to the queues of those that listen.
type Topic struct {
	Name    string
	Line    int
	Latency time.Duration
	Jitter  time.Duration // Latency is the least, and up to so much more, drawn evenly; order is kept
	Seed    uint64
}

// A Sensor publishes from outside.
type Sensor struct {
	Name      string
	Line      int
	Publishes []string
	Period    time.Duration // on its clock
	Phase     time.Duration // the first message, from the start of the run on its clock
	Jitter    time.Duration // up to so much later than the grid, drawn evenly
	Seed      uint64
	Times     []time.Duration // instead of a period, in order
	OnSim     bool            // it is simulated: its clock is the simulator's
}

// A Lock is a mutex that callbacks hold from start to end.
type Lock struct {
	Name  string
	Line  int
	Plain bool // without priority inheritance
}

// A Chain is a path of data whose end-to-end times matter.
type Chain struct {
	Name        string
	Line        int
	Path        []string      // a sensor or NODE/CALLBACK first, then NODE/CALLBACK
	MaxReaction time.Duration // promised; 0 is nothing
	MaxAge      time.Duration // of the data at the end of its last callback, promised; 0 is nothing
}
