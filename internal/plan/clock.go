package plan

import "github.com/takt-rt/takt/timeline"

// ClockSchema names the JSON form of Clock.
const ClockSchema = "takt.plan.clock/1"

// Clock is the answer of takt plan clock: how far a node's "now" is behind the
// true simulated time, and what helps. The keys are stable;
// docs/plan-clock.schema.json describes them. Errors are in simulated seconds,
// /clock rates in ticks per second of wall time. What cannot be computed from
// what was given is absent.
type Clock struct {
	Schema string     `json:"schema"`
	Given  ClockGiven `json:"given"`

	LatencyTerm   *float64 `json:"latency_term_s,omitempty"`
	TickTerm      *float64 `json:"tick_term_s,omitempty"`
	Total         *float64 `json:"total_s,omitempty"`
	MeanError     *float64 `json:"mean_error_s,omitempty"`
	Position      *float64 `json:"position_m,omitempty"` // of the latency term
	PositionTick  *float64 `json:"position_tick_m,omitempty"`
	PositionTotal *float64 `json:"position_total_m,omitempty"`

	Dominant  string   `json:"dominant,omitempty"`     // tick, latency or equal
	Crossover *float64 `json:"crossover_hz,omitempty"` // the rate at which both terms are equal
	Advice    string   `json:"advice,omitempty"`       // the term to attack first

	// What keeps within the tolerance, if there is one.
	WithinTolerance     *bool    `json:"within_tolerance,omitempty"` // the total, or the one term that is known exceeds it
	MaxRTF              *float64 `json:"max_rtf,omitempty"`
	MaxRTFLatencyOnly   *float64 `json:"max_rtf_latency_only,omitempty"` // with ticks without end
	MaxRTFTickOnly      *float64 `json:"max_rtf_tick_only,omitempty"`    // with no latency
	ClockRateNeeded     *float64 `json:"clock_rate_needed_hz,omitempty"` // absent if no rate suffices
	ClockRateNeededTick *float64 `json:"clock_rate_needed_tick_only_hz,omitempty"`
	ClockStepNeeded     *float64 `json:"clock_step_needed_s,omitempty"` // the same as a step, for ticks in simulated time

	Timer    *ClockTimer        `json:"timer,omitempty"`
	Ask      *ClockAsk          `json:"ask,omitempty"`
	Table    []ClockRow         `json:"table"`
	Findings []timeline.Finding `json:"findings,omitempty"`
}

// ClockGiven repeats what the plan was made for, defaults filled in.
type ClockGiven struct {
	RTF       float64  `json:"rtf"`
	Latency   *float64 `json:"latency_s,omitempty"` // wall time
	Source    string   `json:"source,omitempty"`
	Basis     string   `json:"clock_basis"`                 // wall or sim: the time in which ticks come at a constant interval
	ClockRate *float64 `json:"clock_rate_hz,omitempty"`     // ticks per wall second
	RateSim   *float64 `json:"clock_rate_sim_hz,omitempty"` // ticks per simulated second, on the basis of simulated time
	Step      *float64 `json:"clock_step_s,omitempty"`      // the same as simulated time from tick to tick
	Default   bool     `json:"clock_rate_is_default"`       // the rate or step is the source's default
	Speed     *float64 `json:"speed_mps,omitempty"`
	Tolerance *float64 `json:"tolerance_s,omitempty"`
}

// A ClockTimer says what becomes of a timer on simulated time, which runs at a
// tick only.
type ClockTimer struct {
	Rate          float64 `json:"rate_hz"` // releases per simulated second
	PerSimSecond  float64 `json:"firings_per_sim_second"`
	PerWallSecond float64 `json:"firings_per_wall_second"`
	Skipped       float64 `json:"skipped_share"` // of the releases
	LateBelow     float64 `json:"late_below_s"`  // simulated time from a release to the tick that serves it
	Rule          string  `json:"rule"`
}

// A ClockAsk says what readings of "now" at a constant rate show.
type ClockAsk struct {
	Rate            float64 `json:"rate_hz"` // readings per wall second
	PerSimSecond    float64 `json:"per_sim_second"`
	ReadingsPerTick float64 `json:"readings_per_tick"`
	EqualShare      float64 `json:"equal_share"` // of the differences between readings that are zero
}

// A ClockRow is what another /clock rate would give. The last one is the limit
// that no rate reaches.
type ClockRow struct {
	Rate            *float64 `json:"clock_rate_hz,omitempty"`     // ticks per wall second; absent at the limit
	RateSim         *float64 `json:"clock_rate_sim_hz,omitempty"` // ticks per simulated second, on the basis of simulated time
	Given           bool     `json:"given,omitempty"`
	Needed          bool     `json:"needed,omitempty"` // the lowest rate that keeps within the tolerance
	Limit           bool     `json:"limit,omitempty"`
	TickTerm        float64  `json:"tick_term_s"`
	Total           *float64 `json:"total_s,omitempty"`
	MeanError       *float64 `json:"mean_error_s,omitempty"`
	WithinTolerance *bool    `json:"within_tolerance,omitempty"`
	MaxRTF          *float64 `json:"max_rtf,omitempty"`
}
