// Package model has the system file, takt.yaml: what is promised of a system's
// topics, periodic callbacks and clock, and how the system is built: what there
// is to run, on what. Parse reads it and refuses what it does not understand,
// with the place and the remedy; Format writes it, with comments.
//
//	takt: 1
//	clock:
//	  min_rtf: 0.95
//	topics:
//	  /imu:
//	    rate: 200Hz
//	    max_age: 20ms
//	loops:
//	  control:
//	    period: 10ms
//	    deadline: 10ms
//
// Every quantity has its unit: durations ns, us, ms, s, min or h (10ms, 1.5s),
// rates Hz or kHz (16Hz), shares per cent (5%); only real time factors are
// plain numbers. ParseDuration and its kind read them, from command lines too.
// The file's JSON Schema is docs/takt.schema.json.
package model

import "time"

// A System is what a system file says.
type System struct {
	File   string          // as given to Parse, for messages
	Clock  *ClockContract  // nil if nothing is promised of the clock
	Topics []TopicContract // in the order of the file, each name once
	Loops  []LoopContract  // in the order of the file, each name once
	Design *Design         // how it is built; nil if the file says nothing of it
}

// A Kind says what a broken promise means (design articles of ROS 2, "Introduction to Real-time Systems").
type Kind string

// The kinds. The default is Hard.
const (
	Hard Kind = "hard" // one violation fails
	Firm Kind = "firm" // what is late counts as lost: the rate must hold without it; a clock has no rate, so there as Hard
	Soft Kind = "soft" // a share of violations is allowed
)

// A TopicContract is what is promised of one topic. A zero limit promises nothing.
type TopicContract struct {
	Name string // as recorded: in ROS 2 with a leading slash, but any other is a name too
	Line int    // in the file, from 1
	Kind Kind
	// Rate is the nominal rate in Hz, judged on the mean, within RateTolerance
	// (a share above 0 and below 1; default 0.05). SimRate judges it in
	// simulated time.
	Rate, RateTolerance float64
	SimRate             bool
	MaxInterval         time.Duration // between two messages
	MaxAge              time.Duration // receive time minus stamp, on the stamps' clock
	MaxGap              time.Duration // as MaxInterval, and the silence at either end of the run too
	MaxBehind           time.Duration // of the newest stamp, at any time
	Allowed             float64       // soft only: the share, below 1, of messages that may exceed MaxInterval or MaxAge
}

// A ClockContract is what is promised of simulated time. A zero limit promises nothing.
type ClockContract struct {
	Topic                      string // default /clock
	Line                       int
	Kind                       Kind
	MinRTF, MaxRTF             float64       // over the run
	Window                     time.Duration // default 100ms
	MinWindowRTF, MaxWindowRTF float64       // in every window (soft: in all but Allowed)
	MaxTick                    time.Duration // the largest step of simulated time
	Allowed                    float64       // soft only: the share, below 1, of windows that may be outside
}

// A LoopContract is what is promised of one periodic callback. A zero limit
// promises nothing.
type LoopContract struct {
	Name string // of the callback or timer, as the source names it
	Line int    // in the file, from 1
	Kind Kind
	// Period is the timer's, on its own clock; 0 is as the source describes it.
	// OnROS says that the timer follows the node's ROS time; else it is on the
	// steady clock, unless the source says otherwise.
	Period time.Duration
	OnROS  bool
	// Deadline is from the release to the end; 0 is the period. Violations of
	// it, missed and skipped together, may be at most *Violations in the run,
	// or none if a deadline is all that is given (soft: the share Allowed of
	// the releases).
	Deadline   time.Duration
	Violations *uint64
	// MaxLateness is of the start, judged on the maximum: a duration, or a
	// share of the period, above 0 and below 1.
	MaxLateness      time.Duration
	MaxLatenessShare float64
	// Jitter is how far over the period an interval may be, on the timer's
	// clock: a duration, or a share of the period, above 0 and below 1 (soft:
	// in all but Allowed of the intervals).
	Jitter      time.Duration
	JitterShare float64
	Budget      time.Duration // of an interval, on the monotonic clock (soft: of all but Allowed)
	Allowed     float64       // soft only: the share, below 1, of releases or intervals that may be over
}
