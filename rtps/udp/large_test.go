package udp

import (
	"bytes"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

func TestSamplesOf4MBAreReliable(t *testing.T) {
	exchange(t, join(t, local()), join(t, local()), reliable(qos.KeepAll()), 4_000_000, 5)
}

// A sample of 4 MB is some 300 datagrams. Without repair one lost costs all of
// it, so not every sample need come; but each that does is whole and in its
// turn, and if one does not, the socket's own count says why.
func TestSamplesOf4MBAreWholeWithoutRepair(t *testing.T) {
	const length, count = 4_000_000, 5
	a, b := join(t, local()), join(t, local())
	e := endpoint(t.Name(), qos.Policies{History: qos.KeepLast(1)})
	w := writer(t, a, e)
	got := make(chan []byte, count)
	r := reader(t, b, e, func(s *rtps.Sample) { got <- bytes.Clone(s.Data.Payload) })
	connected(t, w, r)
	came, next := 0, 0
	for i := range count {
		if err := w.Write(within(t), sample(byte(i), length)); err != nil {
			t.Fatal(err)
		}
		select {
		case payload := <-got:
			for next <= i && !bytes.Equal(payload, sample(byte(next), length)) {
				next++
			}
			if next > i {
				t.Fatalf("after sample %d came one that was not sent, or again", i)
			}
			next++
			came++
		case <-time.After(time.Second): // lost
		}
	}
	if came < count {
		eventually(t, "dropped datagrams are counted", func() bool { return b.Traffic().Dropped > 0 })
	}
}
