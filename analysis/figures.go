package analysis

// Figures are all that an analysis says of one timeline. Keys carry units; a
// field that is absent from the JSON is unknown, never zero. Instants "at_s"
// are seconds after StartNS on the timeline's axis.
type Figures struct {
	Axis     string  `json:"axis"` // the clock of the axis: wall, mono, sim
	StartNS  int64   `json:"start_ns"`
	EndNS    int64   `json:"end_ns"`
	SpanS    float64 `json:"span_s"`
	Messages uint64  `json:"messages"`
	Clock    *Clock  `json:"clock,omitempty"`
	// Simulator is what the simulator reported of itself.
	Simulator *Simulator `json:"simulator,omitempty"`
	Topics    []*Topic   `json:"topics"`
	Loops     []*Loop    `json:"loops,omitempty"` // by name
	// Threads and Callbacks are told where the source knows more callbacks than
	// loops, or their threads; the busiest come first. Chains are the named ones,
	// then those that were found, the most frequent first.
	Threads   []*Thread   `json:"threads,omitempty"`
	Callbacks []*Callback `json:"callbacks,omitempty"`
	Chains    []*Chain    `json:"chains,omitempty"`
}

// A Series is the summary of a series of values, in the unit of the key it
// stands under. Stddev is the population's (divisor n); quantiles interpolate
// linearly at rank (n-1)q.
type Series struct {
	Count  uint64  `json:"count"`
	Mean   float64 `json:"mean"`
	Stddev float64 `json:"stddev"`
	Min    float64 `json:"min"`
	P50    float64 `json:"p50"`
	P95    float64 `json:"p95"`
	P99    float64 `json:"p99"`
	Max    float64 `json:"max"`
	MinAtS float64 `json:"min_at_s"` // of an interval: where it starts
	MaxAtS float64 `json:"max_at_s"`
	// Distribution-free 95 % confidence intervals of the quantiles, from order statistics.
	P50CI [2]float64 `json:"p50_ci"`
	P99CI [2]float64 `json:"p99_ci"`
	// QuantileError is the relative error of the quantiles; absent if they are exact.
	QuantileError float64 `json:"quantile_error,omitempty"`
}

