package udp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

func TestTwoParticipantsExchangeSamples(t *testing.T) {
	a, b := join(t, local()), join(t, local())
	for _, c := range []struct {
		name   string
		qos    qos.Policies
		length int
		count  int
	}{
		{"best effort", qos.Policies{History: qos.KeepLast(10)}, 12 + 4, 1},
		{"reliable", reliable(qos.KeepLast(10)), 12 + 4, 10},
		{"all of them", reliable(qos.KeepAll()), 1024, 3000},
	} {
		t.Run(c.name, func(t *testing.T) { exchange(t, a, b, c.qos, c.length, c.count) })
	}
}

// exchange writes samples from a to b and checks that each arrives once, in
// order and whole.
func exchange(t *testing.T, a, b *Participant, q qos.Policies, length, count int) {
	t.Helper()
	// Of its own: matched with an endpoint of the last exchange that is not yet
	// known to be gone, a writer would be connected too soon.
	e := endpoint(fmt.Sprintf("%s %v %d", t.Name(), q.Reliability, length), q)
	w := writer(t, a, e)
	defer w.Close()
	got := make(chan error, count+1)
	next := 0
	var greeted atomic.Uint64
	began := kernel.Now()
	r := reader(t, b, e, func(s *rtps.Sample) {
		var err error
		switch {
		case len(s.Data.Payload) == len(greeting):
			greeted.Add(1)
			return
		case !bytes.Equal(s.Data.Payload, sample(byte(next), length)):
			err = errors.New("the payload is another one")
		case s.Writer != w.GUID():
			err = errors.New("it is of another writer")
		case s.Arrival < began || s.Arrival > kernel.Now():
			err = errors.New("it arrived when it was not under way")
		}
		next++
		got <- err
	})
	defer r.Close()
	greet(t, w, r, func() bool { return greeted.Load() > 0 })
	for i := range count {
		if err := w.Write(within(t), sample(byte(i), length)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range count {
		select {
		case err := <-got:
			if err != nil {
				t.Fatalf("sample %d: %v", i, err)
			}
		case <-time.After(generous):
			t.Fatalf("sample %d did not arrive within %v", i, generous)
		}
	}
	if err := w.WaitAcked(within(t)); err != nil {
		t.Error(err)
	}
	if n, ok := r.Counts(w.GUID()); !ok || n.Delivered != uint64(count)+greeted.Load() {
		t.Errorf("%d samples count as delivered, want %d and %d greetings", n.Delivered, count, greeted.Load())
	}
}

func TestCloseIsNoticedByTheOther(t *testing.T) {
	var mu sync.Mutex
	seen := map[rtps.EventKind]int{}
	c := local()
	c.Event = func(e rtps.Event) {
		mu.Lock()
		defer mu.Unlock()
		seen[e.Kind]++
	}
	has := func(k rtps.EventKind) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return seen[k] > 0
		}
	}
	a, b := join(t, c), join(t, local())
	e := endpoint("closing", reliable(qos.KeepAll()))
	e.Limit = 1
	w := writer(t, a, e)
	r := reader(t, b, e, func(*rtps.Sample) {})
	connected(t, w, r)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is told that the other left", has(rtps.ParticipantLeft))
	eventually(t, "it is told that reader and writer are parted", has(rtps.Unmatched))
	if n := w.Matched(); n != 0 {
		t.Errorf("the writer still writes to %d readers", n)
	}
	if err := w.Write(within(t), sample(0, 8)); err != nil {
		t.Errorf("writing to nobody: %v", err)
	}
	if _, err := b.NewWriter(e); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a writer of a participant that has left: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

func TestAFullWriterWaitsForItsReader(t *testing.T) {
	a, b := join(t, local()), join(t, local())
	e := endpoint("full", reliable(qos.KeepAll()))
	e.Limit = 4
	w := writer(t, a, e)
	hold := make(chan struct{})
	arrived := make(chan struct{}, 64)
	r := reader(t, b, e, func(*rtps.Sample) {
		<-hold // what its documentation forbids: b receives nothing meanwhile
		arrived <- struct{}{}
	})
	connected(t, w, r)
	for i := range e.Limit {
		if err := w.Write(within(t), sample(byte(i), 64)); err != nil {
			t.Fatal(err)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.Write(ended, sample(4, 64)); !errors.Is(err, context.Canceled) {
		t.Errorf("a fifth sample of four kept, with a context that is done: %v", err)
	}
	if err := w.WaitAcked(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("acknowledgements, with a context that is done: %v", err)
	}
	close(hold)
	if err := w.Write(within(t), sample(4, 64)); err != nil {
		t.Fatal(err)
	}
	for range e.Limit + 1 {
		select {
		case <-arrived:
		case <-time.After(generous):
			t.Fatalf("not all samples arrived within %v", generous)
		}
	}
}

func TestAFunctionMayWrite(t *testing.T) {
	a, b := join(t, local()), join(t, local())
	there, back := endpoint("there", reliable(qos.KeepLast(1))), endpoint("back", reliable(qos.KeepLast(1)))
	ping, pong := writer(t, a, there), writer(t, b, back)
	answered := make(chan []byte, 1)
	echo := reader(t, b, there, func(s *rtps.Sample) {
		if err := pong.Write(context.Background(), s.Data.Payload); err != nil {
			t.Error(err)
		}
	})
	home := reader(t, a, back, func(s *rtps.Sample) { answered <- bytes.Clone(s.Data.Payload) })
	connected(t, ping, echo)
	connected(t, pong, home)
	if err := ping.Write(within(t), sample(7, 100)); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-answered:
		if !bytes.Equal(got, sample(7, 100)) {
			t.Error("the answer is not what was asked")
		}
	case <-time.After(generous):
		t.Fatalf("no answer within %v", generous)
	}
}

func TestPortsAreTakenFromTheLowestIndexOn(t *testing.T) {
	c := local()
	c.MaxIndex = 1
	zero := join(t, c)
	join(t, c)
	_, err := Join(c)
	var ports *PortsError
	if !errors.As(err, &ports) {
		t.Fatalf("a third participant of two: %v", err)
	}
	// 7400 + 250 x 43 + 10 is 18160; index 1 ends three ports later.
	if *ports != (PortsError{testDomain, 18160, 18163}) {
		t.Errorf("tried %+v, want ports 18160 to 18163", *ports)
	}
	if err := zero.Close(); err != nil {
		t.Fatal(err)
	}
	if again := join(t, c); again.sockets.index != 0 {
		t.Errorf("index %d, want the one that became free, 0", again.sockets.index)
	}
}

func TestHalfAnIndexIsNotTaken(t *testing.T) {
	other, err := kernel.ListenUDP(kernel.UDPConfig{Bind: netip.AddrPortFrom(localhost, userPort(testDomain, 0))})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if p := join(t, local()); p.sockets.index != 1 {
		t.Errorf("index %d, though a port of index 0 is taken; want 1", p.sockets.index)
	}
}

func TestTrafficIsCounted(t *testing.T) {
	c := local()
	c.NoMulticast = true // then all that a sends is for b or for ports that nobody has
	a, b := join(t, c), join(t, c)
	e := endpoint("counted", qos.Policies{History: qos.KeepLast(1)})
	w := writer(t, a, e)
	var got sync.WaitGroup
	got.Add(10)
	r := reader(t, b, e, func(*rtps.Sample) { got.Done() })
	connected(t, w, r)
	before := a.Traffic()
	for i := range 10 {
		if err := w.Write(within(t), sample(byte(i), 1000)); err != nil {
			t.Fatal(err)
		}
	}
	got.Wait()
	after, there := a.Traffic(), b.Traffic()
	if n := after.SentDatagrams - before.SentDatagrams; n < 10 {
		t.Errorf("%d datagrams sent with 10 samples", n)
	}
	if n := after.SentBytes - before.SentBytes; n < 10*1000 {
		t.Errorf("%d bytes sent with 10 samples of 1000", n)
	}
	if d := after.SentWithHeaders() - after.SentBytes; d != 42*after.SentDatagrams {
		t.Errorf("%d bytes of headers for %d datagrams, want 42 for each", d, after.SentDatagrams)
	}
	if after.Kept+after.Unsent+there.Dropped != 0 {
		t.Errorf("%d kept, %d unsent (%v), %d dropped; want none", after.Kept, after.Unsent, after.SendErr, there.Dropped)
	}
	if there.ReceivedBytes < 10*1000 || there.ReceiveBuffer <= 0 || there.ClockError <= 0 {
		t.Errorf("the other counts %d bytes, a buffer of %d bytes, clocks within %v",
			there.ReceivedBytes, there.ReceiveBuffer, there.ClockError)
	}
}

func TestCloseDoesNotWaitForeverForAFunction(t *testing.T) {
	if testing.Short() {
		t.Skip("waits 5 s")
	}
	hold := make(chan struct{})
	c := local()
	c.Event = func(rtps.Event) { <-hold }
	a, err := Join(c)
	if err != nil {
		t.Fatal(err)
	}
	b := join(t, local())
	eventually(t, "it is told of the other", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.traffic.ReceivedDatagrams > 0 && len(a.machine.Directory().Participants()) > 0
	})
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err == nil {
		t.Error("closed though a function had not returned")
	}
	close(hold)
	a.running.Wait()
}
