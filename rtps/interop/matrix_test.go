package interop

import (
	"fmt"
	"testing"
)

// vendors are the implementations that publish and subscribe, each in a
// program of its name.
var vendors = []string{"cyclone", "fastdds"}

// A scenario is what one publisher and one subscriber go through.
type scenario struct {
	name string
	run  func(t *testing.T, pub, sub string)
}

func TestMatrix(t *testing.T) {
	programs(t)
	for _, s := range scenarios() {
		for _, pub := range vendors {
			for _, sub := range vendors {
				t.Run(fmt.Sprintf("%s/%s-%s", s.name, pub, sub), func(t *testing.T) {
					s.run(t, pub, sub)
				})
			}
		}
	}
}
