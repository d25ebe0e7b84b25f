package udp

import (
	"context"
	"fmt"
	"testing"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

// TestNoAllocationPerSampleOnSockets: not in writing, sending, receiving and
// handing on, nor in the answers of the reader.
func TestNoAllocationPerSampleOnSockets(t *testing.T) {
	a, b := join(t, local()), join(t, local())
	for _, q := range []qos.Policies{{History: qos.KeepLast(10)}, reliable(qos.KeepAll())} {
		for _, length := range []int{100, 5000, 100_000} {
			t.Run(fmt.Sprintf("%v/%d", q.Reliability, length), func(t *testing.T) {
				e := endpoint(t.Name(), q)
				w := writer(t, a, e)
				defer w.Close()
				came := make(chan struct{}, 1)
				r := reader(t, b, e, func(*rtps.Sample) { came <- struct{}{} })
				defer r.Close()
				connected(t, w, r)
				payload := sample(1, length)
				exchange := func() {
					if err := w.Write(context.Background(), payload); err != nil {
						t.Fatal(err)
					}
					<-came
				}
				least := 1.0
				for range 5 { // discovery and the garbage collector may take part in one run
					least = min(least, testing.AllocsPerRun(1000, exchange))
				}
				if least > 0 {
					t.Errorf("%v allocations for each sample", least)
				}
			})
		}
	}
}
