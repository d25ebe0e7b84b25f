package kernel

import (
	"fmt"
	"net/netip"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A UDP is a UDP socket over IPv4. One goroutine may Serve while another sends;
// Send is not safe for concurrent use.
type UDP struct {
	file    *os.File // for its place in the runtime's poller
	raw     syscall.RawConn
	local   netip.AddrPort
	buffer  int
	stopped atomic.Bool
	out     *outbox
}

// ListenUDP opens a socket. Multicast sent from it has a TTL of 1 and reaches
// this host too; of what is sent to groups, it receives its own only.
func ListenUDP(c UDPConfig) (*UDP, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("opening a UDP socket: %w", err)
	}
	u := &UDP{file: os.NewFile(uintptr(fd), "udp "+c.Bind.String())}
	if err := u.open(fd, c); err != nil {
		_ = u.file.Close()
		return nil, err
	}
	return u, nil
}

func (u *UDP) open(fd int, c UDPConfig) (err error) {
	if u.buffer, err = configure(fd, c); err != nil {
		return err
	}
	if u.raw, err = u.file.SyscallConn(); err != nil {
		return err
	}
	local, err := unix.Getsockname(fd)
	if err != nil {
		return fmt.Errorf("asking for the address of %s: %w", c.Bind, err)
	}
	if a, ok := local.(*unix.SockaddrInet4); ok {
		u.local = netip.AddrPortFrom(netip.AddrFrom4(a.Addr), uint16(a.Port))
	}
	u.out = newOutbox()
	return nil
}

// LocalAddr returns the address that the socket is bound to.
func (u *UDP) LocalAddr() netip.AddrPort { return u.local }

// ReceiveBuffer returns the receive buffer granted, in bytes as the kernel
// counts them: with what it needs to keep each datagram, so that small ones
// fill it long before their payload does.
func (u *UDP) ReceiveBuffer() int { return u.buffer }

// Serve hands what arrives to handle, several datagrams at a time, until Stop.
// It returns an error if the socket cannot be read.
func (u *UDP) Serve(handle func([]Datagram)) error {
	in := newInbox()
	err := u.raw.Read(func(fd uintptr) bool {
		// Fewer datagrams than asked for means that none is left, and that the
		// next to come wakes the poller: no second call that would find nothing.
		for full := true; full && !u.stopped.Load(); {
			batch := in.read(fd)
			full = len(batch) == batchIn
			if len(batch) > 0 {
				handle(batch)
			}
		}
		return u.stopped.Load()
	})
	if u.stopped.Load() {
		return nil
	}
	return err
}

// Stop makes Serve return, when its handler has.
func (u *UDP) Stop() {
	u.stopped.Store(true)
	_ = u.file.SetReadDeadline(time.Unix(1, 0)) // in the past: wakes the poller
}

// Close frees the port. It waits for the handler to return.
func (u *UDP) Close() error {
	u.Stop()
	return u.file.Close()
}
