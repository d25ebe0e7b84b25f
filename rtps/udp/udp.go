// Package udp is a participant of a DDS domain on real sockets: the machine of
// package rtps, UDP over IPv4, and the clocks of this host. Linux only.
//
// Join opens the sockets and starts to receive; Close says farewell and stops.
// All methods may be called by any goroutine. Payloads are whole as DDS has
// them: the encapsulation header, then CDR.
//
// Ports are those of DDSI-RTPS 2.3, 9.6.1. Which sockets share a port, and whom
// a participant announces itself to, follows what Fast DDS and Cyclone DDS need
// in the graphs that ROS 2 makes of them.
package udp

import (
	"crypto/rand"
	"fmt"
	"net/netip"
	"time"

	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// A Config configures a Participant. The zero Config joins domain 0 on every
// interface.
type Config struct {
	Domain   int // 0 to 232
	Name     string
	UserData []byte

	// Localhost restricts the participant to this host: its sockets are bound
	// to 127.0.0.1, and what is to go anywhere else is not sent. Its multicast
	// stays on the loopback interface.
	Localhost bool
	// Interfaces are the names of those used; none means all that are up and
	// have an IPv4 address, and loopback if there is no other. Not with Localhost.
	// They are used as Join finds them: one may go down and come back, but what
	// is new later, an interface or an address, takes another Join.
	Interfaces []string
	// Peers are hosts to announce the participant to that multicast does not
	// reach, at the ports of indices 0 to 31. Not with Localhost.
	Peers       []netip.Addr
	NoMulticast bool

	// MaxIndex is the last participant index tried, of those that give a
	// participant its ports. 0 means 31, which is as far as others look.
	MaxIndex int

	Lease, Interval time.Duration // see rtps.ParticipantConfig
	FragmentSize    int           // bytes; see there
	MaxDatagram     int           // bytes; see there

	Prefix *wire.GUIDPrefix // nil is a random one, as there should be at each start

	// Gather is how long samples may wait in the socket for more to come, for
	// whoever only looks on: at a thousand a second most of what they cost is to
	// wake for each. When they arrived is known all the same. It ends with the
	// first sample that comes in fragments, a burst of which the receive buffer
	// may not hold. Acknowledgements wait too. 0 is not at all.
	Gather time.Duration

	// Event is told what happens, in order and by one goroutine. It must return
	// soon: what it has not been told waits, up to 65536 events.
	Event func(rtps.Event)

	// Discovered is told what discovery finds, sees change or loses
	// (ParticipantFound to ReaderGone), with all that is known of others, before
	// anything more is sent: a writer that it returns is taken away at once, so
	// that whom the event is about gets none of its samples. It is called with
	// the participant locked, so it must not call a method of this package, and
	// must return soon. It must not keep the directory.
	Discovered func(rtps.Event, *rtps.Directory) (withdraw *Writer)
}

// Join makes a participant that is ready to be found.
func Join(c Config) (*Participant, error) {
	n, err := plan(c)
	if err != nil {
		return nil, err
	}
	s, err := open(c, n)
	if err != nil {
		return nil, err
	}
	return start(c, n, s), nil
}

// newPrefix returns a GUID prefix that begins with takt's vendor id, as all do,
// and is random beyond it: peers ignore what comes from one they have seen end.
func newPrefix(c Config) (p wire.GUIDPrefix) {
	if c.Prefix != nil {
		return *c.Prefix
	}
	copy(p[:], rtps.Vendor[:])
	_, _ = rand.Read(p[2:]) // never fails: crypto/rand ends the program instead
	return p
}

func machineConfig(c Config, n *network, index int) rtps.ParticipantConfig {
	m := rtps.ParticipantConfig{
		Prefix: newPrefix(c), Domain: c.Domain, Name: c.Name, UserData: c.UserData,
		Announce: n.announce(c, index),
		Lease:    c.Lease, Interval: c.Interval,
		FragmentSize: c.FragmentSize, MaxDatagram: c.MaxDatagram,
	}
	for _, a := range n.addresses() {
		m.Metatraffic = append(m.Metatraffic, netip.AddrPortFrom(a, metatrafficPort(c.Domain, index)))
		m.UserTraffic = append(m.UserTraffic, netip.AddrPortFrom(a, userPort(c.Domain, index)))
	}
	return m
}

// check refuses what contradicts itself or cannot be.
func (c *Config) check() error {
	switch {
	case c.Domain < 0 || c.Domain > maxDomain:
		return fmt.Errorf("domain %d: its ports would be beyond 65535; take 0 to %d", c.Domain, maxDomain)
	case c.MaxIndex < 0 || c.MaxIndex > maxIndexOf(c.Domain):
		return fmt.Errorf("participant index %d in domain %d: its ports would be beyond 65535; take 0 to %d",
			c.MaxIndex, c.Domain, maxIndexOf(c.Domain))
	case c.Localhost && len(c.Interfaces) > 0:
		return fmt.Errorf("localhost and interfaces %q exclude each other; leave one out", c.Interfaces)
	case c.Localhost && len(c.Peers) > 0:
		return fmt.Errorf("localhost and static peers %v exclude each other; leave one out", c.Peers)
	}
	for _, a := range c.Peers {
		if !a.Is4() || a.IsMulticast() || a.IsUnspecified() {
			return fmt.Errorf("static peer %v is not the IPv4 address of a host; give one", a)
		}
	}
	return nil
}
