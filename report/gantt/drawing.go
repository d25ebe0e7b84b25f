package gantt

import (
	"fmt"

	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// Drawing returns the chart for a page, and a caption for it.
func (c *Chart) Drawing() (*page.Lanes, string) {
	from, to := c.drawn()
	d := &page.Lanes{Name: "Who runs when", From: c.seconds(from), To: c.seconds(to)}
	for _, r := range c.rows() {
		l := page.Lane{Group: r.lane, Name: r.name}
		for _, s := range r.spans {
			l.Spans = append(l.Spans, page.Span{From: c.seconds(s.From), To: c.seconds(s.To), State: drawn[s.State]})
		}
		d.Lanes = append(d.Lanes, l)
	}
	caption := "a bar is a callback that runs, a line at the bottom one that waits from its release to its start, dashes one that is off its CPU; seconds from the beginning"
	if _, left := c.Spans(); left > 0 {
		caption += fmt.Sprintf("; %s more than are drawn", quantity.Count(left, "span"))
	}
	return d, caption
}

// seconds returns an instant from the first event.
func (c *Chart) seconds(t timeline.Instant) float64 { return t.Sub(c.first).Seconds() }

var drawn = [...]page.State{Waits: page.Waiting, Runs: page.Running, Off: page.OffCPU}
