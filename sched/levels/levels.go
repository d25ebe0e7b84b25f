// Package levels derives the levels of an executor from what is known of its
// callback groups, gives them kernel priorities from an address plan, and says
// who enforces their budgets.
//
// A level is one thread, and only levels preempt each other: within one, a
// response takes at least the callback's own time and that of the longest
// other callback that may be running. So each distinct rank of urgency becomes
// a level of its own, as far as there are levels. Ranks come from timing facts;
// where there are none, none is invented. The rules follow the public
// description of nano-ros's real-time execution model and its design records on
// priorities, which are allocated and not authored; where those are silent, the
// rule and its reason stand beside the code.
//
// Everything is decided in declaration order, so that the same input gives the
// same output, and everything that is decided says why in words.
package levels

import "time"

// DefaultMaxLevels is how many levels there may be unless told otherwise.
const DefaultMaxLevels = 8

// A Group is a callback group, or a node that has no groups of its own.
type Group struct {
	Name      string // unique
	Callbacks []Callback
}

// A Callback is what is known of one callback. A duration of 0 is not known.
type Callback struct {
	Name     string        // unique among all groups, as chains name it
	Period   time.Duration // of its timer, or promised
	Deadline time.Duration // relative to the release
	Cost     time.Duration // the worst execution time
}

// A Chain is a path of data with one triggering rate, that of its source.
type Chain struct {
	Name      string
	Source    string        // what starts it, such as a sensor
	Period    time.Duration // of the source; 0 is not known
	Callbacks []string      // from the source to the sink
}

// A Pin is a level that was authored: which groups are on it, and perhaps its
// priority. It is checked, and it is not moved.
type Pin struct {
	Name     string
	Groups   []string // at least one
	Priority int      // 0 takes one from the pool, by rank
	Above    string   // the reserved band which the priority may lie in or outrank, said on purpose
}

// An Order is the rule by which one group is more urgent than another.
type Order int

// The orders. Each is optimal only for independent work with preemption
// everywhere; within a level there is none, so that the result is to be tested.
const (
	RateMonotonic     Order = iota // the shorter period
	DeadlineMonotonic              // the shorter deadline; a period stands in where there is none
	ChainAware                     // the earlier chain, and in a chain what is nearer to its sink; then the shorter period
)

// Options say how levels are derived. The zero value works but for Plan.
type Options struct {
	Order     Order
	MaxLevels int  // pins included; 0 is DefaultMaxLevels
	Strict    bool // more ranks than levels is an error instead of a merge
	Chains    []Chain
	Pins      []Pin
	Plan      Plan
}

// A Result is the levels and what is to be said of them.
type Result struct {
	Levels  []Level // the most urgent first; the last is the boot level
	Remarks []Remark
}

// A Level is one thread.
type Level struct {
	Name     string
	Members  []Member // by declaration
	Pinned   bool
	Boot     bool          // runs on the main thread and owns the session; the others are spawned
	Period   time.Duration // the fastest of its groups'; 0 if none is known
	Ordinary bool          // at the kernel's ordinary policy, without a priority
	Priority int           // of the kernel
	Why      string        // this is a level
	Chosen   string        // why it has this priority
}

// A Member is a group on a level.
type Member struct {
	Group    string
	Period   time.Duration // of its fastest callback; 0 if none is known
	Merged   bool          // its rank has no level of its own
	Why      string        // it has its rank
	Blocking Blocking
}

// A Remark is something that a reader of the levels must know.
type Remark struct {
	Warning bool
	Subject string // a group or a level
	Text    string
	Remedy  string // may be ""
}
