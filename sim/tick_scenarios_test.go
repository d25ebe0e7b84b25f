package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The second simulator is itself checked against the scenario files, where a
// tick is coarse enough for it: the times of most systems have a common
// divisor, and a run in that unit gives the same jobs.
func TestTickSimGivesTheScenarios(t *testing.T) {
	const most = 100_000 // ticks of one run
	checked := 0
	for _, f := range scenarios(t, "*.json") {
		for _, c := range f.Cases {
			unit := c.System.commonDivisor()
			if int64(c.System.Duration)/unit > most {
				continue
			}
			checked++
			t.Run(f.Scenario+"/"+c.Name, func(t *testing.T) {
				s := newTickSim(c.System.divided(unit))
				s.run()
				got := s.figures()
				got.multiply(unit)
				got.Sequence = (&recorder{jobs: got.FirstJobs}).sequence()
				got.FirstJobs = got.FirstJobs[:min(len(got.FirstJobs), len(c.Expected.FirstJobs))]
				if diff := cmp.Diff(c.Expected, got, cmpopts.IgnoreUnexported(firstJob{})); diff != "" {
					t.Errorf("expected (-), got (+):\n%s", diff)
				}
			})
		}
	}
	if checked < 165 {
		t.Errorf("checked with %d systems", checked)
	}
}
