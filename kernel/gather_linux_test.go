package kernel

import (
	"net"
	"testing"
	"time"
)

// What comes in the wait of Gather is handed on at once. The busiest machine may
// send too late for the wait, so one of several tries must show it.
func TestDatagramsGather(t *testing.T) {
	for range 10 {
		if batches := batchesOfFour(t, time.Second); len(batches) == 2 {
			return
		}
	}
	t.Error("datagrams never gather")
}

// batchesOfFour sends a datagram, three more while the first is dealt with and
// after, and returns in what numbers they were handed on.
func batchesOfFour(t *testing.T, gather time.Duration) (batches []int) {
	u := listen(t, onLoopback())
	u.Gather(gather)
	sender, err := net.Dial("udp4", u.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer sender.Close()
	send := func() {
		if _, err := sender.Write([]byte("datagram")); err != nil {
			t.Error(err)
		}
	}
	send()
	total := 0
	if err := u.Serve(func(batch []Datagram) {
		batches = append(batches, len(batch))
		if total += len(batch); total == 4 {
			u.Stop()
		}
		if len(batches) == 1 {
			go func() {
				for range 3 {
					time.Sleep(10 * time.Millisecond)
					send()
				}
			}()
		}
	}); err != nil {
		t.Error(err)
	}
	return batches
}
