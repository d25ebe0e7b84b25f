package interop

import (
	"fmt"
	"testing"
)

// vendors are the implementations that publish and subscribe, each in a
// program of its name.
var vendors = []string{"cyclone", "fastdds", "takt"}

// A scenario is what one publisher and one subscriber go through.
type scenario struct {
	name   string
	run    func(t *testing.T, pub, sub string)
	waits  bool                       // for time to pass, more than it works
	except func(pub, sub string) bool // rows that cannot be; nil: none
}

// A row is one scenario between two vendors.
type row struct{ scenario, pub, sub string }

// rows returns those of a scenario: between two implementations, and takt with
// itself.
func (s *scenario) rows() (all []row) {
	for _, pub := range vendors {
		for _, sub := range vendors {
			if pub == sub && pub != "takt" || s.except != nil && s.except(pub, sub) {
				continue
			}
			all = append(all, row{s.name, pub, sub})
		}
	}
	return all
}

func TestMatrix(t *testing.T) {
	programs(t)
	var l ledger
	t.Cleanup(func() { // when the rows that run side by side have ended too
		if *update {
			l.write(t)
		}
	})
	for _, s := range scenarios() {
		for _, r := range s.rows() {
			t.Run(fmt.Sprintf("%s/%s-%s", s.name, r.pub, r.sub), func(t *testing.T) {
				if s.waits {
					inLane(t)
				}
				defer l.note(t, r)
				s.run(t, r.pub, r.sub)
			})
		}
	}
}
