//go:build linux

package main

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/udp"
	"github.com/takt-rt/takt/rtps/wire"
)

// A crowd is 100 participants in one process, with 5 writers and 5 readers
// each, that take heed of the surveyor and not of each other: machines without
// sockets of their own, which share one and announce themselves to the first
// participant of the host only. No reader of theirs matches a writer.
type crowdOf struct {
	socket *kernel.UDP

	mu       sync.Mutex
	machines map[wire.GUIDPrefix]*rtps.Participant
	order    []*rtps.Participant
	writers  [][]wire.EntityID // by machine
	out      []kernel.Message
}

const (
	crowdParticipants = 100
	crowdEach         = 5    // writers, and as many readers
	crowdRate         = 5000 // samples a second of all writers
	crowdBytes        = 100
)

// crowd writes evenly, writer after writer, until it is ended.
func crowd(o options) (any, error) {
	u, err := kernel.ListenUDP(kernel.UDPConfig{Bind: localAddr(0)})
	if err != nil {
		return nil, err
	}
	c := &crowdOf{socket: u, machines: map[wire.GUIDPrefix]*rtps.Participant{}}
	for i := range crowdParticipants {
		if err := c.add(o, i); err != nil {
			return nil, err
		}
	}
	failed := make(chan error, 1)
	go func() { failed <- u.Serve(c.receive) }()
	sample, begin := payload(crowdBytes), time.Now()
	for i := 0; ; time.Sleep(time.Millisecond) {
		select {
		case err := <-failed:
			return nil, err
		default:
		}
		for due := int(time.Since(begin).Seconds() * crowdRate); i < due; i++ {
			if err := c.write(i, sample); err != nil {
				return nil, err
			}
		}
		c.tick()
	}
}

func localAddr(port int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(port))
}

func (c *crowdOf) add(o options, i int) error {
	now := kernel.Now()
	at := []netip.AddrPort{c.socket.LocalAddr()}
	prefix := wire.GUIDPrefix{rtps.Vendor[0], rtps.Vendor[1], byte(i), byte(now), byte(now >> 8), byte(now >> 16)}
	p := rtps.NewParticipant(now, rtps.ParticipantConfig{
		Prefix: prefix, Domain: o.domain, Name: fmt.Sprint("crowd ", i), Metatraffic: at, UserTraffic: at,
		Announce: []netip.AddrPort{localAddr(7400 + 250*o.domain + 10)}, Wall: kernel.Realtime(),
	})
	var writers []wire.EntityID
	for j := range crowdEach {
		w, err := p.AddWriter(now, endpoint(crowdTopic(i, j), reliable(qos.KeepLast(10))))
		if err != nil {
			return err
		}
		writers = append(writers, w)
		if _, err := p.AddReader(now, endpoint(crowdTopic(i, j)+"/other", qos.Policies{})); err != nil {
			return err
		}
	}
	c.machines[prefix] = p
	c.order = append(c.order, p)
	c.writers = append(c.writers, writers)
	return nil
}

func crowdTopic(participant, n int) string { return fmt.Sprintf("rt/crowd%d/topic%d", participant, n) }

// receive gives each datagram to those whom it is for.
func (c *crowdOf) receive(batch []kernel.Datagram) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range batch {
		for _, p := range c.addressed(d.Payload) {
			p.Receive(kernel.Now(), rtps.Datagram{Payload: d.Payload, From: d.From})
			c.send(p)
		}
	}
}

// addressed returns whom a datagram is for: since all share an address, one may
// be for several.
func (c *crowdOf) addressed(datagram []byte) (to []*rtps.Participant) {
	m, err := wire.ParseMessage(datagram)
	if err != nil {
		return nil
	}
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		switch p := c.machines[m.Destination]; {
		case s.ID == wire.IDInfoDest || s.ID == wire.IDInfoTimestamp:
		case m.Destination == wire.GUIDPrefix{}:
			return c.order
		case p != nil && !slices.Contains(to, p):
			to = append(to, p)
		}
	}
	return to
}

func (c *crowdOf) write(n int, sample []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := n % crowdParticipants
	p := c.order[i]
	err := p.Write(kernel.Now(), wire.TimestampOf(kernel.Realtime()), c.writers[i][n/crowdParticipants%crowdEach], sample)
	c.send(p)
	return err
}

func (c *crowdOf) tick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.order {
		if now := kernel.Now(); p.Next() <= now {
			p.Tick(now)
			c.send(p)
		}
	}
}

func (c *crowdOf) send(p *rtps.Participant) {
	c.out = c.out[:0]
	for _, k := range p.Packets() {
		c.out = append(c.out, kernel.Message{To: k.To, Payload: k.Payload})
	}
	_, _ = c.socket.Send(c.out) // refused before the surveyor is there: lost, as on a wire
	p.Deliveries()
	p.Events()
}

// A survey is what reading the crowd takes.
type survey struct {
	load
	Participants int     `json:"participants"`
	Endpoints    int     `json:"endpoints"`
	RSSBytes     int64   `json:"rss_bytes"`
	FoundS       float64 `json:"all_found_s"` // since the surveyor joined
	Dropped      uint64  `json:"dropped_datagrams"`
}

// surveyor reads all topics of a crowd.
func surveyor(o options) (any, error) {
	began := time.Now()
	var found [2]atomic.Int64 // participants, endpoints
	p, err := udp.Join(udp.Config{Domain: o.domain, Localhost: true, Name: "surveyor", Event: func(e rtps.Event) {
		switch e.Kind {
		case rtps.ParticipantFound:
			found[0].Add(1)
		case rtps.WriterFound, rtps.ReaderFound:
			found[1].Add(1)
		}
	}})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var came atomic.Uint64
	for i := range crowdParticipants {
		for j := range crowdEach {
			if _, err := p.NewReader(endpoint(crowdTopic(i, j), qos.Policies{}), func(*rtps.Sample) { came.Add(1) }); err != nil {
				return nil, err
			}
		}
	}
	for found[1].Load() < crowdParticipants*crowdEach*2 {
		time.Sleep(10 * time.Millisecond)
	}
	foundAfter := time.Since(began).Seconds()
	dropped := p.Traffic().Dropped
	l, err := measureLoad(o, &came)
	if err != nil {
		return nil, err
	}
	return survey{
		load: l, Participants: int(found[0].Load()), Endpoints: int(found[1].Load()),
		RSSBytes: resident(), FoundS: foundAfter, Dropped: p.Traffic().Dropped - dropped,
	}, nil
}

// resident returns the resident memory of this process, 0 if Linux does not say.
func resident() int64 {
	b, _ := os.ReadFile("/proc/self/statm")
	if f := strings.Fields(string(b)); len(f) > 1 {
		pages, _ := strconv.ParseInt(f[1], 10, 64)
		return pages * int64(os.Getpagesize())
	}
	return 0
}
