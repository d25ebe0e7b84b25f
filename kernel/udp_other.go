//go:build !linux

package kernel

import (
	"net/netip"
	"time"
)

// A UDP is a UDP socket.
type UDP struct{}

// ListenUDP returns a *NeedsLinuxError.
func ListenUDP(UDPConfig) (*UDP, error) {
	return nil, &NeedsLinuxError{"a UDP socket with the kernel's arrival times"}
}

// There is no UDP to call these of.

func (u *UDP) Serve(func([]Datagram)) error { return nil }
func (u *UDP) Send([]Message) (Sent, error) { return Sent{}, nil }
func (u *UDP) LocalAddr() netip.AddrPort    { return netip.AddrPort{} }
func (u *UDP) ReceiveBuffer() int           { return 0 }
func (u *UDP) Gather(time.Duration)         {}
func (u *UDP) Stop()                        {}
func (u *UDP) Close() error                 { return nil }
