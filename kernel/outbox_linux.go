package kernel

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	batchOut = 64                    // datagrams to a system call
	patience = 10 * time.Millisecond // for a full send buffer to drain
)

// An outbox is the memory that sendmmsg reads from, and what it answered. The
// headers point into it, so it lives on the heap and is never copied.
type outbox struct {
	headers [batchOut]mmsghdr
	vectors [batchOut]unix.Iovec
	to      [batchOut]unix.RawSockaddrInet4
	control [batchOut]packetInfo

	count int           // headers filled
	taken int           // by the last call
	errno syscall.Errno // of the last call

	call func(fd uintptr) bool // send; made once, since a function value for each call would be garbage
}

// errFull is why the messages of a call are lost that found no room.
var errFull = fmt.Errorf("the send buffer stayed full for %v", patience)

// A packetInfo is the control message IP_PKTINFO of ip(7): through which
// interface a datagram leaves.
type packetInfo struct {
	header unix.Cmsghdr
	info   unix.Inet4Pktinfo
	_      [4]byte // to the alignment of the next
}

func newOutbox() *outbox {
	o := &outbox{}
	o.call = func(fd uintptr) bool { o.send(fd); return true }
	for i := range o.headers {
		h := &o.headers[i].header
		h.Name = (*byte)(unsafe.Pointer(&o.to[i]))
		h.Namelen = unix.SizeofSockaddrInet4
		h.Iov = &o.vectors[i]
		h.SetIovlen(1)
		c := &o.control[i].header
		c.Level, c.Type = unix.IPPROTO_IP, unix.IP_PKTINFO
		c.SetLen(unix.CmsgLen(unix.SizeofInet4Pktinfo))
	}
	return o
}

// Send sends messages in order, many to a system call. A message that the
// kernel does not take is lost, as on a wire, and the others are sent all the
// same; the error tells of the last one lost. While the send buffer is full it
// waits up to 10 ms, then the rest of the messages is lost.
func (u *UDP) Send(messages []Message) (s Sent, err error) {
	for len(messages) > 0 {
		u.out.fill(messages)
		taken, e := u.sendBatch()
		for _, m := range messages[:taken] {
			s.Datagrams++
			s.Bytes += uint64(len(m.Payload))
		}
		messages = messages[taken:]
		if e == nil {
			continue
		}
		err = fmt.Errorf("sending %d bytes to %s: %w", len(messages[0].Payload), messages[0].To, e)
		lost := 1
		if !errors.As(e, new(syscall.Errno)) { // not this message: the buffer is full, or the socket closed
			lost = len(messages)
		}
		s.Refused += uint64(lost)
		messages = messages[lost:]
	}
	return s, err
}

// sendBatch returns how many messages were taken, and why the next was not.
func (u *UDP) sendBatch() (taken int, err error) {
	if err := u.raw.Write(u.out.call); err != nil {
		return 0, err
	}
	switch u.out.errno {
	case 0:
		return u.out.taken, nil
	case unix.EAGAIN:
		return 0, errFull
	default:
		return 0, u.out.errno
	}
}

func (o *outbox) fill(messages []Message) {
	o.count = min(len(messages), batchOut)
	for i, m := range messages[:o.count] {
		o.vectors[i].Base = unsafe.SliceData(m.Payload)
		o.vectors[i].SetLen(len(m.Payload))
		setAddrPort(&o.to[i], m.To)
		h := &o.headers[i].header
		h.Control = nil
		h.SetControllen(0)
		if m.Interface != 0 {
			o.control[i].info.Ifindex = int32(m.Interface)
			h.Control = (*byte)(unsafe.Pointer(&o.control[i]))
			h.SetControllen(unix.CmsgSpace(unix.SizeofInet4Pktinfo))
		}
	}
}

// send sends what is filled in. A full buffer makes it wait as SO_SNDTIMEO says.
func (o *outbox) send(fd uintptr) {
	for {
		n, _, errno := unix.Syscall6(unix.SYS_SENDMMSG, fd,
			uintptr(unsafe.Pointer(&o.headers)), uintptr(o.count), 0, 0, 0)
		o.taken, o.errno = int(n), errno
		if errno != unix.EINTR {
			return
		}
	}
}

func setAddrPort(a *unix.RawSockaddrInet4, to netip.AddrPort) {
	a.Family = unix.AF_INET
	a.Addr = as4(to.Addr())
	port := (*[2]byte)(unsafe.Pointer(&a.Port)) // in network order
	binary.BigEndian.PutUint16(port[:], to.Port())
}
