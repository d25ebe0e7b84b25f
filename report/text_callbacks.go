package report

import (
	"fmt"
	"strings"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
)

// What is shown of threads, callbacks and chains unless everything is asked for.
const (
	shownThreads   = 4
	shownCallbacks = 8
	shownChains    = 4
)

// threads shows the busiest threads that callbacks ran on.
func (t *text) threads() {
	list, rest := shown(t.report.Threads, shownThreads, t.verbose)
	if len(list) == 0 {
		return
	}
	t.line()
	threadTable(list).print(t.printer)
	t.rest(rest, "thread")
}

// callbacks shows the busiest callbacks of every kind.
func (t *text) callbacks() {
	list, rest := shown(t.report.Callbacks, shownCallbacks, t.verbose)
	if len(list) == 0 {
		return
	}
	t.line()
	callbackTable(list).print(t.printer)
	t.rest(rest, "callback")
}

// chains shows the named chains, then the most frequent.
func (t *text) chains() {
	list, rest := shown(t.report.Chains, shownChains, t.verbose)
	for _, c := range list {
		t.line()
		t.item(0, 6, span{bold, "chain"}, chainWords(c))
		t.item(2, labelWidth, span{text: "outputs"}, fmt.Sprint(c.Outputs))
		for _, r := range chainRows(c) {
			if r.series != nil {
				t.item(2, labelWidth, span{text: r.name}, seriesWords(r.series))
			}
		}
	}
	t.rest(rest, "chain")
}

// shown returns what is shown of a list, and how many are not.
func shown[T any](list []T, most int, verbose bool) (part []T, rest int) {
	if verbose || len(list) <= most {
		return list, 0
	}
	return list[:most], len(list) - most
}

// rest tells how many are not shown.
func (t *text) rest(n int, what string) {
	if n > 0 {
		t.item(2, 2, span{faint, "-"}, fmt.Sprintf("%s more; -v shows all", quantity.Count(n, what)))
	}
}

func threadTable(list []*analysis.Thread) *table {
	b := &tableBuilder[*analysis.Thread]{rows: list}
	b.add(column{head: "thread", left: true}, func(f *analysis.Thread) string { return f.Name })
	b.add(column{head: "callbacks", spare: 1}, func(f *analysis.Thread) string { return fmt.Sprint(f.Callbacks) })
	b.add(column{head: "per s", spare: 2}, func(f *analysis.Thread) string { return compact(f.RateHz) })
	b.add(column{head: "busy %"}, func(f *analysis.Thread) string { return compact(f.Utilisation * 100) })
	b.add(column{head: "CPU %"}, func(f *analysis.Thread) string { return cell(f.CPUUtilisation, 100) })
	b.add(column{head: "longest busy ms"}, func(f *analysis.Thread) string { return compact(f.LongestBusyS * 1e3) })
	b.table.notes = make([]string, len(list))
	return &b.table
}

func callbackTable(list []*analysis.Callback) *table {
	exec := func(c *analysis.Callback) *analysis.Series { return c.ExecS }
	age := func(c *analysis.Callback) *analysis.Series { return c.FrameAgeS }
	result := func(c *analysis.Callback) *analysis.Series { return c.ResultLatencyS }
	b := &tableBuilder[*analysis.Callback]{rows: list}
	b.add(column{head: "callback", left: true}, func(c *analysis.Callback) string { return c.Name })
	b.add(column{head: "jobs", spare: 3}, func(c *analysis.Callback) string { return fmt.Sprint(c.Jobs) })
	b.add(column{head: "busy %", spare: 6}, func(c *analysis.Callback) string { return compact(c.Utilisation * 100) })
	b.figure(column{group: "execution ms", head: "mean", spare: 5}, exec, mean)
	b.figure(column{group: "execution ms", head: "p99", spare: 2}, exec, p99)
	b.figure(column{group: "execution ms", head: "max"}, exec, maximum)
	b.figure(column{group: "age ms", head: "p99", spare: 1}, age, p99)
	b.figure(column{group: "age ms", head: "max"}, age, maximum)
	b.figure(column{group: "result ms", head: "max", spare: 4}, result, maximum)
	b.table.notes = make([]string, len(list))
	return &b.table
}

// chainWords name a chain and the way it takes.
func chainWords(c *analysis.Chain) string {
	way := strings.Join(c.Callbacks, " → ")
	if c.Name != "" {
		return c.Name + ": " + way
	}
	return way
}

// chainRows are the latencies of a chain, each by the name of its definition.
func chainRows(c *analysis.Chain) []seriesRow {
	return []seriesRow{
		{"reaction time", "from an input change just missed to the first output that reflects it", c.ReactionS},
		{"reduced age", "data age, reduced: from the read of the source value to the output based on it", c.ReducedAgeS},
		{"overwrite age", "data age, overwrite: from the read of the source value until the output based on it is replaced", c.OverwriteAgeS},
	}
}
