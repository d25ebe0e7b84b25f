package kernel

import (
	"fmt"
	"net/netip"

	"golang.org/x/sys/unix"
)

const defaultBuffer = 8 << 20 // bytes

// configure sets the options of a new socket and binds it. It returns the
// receive buffer granted.
func configure(fd int, c UDPConfig) (buffer int, err error) {
	if !c.Bind.Addr().Is4() {
		return 0, fmt.Errorf("binding %s: not an IPv4 address; takt speaks UDP over IPv4", c.Bind)
	}
	if buffer, err = growBuffer(fd, c.ReceiveBuffer); err != nil {
		return 0, err
	}
	if err := setOptions(fd, c); err != nil {
		return 0, err
	}
	bind := &unix.SockaddrInet4{Port: int(c.Bind.Port()), Addr: c.Bind.Addr().As4()}
	if err := unix.Bind(fd, bind); err != nil {
		return 0, fmt.Errorf("binding UDP %s: %w", c.Bind, err)
	}
	for _, m := range c.Groups {
		if err := join(fd, m); err != nil {
			return 0, err
		}
	}
	return buffer, nil
}

func setOptions(fd int, c UDPConfig) error {
	for _, o := range []struct {
		name                 string
		level, option, value int
	}{
		{"SO_TIMESTAMPNS", unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1},
		{"SO_RXQ_OVFL", unix.SOL_SOCKET, unix.SO_RXQ_OVFL, 1},
		{"SO_REUSEADDR", unix.SOL_SOCKET, unix.SO_REUSEADDR, number(c.Shared)},
		{"IP_MULTICAST_ALL", unix.IPPROTO_IP, unix.IP_MULTICAST_ALL, 0},
		{"IP_MULTICAST_LOOP", unix.IPPROTO_IP, unix.IP_MULTICAST_LOOP, 1},
		{"IP_MULTICAST_TTL", unix.IPPROTO_IP, unix.IP_MULTICAST_TTL, 1},
	} {
		if err := unix.SetsockoptInt(fd, o.level, o.option, o.value); err != nil {
			return fmt.Errorf("setting %s of UDP %s: %w", o.name, c.Bind, err)
		}
	}
	wait := unix.NsecToTimeval(patience.Nanoseconds())
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &wait); err != nil {
		return fmt.Errorf("setting SO_SNDTIMEO of UDP %s: %w", c.Bind, err)
	}
	if c.MulticastInterface == 0 {
		return nil
	}
	via := &unix.IPMreqn{Ifindex: int32(c.MulticastInterface)}
	if err := unix.SetsockoptIPMreqn(fd, unix.IPPROTO_IP, unix.IP_MULTICAST_IF, via); err != nil {
		return fmt.Errorf("sending multicast of UDP %s through interface %d: %w", c.Bind, c.MulticastInterface, err)
	}
	return nil
}

// growBuffer asks for bytes of receive buffer, beyond the system's limit where
// the process may, and returns what was granted. The kernel doubles what is
// asked for, to have room for its own needs.
func growBuffer(fd, bytes int) (granted int, err error) {
	if bytes == 0 {
		bytes = defaultBuffer
	}
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, bytes) != nil {
		if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, bytes); err != nil {
			return 0, fmt.Errorf("asking for %d bytes of receive buffer: %w", bytes, err)
		}
	}
	granted, err = unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF)
	if err != nil {
		return 0, fmt.Errorf("asking how much receive buffer was granted: %w", err)
	}
	return granted, nil
}

func join(fd int, m Membership) error {
	r := &unix.IPMreqn{Multiaddr: as4(m.Group), Ifindex: int32(m.Interface)}
	if err := unix.SetsockoptIPMreqn(fd, unix.IPPROTO_IP, unix.IP_ADD_MEMBERSHIP, r); err != nil {
		return fmt.Errorf("joining group %s on interface %d: %w", m.Group, m.Interface, err)
	}
	return nil
}

// as4 returns the bytes of an IPv4 address, and zeros, which no call takes, for another.
func as4(a netip.Addr) (b [4]byte) {
	if a.Is4() {
		b = a.As4()
	}
	return b
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
