package plan

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/takt-rt/takt/bounds"
)

// SnowballSchema names the JSON form of Snowball.
const SnowballSchema = "takt.plan.snowball/1"

// Snowball is the answer of takt plan snowball: where the rounds of a node
// settle that works on all that came since its last round. The keys are stable;
// docs/plan-snowball.schema.json describes them. Without convergence there is
// no fixed point, and its keys are absent.
type Snowball struct {
	Schema     string   `json:"schema"`
	A          float64  `json:"a_s"`
	B          float64  `json:"b"`
	RTF        float64  `json:"rtf"`
	FixedPoint *float64 `json:"fixed_point_s,omitempty"`               // simulated time from round to round
	Processing *float64 `json:"processing_at_fixed_point_s,omitempty"` // wall time of a round
	Converges  bool     `json:"converges"`
	RTFLimit   float64  `json:"rtf_limit"`        // rounds settle below it
	Factor     float64  `json:"factor_per_round"` // by which the distance from the fixed point shrinks or grows
}

// NewSnowball answers for a round that takes a seconds of wall time and b more
// for each simulated second since the last round. All three are above zero.
func NewSnowball(a, b, rtf *big.Rat) *Snowball {
	form := bounds.Snowball{A: a, B: b, RTF: rtf}
	s := &Snowball{
		Schema: SnowballSchema, A: ratio(a), B: ratio(b), RTF: ratio(rtf),
		RTFLimit: ratio(form.RTFLimit()), Factor: ratio(form.Factor()),
	}
	var interval, processing *big.Rat
	interval, processing, s.Converges = form.FixedPoint()
	s.FixedPoint, s.Processing = float(interval), float(processing)
	return s
}

// Text writes the answer for a person.
func (s *Snowball) Text(w io.Writer) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintln(&b, wrap(fmt.Sprintf(format, args...), 0)) }
	line("A round takes %s of wall time and %s s more for each simulated second since the last one.", short(s.A), number(s.B))
	if s.Converges {
		line("At RTF %s the rounds settle: every %s of simulated time, taking %s of wall time each.", number(s.RTF), short(*s.FixedPoint), short(*s.Processing))
		line("From round to round the distance from there shrinks to %s.", percent(s.Factor))
	} else {
		line("At RTF %s the rounds grow without limit.", number(s.RTF))
		if s.Factor > 1 {
			line("Each interval is %s times the one before and more.", number(s.Factor))
		} else {
			line("Each interval is %s of simulated time longer than the one before.", short(s.RTF*s.A))
		}
	}
	line("They settle below an RTF of %s.", number(s.RTFLimit))
	_, err := io.WriteString(w, b.String())
	return err
}
