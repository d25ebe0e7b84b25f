package sim

import (
	"flag"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var tickSystems = flag.Uint64("tick.systems", 10_000, "random systems on which both simulators have to agree")

// The product and the second simulator agree on random systems of all kinds:
// on every job, in order, and on all that is counted.
func TestTickSimAgrees(t *testing.T) {
	for seed := range *tickSystems {
		s := randomSystem(seed)
		if refused := s.refused(t); refused != nil {
			t.Fatalf("system %d is refused: %v\n%s", seed, refused, s.text(t))
		}
		if s.differs(t) {
			small := s.shrunk(func(s *scenarioSystem) bool { return s.refused(t) == nil && s.differs(t) })
			want, got := small.both(t)
			t.Fatalf("system %d, made small:\n%s\nsecond simulator (-), product (+):\n%s", seed, small.text(t), cmp.Diff(want, got, cmpopts.IgnoreUnexported(firstJob{})))
		}
	}
}

func (s *scenarioSystem) refused(t *testing.T) error {
	system := s.build(t)
	_, err := New(system, newRecorder(s, system))
	return err
}

func (s *scenarioSystem) differs(t *testing.T) bool {
	want, got := s.both(t)
	return !reflect.DeepEqual(want, got)
}

// both returns what the second simulator finds, and what the product does.
func (s *scenarioSystem) both(t *testing.T) (want, got expected) {
	tick := newTickSim(s)
	tick.run()
	want = tick.figures()
	got = s.run(t)
	got.Sequence = "" // all jobs are compared
	return want, got
}
