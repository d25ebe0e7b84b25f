package report

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// A Contract is the judgement of one limit of a contract.
type Contract struct {
	Subject string     `json:"subject"` // "topic /imu", "loop control", "clock /clock"
	Limit   string     `json:"limit"`   // in words, as in the system file: "max_interval 8 ms"
	Kind    model.Kind `json:"kind"`
	Place   string     `json:"place,omitempty"` // of the contract: file and line
	// Bound and Measured are what was compared, both in Unit: "s", "Hz", or "1"
	// for a factor, a share or a number. Measured is absent if nothing was measured.
	Unit     string   `json:"unit"`
	Bound    float64  `json:"bound"`
	Measured *float64 `json:"measured,omitempty"`
	Text     string   `json:"text,omitempty"` // what was measured, in words
	Result   Result   `json:"result"`
	Why      string   `json:"why,omitempty"` // why the measurement cannot tell
}

// minSamples is how many values a figure must rest on before a limit that is
// not broken may be called held, and before a mean or a share may break one.
// It is a convention: under ten, one value moves a mean by a tenth.
const minSamples = 10

// A measurement is what was seen of one limit.
type measurement struct {
	unit     string
	bound    float64
	measured *float64
	text     string
	samples  uint64 // how many values the figure rests on
	broken   bool
	maximum  bool   // judged on the maximum, so that one value can break it
	doubt    string // why nothing can be said whatever was measured, or ""
}

// judge judges every limit that sys sets. The order is the clock's limits,
// then the topics' and the loops' as in the file.
func judge(f *analysis.Figures, partial bool, sys *model.System) []Contract {
	if sys == nil {
		return nil
	}
	j := &judgement{figures: f, partial: partial, file: sys.File, topics: map[string]*analysis.Topic{}}
	for _, t := range f.Topics {
		j.topics[t.Name] = t
	}
	if sys.Clock != nil {
		j.judgeClock(sys.Clock)
	}
	for i := range sys.Topics {
		j.judgeTopic(&sys.Topics[i])
	}
	for i := range sys.Loops {
		j.judgeLoop(&sys.Loops[i])
	}
	return j.lines
}

// A judgement is the work of judging one run.
type judgement struct {
	figures *analysis.Figures
	partial bool
	file    string
	topics  map[string]*analysis.Topic
	lines   []Contract
}

// add settles one limit. Partial says that some of what the figure rests on is missing.
func (j *judgement) add(c Contract, m measurement, partial bool) {
	c.Unit, c.Bound, c.Measured, c.Text = m.unit, m.bound, m.measured, m.text
	c.Result, c.Why = settle(m, partial)
	j.lines = append(j.lines, c)
}

// settle says what a measurement comes to. What is missing from a partial
// source can break a limit that held, but not mend a broken one.
func settle(m measurement, partial bool) (Result, string) {
	switch {
	case m.doubt != "":
		return Inconclusive, m.doubt
	case m.broken && m.maximum:
		return Fail, ""
	case m.samples < minSamples:
		return Inconclusive, fmt.Sprintf("%s measured, at least %d are needed", quantity.Count(m.samples, "value"), minSamples)
	case m.broken:
		return Fail, ""
	case partial:
		return Inconclusive, "part of the source is missing, and the limit may have been broken there"
	}
	return Pass, ""
}

// overall is the verdict on all limits: the worst of them.
func overall(lines []Contract) Result {
	if len(lines) == 0 {
		return Unjudged
	}
	worst := Pass
	for _, l := range lines {
		switch l.Result {
		case Fail:
			return Fail
		case Inconclusive:
			worst = Inconclusive
		}
	}
	return worst
}

func (j *judgement) contract(subject string, kind model.Kind, line int) Contract {
	c := Contract{Subject: subject, Kind: kind}
	if kind == "" {
		c.Kind = model.Hard
	}
	if line > 0 {
		c.Place = fmt.Sprintf("%s:%d", j.file, line)
	}
	return c
}

// exceeds reports whether a duration of v seconds is over the limit, to the
// nanosecond: figures are nanoseconds that went through a float64.
func exceeds(v float64, limit time.Duration) bool { return v-limit.Seconds() > 0.5e-9 }

// under reports whether v is below the bound by more than the rounding of their computation.
func under(v, bound float64) bool { return v < bound-1e-9*max(1, bound) }

func share(part, whole uint64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
