package udp

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
)

// Samples may gather until the first comes in fragments.
func TestSamplesGatherUnlessFragmented(t *testing.T) {
	c := local()
	c.Gather = time.Millisecond
	a, b := join(t, local()), join(t, c)
	gathering := func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.gathering
	}
	exchange(t, a, b, reliable(qos.KeepAll()), 1024, 100)
	if !gathering() {
		t.Error("small samples do not gather")
	}
	exchange(t, a, b, reliable(qos.KeepAll()), 100_000, 1)
	if gathering() {
		t.Error("large samples gather")
	}
}