// A Topic is what was seen of one topic, or of one transform within a tf topic.
type Topic struct {
	Name  string `json:"name"`
	Type  string `json:"type,omitempty"`
	Count uint64 `json:"count"`
	Bytes uint64 `json:"bytes,omitempty"`
	// SizeBytes is of the messages whose size is known, BytesPerS their mean at RateHz.
	SizeBytes *Size    `json:"size_bytes,omitempty"`
	BytesPerS *float64 `json:"bytes_per_s,omitempty"`

	// Offered QoS as noted by the recorder.
	Publishers     int  `json:"publishers,omitempty"`
	TransientLocal bool `json:"transient_local,omitempty"`

	// Writers and Readers are those that the graph tells of, by node; Mismatches
	// why some of them never connect, at most a hundred.
	Writers    []*Writer  `json:"writers,omitempty"`
	Readers    []*Reader  `json:"readers,omitempty"`
	Mismatches []Mismatch `json:"mismatches,omitempty"`
	// Losses are those of the application's readers, a sample counting once for
	// each, and those said of the topic as a whole; OwnLosses those of takt's own
	// readers, which the application need not have had. Absent is unknown.
	Losses    *Losses `json:"losses,omitempty"`
	OwnLosses *Losses `json:"own_losses,omitempty"`

	FirstNS *int64   `json:"first_ns,omitempty"`
	LastNS  *int64   `json:"last_ns,omitempty"`
	SpanS   *float64 `json:"span_s,omitempty"`
	// RateHz is (count-1)/(last-first) over receive times.
	RateHz *float64 `json:"rate_hz,omitempty"`
	// RateSimHz is the same in simulated time: over the stamps if they are simulated, else over the /clock value at arrival.
	RateSimHz *float64 `json:"rate_sim_hz,omitempty"`
	// RateLastHz is the rate over the last RateLastWindowS of the timeline.
	RateLastHz      *float64 `json:"rate_last_hz,omitempty"`
	RateLastWindowS *float64 `json:"rate_last_window_s,omitempty"`
	// StartSilenceS and EndSilenceS are the silences between the timeline's ends and the topic's first and last message.
	StartSilenceS *float64 `json:"start_silence_s,omitempty"`
	EndSilenceS   *float64 `json:"end_silence_s,omitempty"`

	IntervalS        *Series `json:"interval_s,omitempty"`
	IntervalSimS     *Series `json:"interval_sim_s,omitempty"`     // by the last /clock value at arrival
	StampIntervalS   *Series `json:"stamp_interval_s,omitempty"`   // between header stamps that are not zero
	PublishIntervalS *Series `json:"publish_interval_s,omitempty"` // between publish times where recorded apart from receive times
	PathS            *Series `json:"path_s,omitempty"`             // receive time minus publish time

	AgeS *Age `json:"age_s,omitempty"`
	// OverInterval and OverAge count what exceeded the limits given in Options.
	OverInterval *Over `json:"over_interval,omitempty"`
	OverAge      *Over `json:"over_age,omitempty"`
	// BehindS is how far the newest stamp was behind its clock, just before the next message.
	BehindS *Extreme `json:"behind_s,omitempty"`

	Stamps *Stamps `json:"stamps,omitempty"`
	Gaps   *Gaps   `json:"gaps,omitempty"`
	Bursts *Bursts `json:"bursts,omitempty"`
	// Periodic is set if the middle half of the intervals lies within a quarter of the median.
	Periodic   bool     `json:"periodic"`
	Late       *Late    `json:"late,omitempty"`
	Service    *Service `json:"service,omitempty"`
	Transforms []*Topic `json:"transforms,omitempty"`
	// OutOfOrder counts messages that stood in the source after a later one.
	OutOfOrder uint64 `json:"out_of_order,omitempty"`
	// Unreadable counts intervals left out because part of the source between their ends could not be read.
	Unreadable uint64 `json:"unreadable_intervals,omitempty"`
}

// A Size is that of serialized messages, in bytes.
type Size struct {
	Mean float64 `json:"mean"`
	Max  uint64  `json:"max"`
}

// An Extreme is a largest value and when it was reached.
type Extreme struct {
	Max    float64 `json:"max"`
	MaxAtS float64 `json:"max_at_s"`
}

// An Over counts the values that exceeded a limit.
type Over struct {
	LimitS   float64 `json:"limit_s"`
	Of       uint64  `json:"of"` // how many values there were
	Count    uint64  `json:"count"`
	FirstAtS float64 `json:"first_at_s"` // of the first that did; 0 if none
}

// An Age is receive time minus stamp. Clock says on which clock: "wall", or
// "sim": the last /clock value received at or before the message.
type Age struct {
	Clock    string `json:"clock"`
	Negative uint64 `json:"negative"` // ages below zero: stamps ahead of the clock they were judged by
	Series
}

// Stamps are the findings about the times that publishers wrote into their messages.
type Stamps struct {
	Source   string `json:"source"` // where they are read, such as "header.stamp"
	Nonzero  uint64 `json:"nonzero"`
	Zero     uint64 `json:"zero"`
	Equal    uint64 `json:"equal"`    // equal to the stamp before
	Backward uint64 `json:"backward"` // before the stamp before
	// Domain is the clock they were read from: "wall" (within an hour of the
	// receive time), "simulated" (within an hour of the last /clock value),
	// "not-wall" (neither: simulated or boot time, or old data), "mixed", "zero".
	Domain  string  `json:"domain"`
	Wall    uint64  `json:"wall,omitempty"`      // how many are of each domain
	Sim     uint64  `json:"simulated,omitempty"` //
	NotWall uint64  `json:"not_wall,omitempty"`  //
	SpanS   float64 `json:"span_s"`
	// SpanRatio is the span of the stamps over the span of their receive times.
	SpanRatio *float64 `json:"span_ratio,omitempty"`
	// Missing counts the messages that the stamps show to be missing: a stamp
	// interval of n nominal intervals lacks n-1.
	Missing uint64 `json:"missing,omitempty"`
}

