package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/timeline"
)

// ComparisonSchema is the schema of a Comparison's JSON.
const ComparisonSchema = "takt.comparison/1"

// A Comparison is two reports side by side.
type Comparison struct {
	Schema string `json:"schema"`
	A      Side   `json:"a"`
	B      Side   `json:"b"`
	// Remarks say why figures of the two may not be comparable.
	Remarks []string `json:"remarks"`
	// Differences are all figures that both reports have, those beyond the
	// noise first, then by relative size.
	Differences []Difference `json:"differences"`
	// Appeared and Vanished are the subjects that only b or only a has.
	Appeared []string `json:"appeared"`
	Vanished []string `json:"vanished"`
	// Findings and contracts that only one of the reports has, or that changed their result.
	FindingsAppeared []timeline.Finding `json:"findings_appeared"`
	FindingsVanished []timeline.Finding `json:"findings_vanished"`
	Contracts        []ContractChange   `json:"contracts"`
}

// A Side is one of the reports compared.
type Side struct {
	Path    string `json:"path"`
	Kind    string `json:"kind"`
	Basis   string `json:"basis"`
	Partial bool   `json:"partial"`
	Result  Result `json:"result"`
}

// A Difference is one figure in both reports.
type Difference struct {
	Subject  string   `json:"subject"` // "clock", "topic /imu", "topic /tf odom -> base_link", "loop control"
	Figure   string   `json:"figure"`  // "rate_hz", "interval_s.p99"
	A        float64  `json:"a"`
	B        float64  `json:"b"`
	Absolute float64  `json:"absolute"`           // b - a, in the figure's unit
	Relative *float64 `json:"relative,omitempty"` // of a's size; absent if a is 0
	Noise    Noise    `json:"noise"`
	// Rule is what Noise was said by: "|z| 4.49" is Welch's statistic of two
	// means, "CI" the 95 % confidence intervals of a quantile, "constant" that
	// neither run varies; else why nothing was said.
	Rule string `json:"rule"`
}

// A ContractChange is a limit whose result differs; the side without the limit has none.
type ContractChange struct {
	Subject string `json:"subject"`
	Limit   string `json:"limit"`
	A       Result `json:"a,omitempty"`
	B       Result `json:"b,omitempty"`
}

// Compare lays b beside a: what changed, what of it is more than noise, what
// appeared and what vanished. Neither report is changed.
func Compare(a, b *Report) *Comparison {
	c := &Comparison{
		Schema:           ComparisonSchema,
		A:                sideOf(a),
		B:                sideOf(b),
		Remarks:          remarks(a, b),
		FindingsAppeared: missingFrom(a.Verdict.Findings, b.Verdict.Findings),
		FindingsVanished: missingFrom(b.Verdict.Findings, a.Verdict.Findings),
		Contracts:        contractChanges(a.Verdict.Contracts, b.Verdict.Contracts),
	}
	c.compareFigures(a, b)
	slices.SortStableFunc(c.Differences, byWeight)
	normalize(c)
	return c
}

// JSON writes the comparison, indented.
func (c *Comparison) JSON(w io.Writer) error { return writeJSON(w, c) }

// count returns how many differences are of one noise.
func (c *Comparison) count(n Noise) int {
	k := 0
	for i := range c.Differences {
		if c.Differences[i].Noise == n {
			k++
		}
	}
	return k
}

// othersChanged reports whether anything but a figure appeared, vanished or changed.
func (c *Comparison) othersChanged() bool {
	return len(c.Appeared)+len(c.Vanished)+len(c.Contracts)+len(c.FindingsAppeared)+len(c.FindingsVanished) > 0
}

func sideOf(r *Report) Side {
	return Side{Path: r.Source.Path, Kind: r.Source.Kind, Basis: r.Basis, Partial: r.Source.Partial, Result: r.Verdict.Result}
}

func remarks(a, b *Report) []string {
	var list []string
	if !sameAxis(a, b) {
		list = append(list, fmt.Sprintf("a is on the %s clock, b on the %s clock: nothing is said of the noise", axisName(a.Recording.Axis), axisName(b.Recording.Axis)))
	}
	if a.Basis != b.Basis {
		list = append(list, fmt.Sprintf("a is %s, b is %s", a.Basis, b.Basis))
	}
	for _, s := range []struct {
		name    string
		partial bool
	}{{"a", a.Source.Partial}, {"b", b.Source.Partial}} {
		if s.partial {
			list = append(list, s.name+" is partial: some of what happened is missing")
		}
	}
	return list
}

func sameAxis(a, b *Report) bool { return a.Recording.Axis == b.Recording.Axis }

// byWeight orders differences: what is beyond the noise, then what nothing can
// be said of, then the noise; the larger change of size first.
func byWeight(x, y Difference) int {
	return cmp.Or(
		cmp.Compare(noiseRank(x.Noise), noiseRank(y.Noise)),
		cmp.Compare(y.size(), x.size()),
		cmp.Compare(x.Subject, y.Subject),
		cmp.Compare(x.Figure, y.Figure),
	)
}

func noiseRank(n Noise) int { return slices.Index([]Noise{Beyond, Unstated, Within}, n) }

// size is the relative change; from zero to anything counts as a doubling.
func (d *Difference) size() float64 {
	switch {
	case d.Relative != nil:
		return math.Abs(*d.Relative)
	case d.Absolute == 0:
		return 0
	}
	return 1
}

// missingFrom returns the findings of list that old does not have. A finding
// whose figures changed is the same finding; of mismatches a topic may have
// several, told apart by their words.
func missingFrom(old, list []timeline.Finding) []timeline.Finding {
	var missing []timeline.Finding
	for _, f := range list {
		same := func(o timeline.Finding) bool {
			return o.ID == f.ID && o.Subject == f.Subject && (f.ID != analysis.MismatchFinding || o.Text == f.Text)
		}
		if !slices.ContainsFunc(old, same) {
			missing = append(missing, f)
		}
	}
	return missing
}

// contractChanges aligns limits by subject and words.
func contractChanges(a, b []Contract) []ContractChange {
	var changes []ContractChange
	for _, l := range a {
		if r := resultOf(b, l); r != l.Result {
			changes = append(changes, ContractChange{l.Subject, l.Limit, l.Result, r})
		}
	}
	for _, l := range b {
		if resultOf(a, l) == "" {
			changes = append(changes, ContractChange{l.Subject, l.Limit, "", l.Result})
		}
	}
	return changes
}

func resultOf(list []Contract, of Contract) Result {
	for _, l := range list {
		if l.Subject == of.Subject && l.Limit == of.Limit {
			return l.Result
		}
	}
	return ""
}
