package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/takt-rt/takt/analysis"
)

// Article writes one line of JSON for each loop, with the keys, units and
// rounding of the published experiment's script, so that the two can be laid
// side by side. What is not known is null. The script takes quantiles at the
// nearest rank: the figures should come from an analysis with that option.
//
// phase is the loop's name. A timer's own clock is the monotonic one, or ROS
// time; the script's real time factor is of the second only.
func Article(w io.Writer, loops []*analysis.Loop) error {
	for _, l := range loops {
		if _, err := fmt.Fprintln(w, articleLine(l)); err != nil {
			return err
		}
	}
	return nil
}

func articleLine(l *analysis.Loop) object {
	timerClock, interval, exec := "steady", l.IntervalS, l.InjectedExecS
	if l.TimerClock == "ros" {
		timerClock, interval, exec = "ros_time(use_sim_time)", l.IntervalRosS, l.InjectedExecRosS
	}
	o := object{
		{"phase", l.Name},
		{"timer_clock", timerClock},
		{"period_ms", millis(l.PeriodS)},
		{"callbacks", l.Callbacks},
		{"grid_periods_spanned", orNull(l.GridPeriods)},
		{"skipped_periods", orNull(l.Skipped)},
		{"injected", l.Injected},
		{"interval_wall_ms", pick(l.IntervalS, "mean", "min", "p99", "max")},
		{"max_wall_interval_at_s", longestAt(l)},
		{"interval_timer_clock_ms", pick(interval, "mean", "max")},
		{"start_lateness_ms", pick(l.LatenessS, "mean", "max")},
		{"response_ms_max", millis(largest(l.ResponseS))},
		{"deadline_ms", millis(l.DeadlineS)},
		{"deadline_misses", orNull(l.Missed)},
		{"wall_intervals_over_period", orNull(l.OverPeriod)},
		{"wall_intervals_over_period_plus_jitter", orNull(l.OverPeriodPlusJitter)},
		{"jitter_tolerance_ms", millis(l.JitterS)},
		{"max_wall_interval_minus_deadline_ms", millis(l.MaxMinusDeadlineS)},
		{"wall_intervals_over_budget", orNull(l.OverBudget)},
		{"wall_budget_ms", millis(l.BudgetS)},
		{"exec_timer_clock_ms_max_injected", millis(largest(exec))},
		{"exec_wall_ms_max_injected", millis(largest(l.InjectedExecS))},
	}
	if l.TimerClock == "ros" && l.RTF != nil {
		o = append(o, pair{"rtf_seen_by_control_node", rounded(*l.RTF, 4)})
	}
	return o
}

// longestAt is when the longest interval ended, from the first callback's start.
func longestAt(l *analysis.Loop) any {
	if l.IntervalS == nil || l.FirstAtS == nil {
		return nil
	}
	return rounded(wholeNanos(l.IntervalS.MaxAtS+l.IntervalS.Max-*l.FirstAtS), 3)
}

// pick returns figures of a series, in milliseconds.
func pick(s *analysis.Series, keys ...string) any {
	if s == nil {
		return nil
	}
	all := map[string]any{"mean": rounded(s.Mean*1e3, 3), "min": millis(&s.Min), "p99": millis(&s.P99), "max": millis(&s.Max)}
	var o object
	for _, k := range keys {
		o = append(o, pair{k, all[k]})
	}
	return o
}

func largest(s *analysis.Series) *float64 {
	if s == nil {
		return nil
	}
	return &s.Max
}

// millis is a time in s, of whole nanoseconds, in milliseconds.
func millis(s *float64) any {
	if s == nil {
		return nil
	}
	return rounded(math.Round(*s*1e9)/1e6, 3)
}

// wholeNanos takes off what a sum of times in s is beside whole nanoseconds.
func wholeNanos(s float64) float64 { return math.Round(s*1e9) / 1e9 }

func orNull(n *uint64) any {
	if n == nil {
		return nil
	}
	return *n
}

// rounded writes a number as the script does: to so many decimals, of which
// zeros at the end are left out but the first.
func rounded(x float64, decimals int) json.Number {
	text := strings.TrimRight(strconv.FormatFloat(x, 'f', decimals, 64), "0")
	if strings.HasSuffix(text, ".") {
		text += "0"
	}
	return json.Number(text)
}

// An object is JSON with its keys in order, on one line.
type object []pair

type pair struct {
	key   string
	value any // nil, a string, an integer, a json.Number or an object
}

func (o object) String() string {
	var parts []string
	for _, p := range o {
		value := "null"
		switch v := p.value.(type) {
		case nil:
		case string:
			text, _ := json.Marshal(v) // a string always can be
			value = string(text)
		default:
			value = fmt.Sprint(v)
		}
		parts = append(parts, fmt.Sprintf("%q: %s", p.key, value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