// Gaps are intervals longer than Factor times the nominal interval.
type Gaps struct {
	Factor   float64 `json:"factor"`
	NominalS float64 `json:"nominal_s"`
	Count    uint64  `json:"count"`
	TotalS   float64 `json:"total_s"`
	Longest  []Gap   `json:"longest"` // longest first, a few
}

// A Gap is one of them.
type Gap struct {
	AtS        float64  `json:"at_s"` // its start
	LengthS    float64  `json:"length_s"`
	SimulatedS *float64 `json:"simulated_s,omitempty"` // simulated time passed in it by /clock
}

// Bursts are runs of messages closer together than a tenth of the mean interval.
type Bursts struct {
	Count       uint64  `json:"count"`
	MaxSize     uint64  `json:"max_size"`
	MeanSize    float64 `json:"mean_size"`
	MeanSpacing float64 `json:"mean_spacing_s"` // between the starts of bursts
}

// Late says whose the longest interval of a topic is.
type Late struct {
	By             string  `json:"by"`       // "publisher", "path", "both", "clock" (the simulator stood still) or "nobody"
	Evidence       string  `json:"evidence"` // "publish time", "stamp" or "/clock"
	WorstIntervalS float64 `json:"worst_interval_s"`
	// By publish time or stamp: the publisher's interval between the same two
	// messages, the spread of all its intervals, and of the path's delay.
	WorstPublisherS  *float64 `json:"worst_publisher_interval_s,omitempty"`
	PublisherStddevS *float64 `json:"publisher_stddev_s,omitempty"`
	PathStddevS      *float64 `json:"path_stddev_s,omitempty"`
}

// Service is what service introspection events tell.
type Service struct {
	Events uint64 `json:"events"`
	Calls  uint64 `json:"calls"`
	// ClientS is request sent to response received, ServerS request received to response sent.
	ClientS *Series `json:"client_s,omitempty"`
	ServerS *Series `json:"server_s,omitempty"`
}

// A Clock is what was seen of simulated time.
type Clock struct {
	Topic  string `json:"topic"`
	ReadAt string `json:"read_at"` // where: "recorder", "capture", or "observer" of a live graph
	Ticks  uint64 `json:"ticks"`
	// RTF is simulated over axis time, over all segments. It alone says nothing about deadlines.
	RTF *float64 `json:"rtf,omitempty"`
	// RTFRunning leaves out the pauses.
	RTFRunning *float64  `json:"rtf_running,omitempty"`
	SpanSimS   float64   `json:"span_sim_s"`
	SpanWallS  float64   `json:"span_wall_s"`
	FirstSimS  float64   `json:"first_sim_s"`
	LastSimS   float64   `json:"last_sim_s"`
	Windows    *Windows  `json:"windows,omitempty"`
	TickHz     *float64  `json:"tick_hz,omitempty"`    // ticks per second of the axis
	TickSimS   *float64  `json:"tick_sim_s,omitempty"` // median step of simulated time, repeats left out
	StepSimS   *Series   `json:"step_sim_s,omitempty"` // steps of simulated time between ticks
	IntervalS  *Series   `json:"interval_s,omitempty"` // between ticks, on the axis
	Segments   []Segment `json:"segments"`
	LongestGap *ClockGap `json:"longest_gap,omitempty"`
	Backward   uint64    `json:"backward"`
	Forward    uint64    `json:"forward"` // jumps forward
	Repeated   uint64    `json:"repeated"`
	Pauses     *Pauses   `json:"pauses,omitempty"`
	// Publishers is how many drive the clock: by the recorder's notes, or by values that only two could interleave.
	Publishers int `json:"publishers,omitempty"`
	// PublishersBy are the nodes that drive the clock, by the graph.
	PublishersBy []string `json:"publishers_by,omitempty"`
	// LatencyS is from a tick's being sent, by its source timestamp, to its
	// arrival at the observer: of a node's reader beside it much the same.
	LatencyS *Series     `json:"latency_s,omitempty"`
	Displays *Displays   `json:"displays,omitempty"`
	Error    *ClockError `json:"error,omitempty"`
	// FightingRTF are the real time factors of two publishers told apart by their interleaved values.
	FightingRTF []float64 `json:"fighting_rtf,omitempty"`
}

