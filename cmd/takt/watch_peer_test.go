package main

import (
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// watchDomain is joined by the tests of watch alone.
const watchDomain = 42

// A lossyPeer is a participant on loopback with one best-effort writer, whose
// samples get lost on their way when the test wants it.
type lossyPeer struct {
	t       *testing.T
	sockets [2]*net.UDPConn
	stop    chan struct{}
	running sync.WaitGroup

	mu      sync.Mutex // guards the rest
	machine *rtps.Participant
	writer  wire.EntityID
	matched int
}

// newLossyPeer joins at the ports of index 20, to which takt announces itself.
func newLossyPeer(t *testing.T, topic, typ string) *lossyPeer {
	t.Helper()
	const index = 20
	lo := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	meta := uint16(7400 + 250*watchDomain + 10 + 2*index) // DDSI-RTPS 2.3, 9.6.1.1
	own := [2]netip.AddrPort{netip.AddrPortFrom(lo, meta), netip.AddrPortFrom(lo, meta+1)}
	p := &lossyPeer{t: t, stop: make(chan struct{}), machine: rtps.NewParticipant(kernel.Now(), rtps.ParticipantConfig{
		Prefix: wire.GUIDPrefix{1, 2, 3}, Domain: watchDomain, UserData: []byte("enclave=/;"),
		Metatraffic: own[:1], UserTraffic: own[1:],
	})}
	for i := range p.sockets {
		s, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(own[i]))
		if err != nil {
			t.Fatal(err)
		}
		p.sockets[i] = s
	}
	c, err := ros.MessageEndpoint(topic, typ, ros.TypeHash{}, qos.Policies{History: qos.KeepLast(1)})
	if err != nil {
		t.Fatal(err)
	}
	p.do(func(now clock.Mono) { p.writer, err = p.machine.AddWriter(now, c) })
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.sockets {
		p.running.Go(func() { p.receive(s) })
	}
	p.running.Go(p.tick)
	t.Cleanup(p.close)
	return p
}

// publish writes a sample; a lost one never leaves.
func (p *lossyPeer) publish(payload []byte, lost bool) {
	p.do(func(now clock.Mono) {
		if err := p.machine.Write(now, wire.TimestampOf(kernel.Realtime()), p.writer, payload); err != nil {
			p.t.Error(err)
		}
		if lost {
			p.machine.Packets()
		}
	})
}

// await waits until takt listens.
func (p *lossyPeer) await() {
	p.t.Helper()
	awaitUntil(p.t, "takt reads the topic", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.matched > 0
	})
}

// do calls the machine and sends what it brought about.
func (p *lossyPeer) do(call func(now clock.Mono)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	call(kernel.Now())
	for _, m := range p.machine.Packets() {
		_, _ = p.sockets[1].WriteToUDPAddrPort(m.Payload, m.To) // refused where nobody listens
	}
	for _, e := range p.machine.Events() {
		if e.Kind == rtps.Matched && e.Local == p.writer {
			p.matched++
		}
	}
}

func (p *lossyPeer) receive(s *net.UDPConn) {
	buffer := make([]byte, 1<<16)
	for {
		n, from, err := s.ReadFromUDPAddrPort(buffer)
		select {
		case <-p.stop:
			return
		default:
		}
		if err != nil {
			continue // an address that refused
		}
		p.do(func(now clock.Mono) {
			p.machine.Receive(now, rtps.Datagram{Payload: buffer[:n], Arrival: now, From: from})
		})
	}
}

func (p *lossyPeer) tick() {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.do(p.machine.Tick)
		}
	}
}

func (p *lossyPeer) close() {
	p.do(p.machine.Leave)
	close(p.stop)
	for _, s := range p.sockets {
		s.Close()
	}
	p.running.Wait()
}

// awaitUntil waits for what must come about, however slow the machine is.
func awaitUntil(t *testing.T, what string, is func() bool) {
	t.Helper()
	for begin := time.Now(); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			t.Fatalf("not within 20 s: %s", what)
		}
	}
}
