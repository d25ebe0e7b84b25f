package analysis

// A Thread is what one thread that callbacks ran on did.
type Thread struct {
	Name      string  `json:"name"`
	Callbacks uint64  `json:"callbacks"` // jobs that ended
	RateHz    float64 `json:"rate_hz"`   // of those, over the span of the timeline
	// BusyS is the time within callbacks on the axis, what ran within another
	// counting once; Utilisation is its share of the span, 0 to 1.
	BusyS       float64 `json:"busy_s"`
	Utilisation float64 `json:"utilisation"`
	// CPUS is the CPU time used within callbacks; absent unless it is known of all.
	CPUS           *float64 `json:"cpu_s,omitempty"`
	CPUUtilisation *float64 `json:"cpu_utilisation,omitempty"`
	// LongestBusyS is the longest stretch of callbacks with no pause over 100 µs between two.
	LongestBusyS   float64 `json:"longest_busy_s"`
	LongestBusyAtS float64 `json:"longest_busy_at_s"` // its start
}

// A Callback is what the jobs of one callback came to, of whatever kind it is:
// all of them, the first one too.
type Callback struct {
	Name   string `json:"name"`
	Thread string `json:"thread,omitempty"` // absent if unknown, or if its jobs ran on several
	Jobs   uint64 `json:"jobs"`             // started
	// BusyS is the time from start to end on the axis; Utilisation its share
	// of the timeline's span, ThreadShare that of its thread's busy time.
	BusyS       float64  `json:"busy_s"`
	Utilisation float64  `json:"utilisation"`
	ThreadShare *float64 `json:"thread_share,omitempty"`
	ExecS       *Series  `json:"exec_s,omitempty"`     // start to end, on the axis
	CPUS        *Series  `json:"cpu_s,omitempty"`      // CPU time of a job
	ResponseS   *Series  `json:"response_s,omitempty"` // release to end, where the release is known
	// FrameAgeS is from the publication of the sample that a job was started
	// for to the job's start, ResultLatencyS to its end.
	FrameAgeS      *Series `json:"frame_age_s,omitempty"`
	ResultLatencyS *Series `json:"result_latency_s,omitempty"`
}

// A Chain is a way that causes took, from a source to the callback at its end.
// An output is the end of that callback's job.
//
// The source value is read when the first callback starts; if that is called
// with a sample, whose publisher is not traced or not in a chain asked for by
// name, when the sample was published.
type Chain struct {
	Name      string   `json:"name,omitempty"` // if it was asked for by one
	Callbacks []string `json:"callbacks"`      // from the source on
	Outputs   uint64   `json:"outputs"`
	// ReactionS is from an input change just missed by a read of the source to
	// the first output that reflects it: one value for each output that goes
	// back to a newer read, from the read that the output before goes back to.
	ReactionS *Series `json:"reaction_s,omitempty"`
	// ReducedAgeS is from the read of the source value to the output based on
	// it, OverwriteAgeS until that output is replaced by the next.
	ReducedAgeS   *Series `json:"reduced_age_s,omitempty"`
	OverwriteAgeS *Series `json:"overwrite_age_s,omitempty"`
}