// A Simulator is what a simulator reported of itself: its own real time
// factor, sampled. It need not equal the clock's: each value is the ratio of
// one step or a few.
type Simulator struct {
	Topic string  `json:"topic"`
	RTF   *Series `json:"rtf"`
}

// Windows are real time factors over windows of the axis: each window ends at
// the first tick not before its nominal length.
type Windows struct {
	LengthS float64 `json:"length_s"`
	Count   uint64  `json:"count"`
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	MinAtS  float64 `json:"min_at_s"`
	MaxAtS  float64 `json:"max_at_s"`
	P50     float64 `json:"p50"`
	// Last is that of the last window.
	Last *float64 `json:"last,omitempty"`
	// Below and Above count the windows outside the limits given in Options.
	Below uint64 `json:"below,omitempty"`
	Above uint64 `json:"above,omitempty"`
}

// A Segment is a stretch of the clock without a jump.
type Segment struct {
	AtS       float64  `json:"at_s"`
	FirstSimS float64  `json:"first_sim_s"`
	LastSimS  float64  `json:"last_sim_s"`
	WallS     float64  `json:"wall_s"`
	Ticks     uint64   `json:"ticks"`
	RTF       *float64 `json:"rtf,omitempty"`
	// JumpS is the jump of simulated time that began the segment; absent for the first.
	JumpS *float64 `json:"jump_s,omitempty"`
}

// A ClockGap is the longest silence of the clock.
type ClockGap struct {
	AtS        float64  `json:"at_s"` // its start
	LengthS    float64  `json:"length_s"`
	SimulatedS float64  `json:"simulated_s"` // simulated time passed in it
	RTFWithout *float64 `json:"rtf_without,omitempty"`
}

// Pauses are stretches in which ticks came but simulated time stood still.
type Pauses struct {
	Count      uint64  `json:"count"`
	TotalS     float64 `json:"total_s"`
	LongestS   float64 `json:"longest_s"`
	LongestAtS float64 `json:"longest_at_s"`
}

// Displays are the figures that tools would have shown for this clock.
type Displays struct {
	// GzGUI is gz-gui's filter: simulated time less its exponential mean over real time less its exponential mean, weight 0.9, ten samples a second.
	GzGUI *Display `json:"gz_gui,omitempty"`
	// GzStats is the real_time_factor field of gz-sim's statistics: one step's ratio, sampled ten times a second.
	GzStats *Display `json:"gz_stats,omitempty"`
	// PerFrame is each step's ratio, as a per-frame display shows it.
	PerFrame *Display `json:"per_frame,omitempty"`
}

