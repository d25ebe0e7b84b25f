package rows

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A row is one run of a callback.
type row struct {
	start, end       int64 // on the monotonic clock
	startROS, endROS int64
	scheduled        int64
	callback         uint32 // index among the names, as first met
	given            columnSet
	marked           bool
}

// A columnSet has the columns that a row gives.
type columnSet uint8

func (s columnSet) has(c column) bool { return s&(1<<c) != 0 }

// read takes the row from its cells, all but the name, and checks it.
func (r *row) read(c *cells) error {
	for _, col := range []column{startMono, startROS, endMono, endROS, scheduled} {
		text := c[col]
		if len(text) == 0 {
			continue
		}
		t, err := instant(col, text)
		if err != nil {
			return err
		}
		*r.time(col) = t
		r.given |= 1 << col
	}
	var err error
	if r.marked, err = truth(c[mark]); err != nil {
		return err
	}
	return r.check()
}

// time returns where the instant of a column is.
func (r *row) time(c column) *int64 {
	switch c {
	case startMono:
		return &r.start
	case startROS:
		return &r.startROS
	case endMono:
		return &r.end
	case endROS:
		return &r.endROS
	}
	return &r.scheduled
}

// instant reads the nanoseconds of a column.
func instant(c column, text []byte) (int64, error) {
	t, err := strconv.ParseInt(string(text), 10, 64)
	switch {
	case err == nil && t >= 0:
		return t, nil
	case err == nil:
		return 0, &Error{Problem: fmt.Sprintf("%s %s is negative", c, text), Remedy: "write the clock's reading, not a difference"}
	case columnOf(text) != unknown:
		return 0, &Error{Problem: fmt.Sprintf("a second header begins where %s should be", c), Remedy: "give each run a file of its own"}
	}
	return 0, &Error{
		Problem: fmt.Sprintf("%s %s is not a whole number of nanoseconds below 2^63", c, shown(text)),
		Remedy:  "write digits only, such as 1500000000",
	}
}

// truth reads a mark.
func truth(text []byte) (bool, error) {
	switch string(text) {
	case "", "0", "false", "False":
		return false, nil
	case "1", "true", "True":
		return true, nil
	}
	return false, &Error{Problem: fmt.Sprintf("mark %s is neither true nor false", shown(text)), Remedy: "write true or false, or 1 or 0"}
}

// sinceEpoch is how long after 1970 an instant is taken to be wall time: since
// September 2001. No machine has run for that long, and no simulation.
const sinceEpoch = 1_000_000_000_000_000_000

// tooLong is how long no callback runs: what is longer was read from two clocks.
const tooLong = 24 * time.Hour

// check reports what cannot be right about a row.
func (r *row) check() error {
	if !r.given.has(startMono) || !r.given.has(endMono) {
		missing := startMono
		if r.given.has(startMono) {
			missing = endMono
		}
		return &Error{Problem: fmt.Sprintf("%s is missing", missing), Remedy: "a row needs start_mono_ns and end_mono_ns"}
	}
	if err := r.checkMono(); err != nil {
		return err
	}
	if err := r.checkROS(); err != nil {
		return err
	}
	return r.checkScheduled()
}

const readMono = "read both with time.monotonic_ns() or std::chrono::steady_clock"

func (r *row) checkMono() error {
	wallStart, wallEnd := r.start >= sinceEpoch, r.end >= sinceEpoch
	switch {
	case wallStart != wallEnd:
		return &Error{
			Problem: fmt.Sprintf("start_mono_ns %d and end_mono_ns %d are of different clocks, one of them counting since 1970", r.start, r.end),
			Remedy:  readMono,
		}
	case wallStart:
		return &Error{
			Problem: fmt.Sprintf("start_mono_ns %d and end_mono_ns count since 1970: that clock is set while it runs, so no deadline can be judged on it", r.start),
			Remedy:  readMono,
		}
	case r.end < r.start:
		return &Error{Problem: fmt.Sprintf("end_mono_ns %d is before start_mono_ns %d", r.end, r.start), Remedy: readMono}
	case r.end-r.start > int64(tooLong):
		return &Error{
			Problem: fmt.Sprintf("end_mono_ns is %.0f h after start_mono_ns: they are of different clocks, or not in nanoseconds", time.Duration(r.end-r.start).Hours()),
			Remedy:  readMono,
		}
	}
	return nil
}

// checkROS looks for two clocks. A node that follows /clock reads 0 until the
// first message, which may carry any time.
func (r *row) checkROS() error {
	if !r.given.has(startROS) || !r.given.has(endROS) || r.startROS == 0 {
		return nil
	}
	if (r.startROS >= sinceEpoch) != (r.endROS >= sinceEpoch) {
		return &Error{
			Problem: fmt.Sprintf("start_ros_ns %d and end_ros_ns %d are of different clocks, one of them counting since 1970", r.startROS, r.endROS),
			Remedy:  "read both with the node's get_clock().now()",
		}
	}
	return nil
}

// checkScheduled looks for an instant that is on none of the row's clocks.
func (r *row) checkScheduled() error {
	if !r.given.has(scheduled) || r.fromMono() <= tooLong || r.fromROS() <= tooLong {
		return nil
	}
	return &Error{
		Problem: fmt.Sprintf("scheduled_ns %d is more than a day from the start on either clock", r.scheduled),
		Remedy:  "write the timer's own expected call time, in nanoseconds, or leave the column out",
	}
}

// fromMono is how far the scheduled instant is from the start, if it is on the
// monotonic clock; fromROS, if it is ROS time.
func (r *row) fromMono() time.Duration { return clock.Sub(r.start, r.scheduled).Abs() }

func (r *row) fromROS() time.Duration {
	if !r.given.has(startROS) {
		return math.MaxInt64
	}
	return clock.Sub(r.startROS, r.scheduled).Abs()
}
