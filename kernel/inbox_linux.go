package kernel

import (
	"encoding/binary"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/takt-rt/takt/clock"
)

const (
	batchIn     = 16      // datagrams to a system call
	maxDatagram = 1 << 16 // bytes; no UDP payload is longer
	controlIn   = 64      // bytes: a timestamp takes 32, a drop count 24
)

// An mmsghdr is struct mmsghdr of recvmmsg(2): a message and how long it was.
type mmsghdr struct {
	header unix.Msghdr
	length uint32
}

// An inbox is the memory that recvmmsg writes to. The headers point into it, so
// it lives on the heap and is never copied.
type inbox struct {
	headers  [batchIn]mmsghdr
	vectors  [batchIn]unix.Iovec
	from     [batchIn]unix.RawSockaddrInet4
	control  [batchIn][controlIn]byte
	payloads []byte
	batch    [batchIn]Datagram
	dropped  uint32
}

func newInbox() *inbox {
	in := &inbox{payloads: make([]byte, batchIn*maxDatagram)}
	for i := range in.headers {
		in.vectors[i].Base = &in.payloads[i*maxDatagram]
		in.vectors[i].SetLen(maxDatagram)
		h := &in.headers[i].header
		h.Iov = &in.vectors[i]
		h.SetIovlen(1)
		h.Name = (*byte)(unsafe.Pointer(&in.from[i]))
		h.Control = &in.control[i][0]
	}
	return in
}

// read returns what has arrived: with MSG_WAITFORONE it waits for something to
// arrive, with MSG_DONTWAIT it may return nothing. An error of an earlier send
// is no matter of the reader's.
func (in *inbox) read(fd, flags uintptr) ([]Datagram, error) {
	for i := range in.headers {
		h := &in.headers[i].header
		h.Namelen = unix.SizeofSockaddrInet4
		h.SetControllen(controlIn)
	}
	for {
		n, _, errno := unix.Syscall6(unix.SYS_RECVMMSG, fd,
			uintptr(unsafe.Pointer(&in.headers)), batchIn, flags, 0, 0)
		switch errno {
		case 0:
			return in.datagrams(int(n)), nil
		case unix.EAGAIN:
			return nil, nil
		case unix.EINTR, unix.ECONNREFUSED, unix.EHOSTUNREACH, unix.ENETUNREACH, unix.ENETDOWN:
			continue // reporting an error clears it
		default:
			return nil, errno
		}
	}
}

func (in *inbox) datagrams(n int) []Datagram {
	for i := range n {
		h := &in.headers[i]
		d := &in.batch[i]
		start := i * maxDatagram
		d.Payload = in.payloads[start : start+int(h.length) : start+maxDatagram]
		d.From = addrPort(&in.from[i])
		d.Arrival = 0
		in.readControl(d, in.control[i][:h.header.Controllen])
		d.Dropped = in.dropped
	}
	return in.batch[:n]
}

// readControl reads when the datagram arrived and how many were dropped.
func (in *inbox) readControl(d *Datagram, control []byte) {
	for len(control) >= unix.SizeofCmsghdr {
		h, data, rest, err := unix.ParseOneSocketControlMessage(control)
		if err != nil {
			return
		}
		switch {
		case h.Level != unix.SOL_SOCKET:
		case h.Type == unix.SCM_TIMESTAMPNS && len(data) >= int(unsafe.Sizeof(unix.Timespec{})):
			t := (*unix.Timespec)(unsafe.Pointer(&data[0]))
			d.Arrival = clock.Wall(t.Nano())
		case h.Type == unix.SO_RXQ_OVFL && len(data) >= 4:
			in.dropped = binary.NativeEndian.Uint32(data)
		}
		control = rest
	}
}

func addrPort(a *unix.RawSockaddrInet4) netip.AddrPort {
	port := (*[2]byte)(unsafe.Pointer(&a.Port)) // in network order
	return netip.AddrPortFrom(netip.AddrFrom4(a.Addr), binary.BigEndian.Uint16(port[:]))
}
