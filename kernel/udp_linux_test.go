package kernel

import (
	"bytes"
	"errors"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var loopback = netip.MustParseAddr("127.0.0.1")

// A listener is a socket whose datagrams a test waits for.
type listener struct {
	*UDP
	t       *testing.T
	arrived chan Datagram
	ended   chan error
}

func listen(t *testing.T, c UDPConfig) *listener {
	t.Helper()
	u, err := ListenUDP(c)
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{u, t, make(chan Datagram, 1<<12), make(chan error, 1)}
	t.Cleanup(func() { _ = u.Close() })
	return l
}

// serve starts to receive, and ends with the test.
func (l *listener) serve() *listener {
	go func() {
		l.ended <- l.Serve(func(batch []Datagram) {
			for _, d := range batch {
				d.Payload = bytes.Clone(d.Payload)
				l.arrived <- d
			}
		})
	}()
	l.t.Cleanup(func() {
		l.Stop()
		<-l.ended
	})
	return l
}

func (l *listener) next() Datagram {
	l.t.Helper()
	select {
	case d := <-l.arrived:
		return d
	case <-time.After(20 * time.Second):
		l.t.Fatal("no datagram within 20 s")
		return Datagram{}
	}
}

// drain returns what has arrived, without waiting.
func (l *listener) drain() (all []Datagram) {
	in := newInbox()
	if err := l.raw.Read(func(fd uintptr) bool {
		for {
			batch, err := in.read(fd, unix.MSG_DONTWAIT)
			if err != nil {
				l.t.Error(err)
			}
			if len(batch) == 0 {
				return true
			}
			all = append(all, batch...)
		}
	}); err != nil {
		l.t.Fatal(err)
	}
	return all
}

// loopbackIndex returns the index of the interface that has 127.0.0.1.
func loopbackIndex(t *testing.T) int {
	t.Helper()
	all, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range all {
		if i.Flags&net.FlagLoopback != 0 {
			return i.Index
		}
	}
	t.Skip("no loopback interface here")
	return 0
}

func onLoopback() UDPConfig { return UDPConfig{Bind: netip.AddrPortFrom(loopback, 0)} }

func TestDatagramsCarryWhatTheKernelSays(t *testing.T) {
	a, b := listen(t, onLoopback()), listen(t, onLoopback()).serve()
	clocks := NewClocks()
	for _, size := range []int{0, 1, 12, 1344, 14720, 65507} {
		payload := bytes.Repeat([]byte{byte(size)}, size)
		before := Now()
		sent, err := a.Send([]Message{{To: b.LocalAddr(), Payload: payload}})
		after := Now() // on loopback a datagram has arrived when it was sent
		if err != nil || sent != (Sent{Datagrams: 1, Bytes: uint64(size)}) {
			t.Fatalf("sent %+v, %v", sent, err)
		}
		d := b.next()
		if !bytes.Equal(d.Payload, payload) {
			t.Errorf("%d bytes arrived as %d, or changed", size, len(d.Payload))
		}
		if d.From != a.LocalAddr() {
			t.Errorf("came from %s, want %s", d.From, a.LocalAddr())
		}
		at := clocks.Past(Now(), d.Arrival)
		if e := clocks.Error(); at < before.Add(-e) || at > after.Add(e) {
			t.Errorf("arrived at %d, sent between %d and %d, clocks within %v", at, before, after, e)
		}
	}
}

func TestManyMessagesKeepTheirOrder(t *testing.T) {
	a, b := listen(t, onLoopback()), listen(t, onLoopback()).serve()
	var messages []Message
	for i := range 3*batchOut + 5 {
		messages = append(messages, Message{To: b.LocalAddr(), Payload: []byte{byte(i)}})
	}
	if sent, err := a.Send(messages); err != nil || sent.Datagrams != uint64(len(messages)) {
		t.Fatalf("sent %+v, %v", sent, err)
	}
	for i := range messages {
		if d := b.next(); d.Payload[0] != byte(i) {
			t.Fatalf("datagram %d came as number %d", d.Payload[0], i)
		}
	}
}

func TestARefusedMessageTakesNoOtherWithIt(t *testing.T) {
	a, b := listen(t, onLoopback()), listen(t, onLoopback()).serve()
	tooLong := make([]byte, 65508) // an IP packet has 65535 bytes, 28 of them headers
	sent, err := a.Send([]Message{
		{To: b.LocalAddr(), Payload: []byte("first")},
		{To: b.LocalAddr(), Payload: tooLong},
		{To: netip.AddrPortFrom(loopback, 0), Payload: []byte("to port 0")},
		{To: b.LocalAddr(), Payload: []byte("last")},
	})
	if want := (Sent{Datagrams: 2, Bytes: 9, Refused: 2}); sent != want {
		t.Errorf("sent %+v, want %+v", sent, want)
	}
	if !errors.Is(err, syscall.EINVAL) || !strings.Contains(err.Error(), "127.0.0.1:0") {
		t.Errorf("error %v, want invalid argument for 127.0.0.1:0", err)
	}
	if first, last := b.next(), b.next(); string(first.Payload) != "first" || string(last.Payload) != "last" {
		t.Errorf("got %q and %q", first.Payload, last.Payload)
	}
}

func TestAPortIsExclusiveUnlessShared(t *testing.T) {
	c := onLoopback()
	a := listen(t, c)
	c.Bind = a.LocalAddr()
	c.Shared = true
	_, err := ListenUDP(c)
	if !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), c.Bind.String()) {
		t.Errorf("binding %s twice: %v, want address in use, with the address", c.Bind, err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	listen(t, c)
	listen(t, c)
}

func TestMulticastOnLoopbackReachesEveryMember(t *testing.T) {
	lo := loopbackIndex(t)
	group := netip.MustParseAddr("239.255.0.1")
	free := listen(t, onLoopback()) // for a port that nobody has
	at := netip.AddrPortFrom(group, free.LocalAddr().Port())
	member := UDPConfig{Bind: at, Shared: true, Groups: []Membership{{group, lo}}}
	one, two := listen(t, member).serve(), listen(t, member).serve()
	stranger := listen(t, UDPConfig{Bind: at, Shared: true}).serve() // bound, and no member

	c := onLoopback()
	c.MulticastInterface = lo
	bySocket := listen(t, c)
	byMessage := listen(t, onLoopback())
	if _, err := bySocket.Send([]Message{{To: at, Payload: []byte("socket")}}); err != nil {
		t.Fatal(err)
	}
	if _, err := byMessage.Send([]Message{{To: at, Interface: lo, Payload: []byte("message")}}); err != nil {
		t.Fatal(err)
	}
	for _, l := range []*listener{one, two} {
		if a, b := l.next(), l.next(); string(a.Payload) != "socket" || string(b.Payload) != "message" {
			t.Errorf("got %q and %q", a.Payload, b.Payload)
		}
	}
	if len(stranger.arrived) > 0 {
		t.Errorf("a socket that joined nothing received %q", (<-stranger.arrived).Payload)
	}
}

func TestDropsOfTheSocketAreCounted(t *testing.T) {
	c := onLoopback()
	c.ReceiveBuffer = 16 << 10
	a, b := listen(t, onLoopback()), listen(t, c)
	const sent, size = 500, 1000 // 500 kB into a buffer of 32 kB
	for range sent {
		if _, err := a.Send([]Message{{To: b.LocalAddr(), Payload: make([]byte, size)}}); err != nil {
			t.Fatal(err)
		}
	}
	arrived := b.drain()
	// The count comes with the next datagram after the drops.
	if _, err := a.Send([]Message{{To: b.LocalAddr(), Payload: []byte("after")}}); err != nil {
		t.Fatal(err)
	}
	after := b.drain()
	if len(after) != 1 {
		t.Fatalf("%d datagrams came after the drops, want the one sent", len(after))
	}
	if got, want := int(after[0].Dropped), sent-len(arrived); got != want || got == 0 {
		t.Errorf("%d of %d datagrams arrived and %d count as dropped, want %d", len(arrived), sent, got, want)
	}
}

func TestTheReceiveBufferGrantedIsTold(t *testing.T) {
	c := onLoopback()
	c.ReceiveBuffer = 64 << 10 // below any system's limit
	if got := listen(t, c).ReceiveBuffer(); got != 128<<10 {
		t.Errorf("granted %d bytes; socket(7) says twice what was asked for, %d", got, 128<<10)
	}
}

func TestAnAddressThatIsNotIPv4IsRefused(t *testing.T) {
	_, err := ListenUDP(UDPConfig{Bind: netip.MustParseAddrPort("[::1]:7400")})
	if err == nil || !strings.Contains(err.Error(), "IPv4") {
		t.Errorf("bound to [::1]:7400: %v", err)
	}
}

func TestStopEndsServe(t *testing.T) {
	b := listen(t, onLoopback()).serve()
	b.Stop()
	select {
	case err := <-b.ended:
		if err != nil {
			t.Error(err)
		}
		b.ended <- nil
	case <-time.After(20 * time.Second):
		t.Fatal("Serve did not return within 20 s of Stop")
	}
}

func TestNothingIsAllocatedPerDatagram(t *testing.T) {
	a, b := listen(t, onLoopback()), listen(t, onLoopback())
	arrived := make(chan int, 1)
	go func() { b.ended <- b.Serve(func(batch []Datagram) { arrived <- len(batch) }) }()
	messages := []Message{{To: b.LocalAddr(), Payload: make([]byte, 100)}}
	n := testing.AllocsPerRun(1000, func() {
		if _, err := a.Send(messages); err != nil {
			t.Fatal(err)
		}
		<-arrived
	})
	if n != 0 {
		t.Errorf("%v allocations for a datagram sent and received, want 0", n)
	}
	b.Stop()
	<-b.ended
}

func BenchmarkRoundTrip(b *testing.B) {
	var u [2]*UDP
	for i := range u {
		var err error
		if u[i], err = ListenUDP(onLoopback()); err != nil {
			b.Fatal(err)
		}
	}
	back := make(chan struct{}, 1)
	ended := make(chan error, 2)
	ping := []Message{{To: u[1].LocalAddr(), Payload: make([]byte, 100)}}
	pong := []Message{{To: u[0].LocalAddr(), Payload: make([]byte, 100)}}
	go func() { ended <- u[0].Serve(func([]Datagram) { back <- struct{}{} }) }()
	go func() { ended <- u[1].Serve(func([]Datagram) { _, _ = u[1].Send(pong) }) }()
	for b.Loop() {
		if _, err := u[0].Send(ping); err != nil {
			b.Fatal(err)
		}
		<-back
	}
	for i := range u {
		u[i].Stop()
		<-ended
		_ = u[i].Close()
	}
}