// A Display is what one display would have shown.
type Display struct {
	Count uint64  `json:"count"`
	Mean  float64 `json:"mean"` // the mean of what it shows: not the real time factor
	P50   float64 `json:"p50"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Last  float64 `json:"last"`
}

// A ClockError is how far a node's "now" is behind, in simulated seconds: for
// want of ticks, and where their latency L was measured, in all. The terms of
// the ticks leave the latency out.
type ClockError struct {
	MeanS    float64 `json:"mean_s"`  // RTF / (2 f)
	BoundS   float64 `json:"bound_s"` // RTF / f: what an undisturbed run stays under
	WorstS   float64 `json:"worst_s"` // the largest step seen
	WorstAtS float64 `json:"worst_at_s"`

	LatencyMeanS *float64 `json:"latency_mean_s,omitempty"` // RTF x L, with L the mean
	TotalMeanS   *float64 `json:"total_mean_s,omitempty"`   // RTF x (L + 1/(2 f))
	TotalBoundS  *float64 `json:"total_bound_s,omitempty"`  // RTF x (L + 1/f): what an undisturbed run stays under 99 % of the time
	// CrossoverHz is the tick rate at which both terms of the bound are equal, 1/L, as in plan clock.
	CrossoverHz *float64 `json:"crossover_hz,omitempty"`
	Knob        string   `json:"knob,omitempty"`   // what to turn: KnobRate or KnobPath
	Advice      string   `json:"advice,omitempty"` // the same in words
}

// A Loop is what is known of one periodic callback. Figures that need the
// period are absent where it is not known.
//
// Execution is taken on the monotonic clock, the start's lateness on the
// timer's own; for a timer on ROS time the response is their sum, so its
// resolution is the clock's tick.
type Loop struct {
	Name       string   `json:"name"`
	TimerClock string   `json:"timer_clock"` // "steady" or "ros"
	PeriodS    *float64 `json:"period_s,omitempty"`
	DeadlineS  *float64 `json:"deadline_s,omitempty"`
	Rule       string   `json:"rule,omitempty"` // what counts as missed and as skipped, in words
	// Anchored says that releases were not recorded: the grid was laid from the
	// first start that counts, whose lateness is 0 by that.
	Anchored bool `json:"anchored,omitempty"`

	Callbacks   uint64   `json:"callbacks"`              // that the figures are of: the first is left out unless it is to be kept
	FirstAtS    *float64 `json:"first_at_s,omitempty"`   // start of the first of them, from the start of the run
	GridPeriods *uint64  `json:"grid_periods,omitempty"` // from the first release served to the last: callbacks - 1 + skipped
	Skipped     *uint64  `json:"skipped,omitempty"`      // releases between for which no callback ran; those after the last served do not count
	Missed      *uint64  `json:"missed,omitempty"`       // callbacks whose response was over the deadline
	Violations  *uint64  `json:"violations,omitempty"`   // missed and skipped
	Injected    uint64   `json:"injected"`               // callbacks that carry a mark
	Unfinished  uint64   `json:"unfinished,omitempty"`   // started, with no end recorded
	// Resets is how often ROS time went back between two starts. For a timer on
	// ROS time the grid begins anew there, and GridPeriods is the sum over the grids.
	Resets uint64 `json:"resets,omitempty"`
	// Unreadable counts intervals left out because part of the source between
	// their ends could not be read; the grid begins anew after them.
	Unreadable uint64 `json:"unreadable_intervals,omitempty"`

	IntervalS    *Series `json:"interval_s,omitempty"`     // from start to start, monotonic
	IntervalRosS *Series `json:"interval_ros_s,omitempty"` // the same on the node's ROS time
	LatenessS    *Series `json:"lateness_s,omitempty"`     // start minus release, on the timer's clock
	ResponseS    *Series `json:"response_s,omitempty"`     // lateness plus execution
	ExecS        *Series `json:"exec_s,omitempty"`         // end minus start, monotonic
	ExecRosS     *Series `json:"exec_ros_s,omitempty"`     // the same on the node's ROS time
	// InjectedExecS and InjectedExecRosS are of the callbacks with a mark.
	InjectedExecS    *Series `json:"injected_exec_s,omitempty"`
	InjectedExecRosS *Series `json:"injected_exec_ros_s,omitempty"`

	MaxMinusDeadlineS *float64 `json:"max_minus_deadline_s,omitempty"` // longest interval minus the deadline
	// OverPeriod counts monotonic intervals longer than the period: not missed
	// deadlines. They are held against the period as it stands also for a timer
	// on ROS time, as the published experiment does, so that at a real time
	// factor below 1 most are longer. OverPeriodPlusJitter counts those longer
	// than the period and the jitter allowed.
	OverPeriod           *uint64  `json:"over_period,omitempty"`
	OverPeriodPlusJitter *uint64  `json:"over_period_plus_jitter,omitempty"`
	JitterS              *float64 `json:"jitter_s,omitempty"`
	OverBudget           *uint64  `json:"over_budget,omitempty"` // monotonic intervals longer than the budget
	BudgetS              *float64 `json:"budget_s,omitempty"`

	// RTF is ROS time passed over monotonic time passed, from the first start to
	// the last, as the callback read it; steps back are left out.
	RTF *float64 `json:"rtf,omitempty"`
	// WallPerPeriodS is the period on the monotonic clock, for a timer on ROS
	// time, and SpareS what the budget leaves of it.
	WallPerPeriodS *float64 `json:"wall_per_period_s,omitempty"`
	SpareS         *float64 `json:"spare_s,omitempty"`
}
