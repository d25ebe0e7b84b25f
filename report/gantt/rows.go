package gantt

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/takt-rt/takt/timeline"
)

func number(n int64) string { return strconv.FormatInt(n, 10) }

// order sorts spans: by lane, callback, then time.
func order(a, b Span) int {
	return cmp.Or(
		cmp.Compare(a.Lane.Callback, b.Lane.Callback), cmp.Compare(a.Lane.Thread, b.Lane.Thread),
		cmp.Compare(a.Callback, b.Callback), cmp.Compare(a.From, b.From), cmp.Compare(a.Job, b.Job), cmp.Compare(a.State, b.State),
	)
}

// A row is the spans of one callback on one lane, or of one CPU.
type row struct {
	lane  string // the heading above it; the rows of a lane follow each other
	name  string
	spans []Span
}

// rows returns the callbacks by thread, and then, where it is known, what ran
// on each CPU.
func (c *Chart) rows() (rows []row) {
	spans := slices.Clone(c.spans)
	slices.SortStableFunc(spans, order)
	for i := 0; i < len(spans); {
		s, n := spans[i], i
		for n < len(spans) && spans[n].Lane == s.Lane && spans[n].Callback == s.Callback {
			n++
		}
		rows = append(rows, row{c.tracker.name(s.Lane), c.tracker.callback(s.Callback), spans[i:n]})
		i = n
	}
	return append(rows, cpus(spans)...)
}

func cpus(spans []Span) (rows []row) {
	on := map[int16][]Span{}
	for _, s := range spans {
		if s.State == Runs && s.OnCPU {
			on[s.CPU] = append(on[s.CPU], s)
		}
	}
	var numbers []int16
	for cpu := range on {
		numbers = append(numbers, cpu)
	}
	slices.Sort(numbers)
	for _, cpu := range numbers {
		rows = append(rows, row{"CPUs", "CPU " + number(int64(cpu)), on[cpu]})
	}
	return rows
}

// drawn returns the window that is drawn: what was asked for, no further than
// what happened.
func (c *Chart) drawn() (from, to timeline.Instant) {
	from, to = c.window()
	return from, min(to, max(c.last, from))
}
