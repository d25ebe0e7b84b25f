package replay

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// Text writes a result for people. Instants are on the trace's axis.
func Text(w io.Writer, res *Result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %s came as the machines run them, %d not replayed; slack %s\n",
		res.Path, res.Equal, quantity.Count(res.Jobs, "callback"), res.Left, length(res.SlackNS))
	for _, x := range res.Executors {
		fmt.Fprintf(&b, "\n%s, by the rule of a %s\n", strings.Join(x.Threads, ", "), x.Rule)
		fmt.Fprintf(&b, "  equal %d of %d, %d of all with another callback ready\n", x.Equal, x.Jobs, x.Choices)
		fmt.Fprintf(&b, "  assumed: arrival up to %s after publication, start up to %s after it could\n", length(x.LatestArrivalNS), length(x.LatestStartNS))
		for _, reason := range slices.Sorted(maps.Keys(x.Reasons)) {
			fmt.Fprintf(&b, "  %s: %d\n", reason, x.Reasons[reason])
		}
		for _, d := range x.Disagreements {
			fmt.Fprintf(&b, "    %s\n", d)
		}
	}
	for _, f := range res.Findings {
		fmt.Fprintf(&b, "\n%s\n", f.Text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String tells a disagreement in one line.
func (d Disagreement) String() string {
	s := fmt.Sprintf("%.6f s  %s: %s ran", float64(d.AtNS)/1e9, d.Reason, d.Ran)
	switch {
	case d.Reason == Late:
		return s + ", " + length(d.ByNS) + " after it could"
	case d.Instead == "":
		return s + ", where the machine runs nothing"
	}
	return s + ", where the machine runs " + d.Instead
}

func length(ns int64) string { return model.FormatDuration(time.Duration(ns)) }
