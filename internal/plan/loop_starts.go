package plan

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A Start is one run of a loop's callback. Release and Start are on the loop's
// clock, whose 0 is the start of the run; the rest is on the monotonic clock but
// for the lateness, which is Start less Release.
type Start struct {
	Number         uint64
	Release, Start clock.Sim
	Exec           time.Duration
	Interval       time.Duration // since the start before; 0 for the first
	Injected       bool
	Missed         bool
	Skipped        int64 // releases after it that are skipped

	class latenessClass
}

// Lateness returns how late the callback started.
func (s *Start) Lateness() time.Duration { return s.Start.Sub(s.Release) }

// Response returns the time from the release to the end, as the figures have it:
// the lateness and the execution, each on its clock.
func (s *Start) Response() time.Duration { return s.Lateness() + s.Exec }

func (n *loopSeen) newStart(c *cycle) Start {
	held := &n.setup.Held
	s := Start{
		Number: c.number, Release: c.release, Start: n.clock.onLoop(c.start), Exec: c.exec,
		Injected: c.injected, Skipped: c.skipped,
	}
	if c.number > 1 {
		s.Interval = n.clock.onAxis(c.start).Sub(n.lastAt)
	}
	s.Missed = s.Response() > held.Deadline
	s.class = lateness(s.Lateness(), held.Period)
	return s
}

// WriteStarts writes the first starts as a table, exact to the nanosecond.
func (l *Loop) WriteStarts(w io.Writer) error {
	on := "on the steady clock"
	if l.Report.Loops[0].TimerClock == "ros" {
		on = "(release, start and late in ROS time, the rest on the monotonic clock)"
	}
	if _, err := fmt.Fprintf(w, "\nthe first starts, in ms %s\n", on); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "callback\trelease\tstart\tlate\texecution\tresponse\tinterval\t")
	for i := range l.Starts {
		s := &l.Starts[i]
		interval := "-"
		if s.Number > 1 {
			interval = millis(int64(s.Interval))
		}
		// The last cell ends no column, so that it stands to the left.
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.Number, millis(int64(s.Release)), millis(int64(s.Start)),
			millis(int64(s.Lateness())), millis(int64(s.Exec)), millis(int64(s.Response())), interval, s.note())
	}
	return t.Flush()
}

// note says in words what is to be said of a start.
func (s *Start) note() string {
	var notes []string
	add := func(is bool, words string) {
		if is {
			notes = append(notes, words)
		}
	}
	add(s.Injected, "injected")
	add(s.class == late, "late")
	add(s.class == tooLate, "too late")
	add(s.Missed, "missed")
	add(s.Skipped > 0, fmt.Sprintf("%d skipped after", s.Skipped))
	if len(notes) == 0 {
		return ""
	}
	return "  " + strings.Join(notes, ", ")
}

// millis writes nanoseconds as milliseconds, exactly: 10, 3.327106.
func millis(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	return sign + trim(fmt.Sprintf("%d.%06d", ns/1e6, ns%1e6))
}
