package udp

import (
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

const (
	never     = clock.Mono(math.MaxInt64)
	maxUntold = 1 << 16         // events that wait for Config.Event
	patience  = 5 * time.Second // of Close, for functions to return
)

// A Participant is a participant of a domain.
//
// A goroutine for each socket receives; one more, the loop, does what is due
// and tells events. Whoever calls the machine sends what it brought about,
// before others may call it, so that nothing overtakes.
type Participant struct {
	prefix     wire.GUIDPrefix
	event      func(rtps.Event)
	discovered func(rtps.Event, *rtps.Directory) *Writer
	sockets    *sockets
	running    sync.WaitGroup
	done       chan struct{} // closed by Close
	timer      *time.Timer   // fires for the loop
	news       chan struct{} // says to the loop that there are events

	// turn is held by the goroutine that receives, also while the readers'
	// functions run: what they are handed is good until the next datagram.
	turn   sync.Mutex
	handed []handed

	mu      sync.Mutex // guards all below
	machine *rtps.Participant
	gate    gate
	clocks  *kernel.Clocks
	out     []kernel.Message // scratch
	armed   clock.Mono       // when the timer fires
	readers map[wire.EntityID]*Reader
	matched map[wire.EntityID]int // readers or writers elsewhere, by endpoint here
	events  []rtps.Event          // not yet told
	dropped map[*kernel.UDP]uint32
	traffic Traffic
	closed  bool

	gathering bool  // see Config.Gather
	failed    error // why a socket could not be read

	waiting int           // how many goroutines wait for moved
	moved   chan struct{} // closed, and another made, when a reader may have acknowledged something
}

// start makes the sockets a participant.
func start(c Config, n *network, s *sockets) *Participant {
	now := kernel.Now()
	m := machineConfig(c, n, s.index)
	m.Wall = kernel.Realtime()
	p := &Participant{
		prefix: m.Prefix, event: c.Event, discovered: c.Discovered, sockets: s,
		done: make(chan struct{}), timer: time.NewTimer(time.Hour), news: make(chan struct{}, 1),
		machine: rtps.NewParticipant(now, m), gate: newGate(c, n), clocks: kernel.NewClocks(), armed: never,
		readers: map[wire.EntityID]*Reader{}, matched: map[wire.EntityID]int{},
		dropped: map[*kernel.UDP]uint32{}, moved: make(chan struct{}),
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gather(c.Gather)
	for _, u := range s.all() {
		p.running.Go(func() { p.serve(u) })
	}
	p.running.Go(p.loop)
	p.machine.Tick(now)
	p.settle(now)
	return p
}

// Prefix returns the GUID prefix of the participant.
func (p *Participant) Prefix() wire.GUIDPrefix { return p.prefix }

// Close tells everybody that the participant leaves, stops and frees its ports.
// It waits up to 5 s for the functions that it was given to return, so it must
// not be called by one of them. Closing again does nothing.
func (p *Participant) Close() error {
	if !p.leave() {
		return nil
	}
	close(p.done)
	for _, u := range p.sockets.all() {
		u.Stop()
	}
	stopped := make(chan struct{})
	go func() {
		p.running.Wait()
		p.sockets.close()
		close(stopped)
	}()
	select {
	case <-stopped:
	case <-time.After(patience):
		return fmt.Errorf("leaving the domain: a function of a reader, or that of events, has not returned for %v; it must not block", patience)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed
}

// leave says farewell; false if that was done before.
func (p *Participant) leave() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	now := kernel.Now()
	p.machine.Leave(now)
	p.settle(now)
	p.closed = true
	return true
}

// settle notes and sends what a call of the machine brought about. What is due
// at once, as most answers are, is done without a turn of the loop.
func (p *Participant) settle(now clock.Mono) {
	if p.machine.Next() <= now {
		p.machine.Tick(now)
	}
	p.note(now)
	p.send()
	p.arm(now)
}

func (p *Participant) send() {
	packets := p.machine.Packets()
	if len(packets) == 0 || p.closed {
		return
	}
	p.out = p.gate.admit(p.out[:0], packets)
	sent, err := p.sockets.unicast[1].Send(p.out)
	p.traffic.SentDatagrams += sent.Datagrams
	p.traffic.SentBytes += sent.Bytes
	p.traffic.Unsent += sent.Refused
	if err != nil {
		p.traffic.SendErr = err
	}
}

// note takes the events of a call of the machine.
func (p *Participant) note(now clock.Mono) {
	events := p.machine.Events()
	if len(events) == 0 {
		return
	}
	for _, e := range events {
		switch e.Kind {
		case rtps.Matched:
			p.matched[e.Local]++
		case rtps.Unmatched:
			p.matched[e.Local]--
		}
	}
	if p.event != nil {
		p.keep(events)
	}
	if p.discovered != nil {
		p.discover(now, slices.Clone(events)) // the machine's own go with the next call of it
	}
}

// discover tells what discovery found and takes away the writers that must not
// meet it.
func (p *Participant) discover(now clock.Mono, events []rtps.Event) {
	for _, e := range events {
		if e.Kind > rtps.ReaderGone {
			continue
		}
		if w := p.discovered(e, p.machine.Directory()); w != nil {
			p.drop(now, w.id)
		}
	}
}

// keep keeps events for the loop to tell.
func (p *Participant) keep(events []rtps.Event) {
	room := min(len(events), maxUntold-len(p.events))
	p.events = append(p.events, events[:room]...)
	p.traffic.Untold += uint64(len(events) - room)
	select {
	case p.news <- struct{}{}:
	default: // told already
	}
}

// arm sees to it that the timer fires when the machine has something to do. It
// may fire earlier: moving it back with every sample would cost more.
func (p *Participant) arm(now clock.Mono) {
	if next := p.machine.Next(); next < p.armed {
		p.armed = next
		p.timer.Reset(max(next.Sub(now), 0))
	}
}

// loop does what is due and tells events, until Close.
func (p *Participant) loop() {
	defer p.timer.Stop()
	for {
		select {
		case <-p.timer.C:
			p.tick()
		case <-p.news:
		case <-p.done:
			p.tell()
			return
		}
		p.tell()
	}
}

func (p *Participant) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := kernel.Now()
	p.armed = never
	p.machine.Tick(now)
	p.settle(now)
	p.wake()
}

// tell tells events, without a lock.
func (p *Participant) tell() {
	p.mu.Lock()
	events := p.events
	p.events = nil
	p.mu.Unlock()
	for _, e := range events {
		p.event(e)
	}
}

// wake lets those who wait for acknowledgements look again.
func (p *Participant) wake() {
	if p.waiting > 0 {
		close(p.moved)
		p.moved, p.waiting = make(chan struct{}), 0
	}
}

// errClosed is what is left to say after Close.
var errClosed = fmt.Errorf("the participant has left: %w; join again", net.ErrClosed)

// fail keeps why a socket could not be read.
func (p *Participant) fail(err error) {
	if err == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed = errors.Join(p.failed, err)
}
