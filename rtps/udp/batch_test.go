package udp

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

// several returns payloads that say their number, of 1 KiB behind the
// encapsulation header.
func several(n int) (all [][]byte) {
	for i := range n {
		all = append(all, sample(byte(i), 1024+4))
	}
	return all
}

// TestWriteAllSharesDatagrams: 13 samples of 1 KiB fit in a datagram of 14720
// bytes with their headers, so 100 take 8; discovery and heartbeats are beside.
func TestWriteAllSharesDatagrams(t *testing.T) {
	a, b := join(t, local()), join(t, local())
	for _, limit := range []int{100, 10} { // with 10 it has to wait for room
		e := endpoint(t.Name(), reliable(qos.KeepAll()))
		e.Limit = limit
		w := writer(t, a, e)
		payloads, got := several(100), make(chan bool, 100)
		next := 0
		r := reader(t, b, e, func(s *rtps.Sample) {
			got <- bytes.Equal(s.Data.Payload, payloads[next])
			next++
		})
		connected(t, w, r)
		before := a.Traffic().SentDatagrams
		if err := w.WriteAll(within(t), payloads); err != nil {
			t.Fatal(err)
		}
		if n := a.Traffic().SentDatagrams - before; limit == 100 && (n < 8 || n > 30) {
			t.Errorf("%d datagrams for 100 samples, want about 8", n)
		}
		for i := range payloads {
			select {
			case right := <-got:
				if !right {
					t.Fatalf("limit %d: sample %d is another one", limit, i)
				}
			case <-time.After(generous):
				t.Fatalf("limit %d: sample %d did not arrive within %v", limit, i, generous)
			}
		}
		w.Close()
		r.Close()
	}
}

// TestWriteAllSaysWhereItStopped: while a function blocks nothing more is
// received, so there is room again for the first four samples at most.
func TestWriteAllSaysWhereItStopped(t *testing.T) {
	a, b := join(t, local()), join(t, local())
	e := endpoint(t.Name(), reliable(qos.KeepAll()))
	e.Limit = 4
	w := writer(t, a, e)
	blocked := make(chan struct{})
	connected(t, w, reader(t, b, e, func(*rtps.Sample) { <-blocked }))
	defer close(blocked)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	err := w.WriteAll(ctx, several(10))
	if !errors.Is(err, context.DeadlineExceeded) || !(strings.Contains(err.Error(), "sample 5 of 10") || strings.Contains(err.Error(), "sample 9 of 10")) {
		t.Errorf("error %v, want that sample 5 or 9 of 10 had no room in time", err)
	}
}

func TestWriteAllAfterClose(t *testing.T) {
	a := join(t, local())
	w := writer(t, a, endpoint(t.Name(), reliable(qos.KeepLast(1))))
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteAll(within(t), several(3)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("error %v, want that it is closed", err)
	}
	if err := w.WriteAll(within(t), nil); err != nil {
		t.Errorf("writing nothing: %v", err)
	}
}
