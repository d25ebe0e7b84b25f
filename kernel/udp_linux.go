package kernel

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// turn is how long Serve goes on without a word to the scheduler of Go. That
// one takes a goroutine which has not been scheduled for 10 ms for one that
// keeps others waiting, though it waits in system calls: its monitor then wakes
// every 20 µs and takes the goroutine's place away each time.
const turn = 8 * time.Millisecond

// A UDP is a UDP socket over IPv4. One goroutine may Serve while another sends;
// Send is not safe for concurrent use.
type UDP struct {
	file    *os.File // holds the descriptor open while it is in use
	raw     syscall.RawConn
	local   netip.AddrPort
	buffer  int
	stopped atomic.Bool
	gather  atomic.Int64 // nanoseconds, see Gather
	serving sync.Mutex   // held by Serve
	out     *outbox
}

// ListenUDP opens a socket. Multicast sent from it has a TTL of 1 and reaches
// this host too; of what is sent to groups, it receives its own only.
func ListenUDP(c UDPConfig) (*UDP, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
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
//
// It waits in the system call and so takes a thread for itself. By way of the
// runtime's poller each datagram that comes alone would cost a second system
// call, and often the wake-up of a second thread.
func (u *UDP) Serve(handle func([]Datagram)) error {
	u.serving.Lock()
	defer u.serving.Unlock()
	in := newInbox()
	var failed error
	err := u.raw.Read(func(fd uintptr) bool {
		yielded := Now()
		for failed == nil && !u.stopped.Load() {
			if now := Now(); now.Sub(yielded) > turn {
				runtime.Gosched()
				yielded = now
			}
			var batch []Datagram
			batch, failed = in.read(fd, unix.MSG_WAITFORONE)
			if len(batch) > 0 && !u.stopped.Load() {
				handle(batch)
			}
			if d := u.gather.Load(); d > 0 && len(batch) < batchIn && !u.stopped.Load() {
				pause(time.Duration(d))
			}
		}
		return true
	})
	if u.stopped.Load() {
		return nil
	}
	return errors.Join(failed, err)
}

// Gather has Serve wait for d after each look that found fewer datagrams than it
// had room for, so that what comes meanwhile costs one wake-up of its thread
// instead of one each. The kernel keeps when each arrived; the receive buffer
// must hold what comes within d. 0, as at first, waits for nothing.
func (u *UDP) Gather(d time.Duration) { u.gather.Store(int64(d)) }

// pause sleeps in a system call, as Serve waits: a timer of Go's would wake
// another thread. A signal may end it early.
func pause(d time.Duration) {
	t := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&t, nil)
}

// Stop makes Serve return, when its handler has.
func (u *UDP) Stop() {
	u.stopped.Store(true)
	// Linux says ENOTCONN of a socket that is not connected, and wakes its
	// reader all the same (inet_shutdown).
	_ = u.raw.Control(func(fd uintptr) { _ = unix.Shutdown(int(fd), unix.SHUT_RD) })
}

// Close frees the port. It waits for the handler to return.
func (u *UDP) Close() error {
	u.Stop()
	u.serving.Lock()
	defer u.serving.Unlock()
	return u.file.Close()
}
