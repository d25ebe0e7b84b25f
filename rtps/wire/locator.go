package wire

import (
	"fmt"
	"net/netip"
)

// A LocatorKind says what transport a locator's address belongs to.
type LocatorKind int32

// The kinds of locators that are met.
const (
	LocatorInvalid LocatorKind = -1
	LocatorUDPv4   LocatorKind = 1
	LocatorUDPv6   LocatorKind = 2
	LocatorTCPv4   LocatorKind = 4
	LocatorTCPv6   LocatorKind = 8
	LocatorSHM     LocatorKind = 16 // shared memory of Fast DDS
)

const locatorLen = 24

// A Locator is an address to send to (9.3.2). On the wire, in the byte order
// of what holds it:
//
//	kind 4 | port 4 | address 16
//
// An IPv4 address is in the last four bytes. A peer may announce kinds and
// addresses that are of no use here; they are not errors, only not an AddrPort.
type Locator struct {
	Kind    LocatorKind
	Port    uint32
	Address [16]byte
}

// UDPv4 returns the locator of an IPv4 address and port, also one mapped into
// IPv6, and an invalid locator for any other address.
func UDPv4(a netip.AddrPort) Locator {
	addr := a.Addr().Unmap()
	if !addr.Is4() {
		return Locator{Kind: LocatorInvalid}
	}
	l := Locator{Kind: LocatorUDPv4, Port: uint32(a.Port())}
	ip := addr.As4()
	copy(l.Address[12:], ip[:])
	return l
}

// AddrPort returns the address and port of UDP over IPv4 or IPv6, and false
// for any other kind, for port 0 and for the unspecified address: nothing can
// be sent there.
func (l Locator) AddrPort() (netip.AddrPort, bool) {
	var ip netip.Addr
	switch l.Kind {
	case LocatorUDPv4:
		ip = netip.AddrFrom4([4]byte(l.Address[12:]))
	case LocatorUDPv6:
		ip = netip.AddrFrom16(l.Address)
	default:
		return netip.AddrPort{}, false
	}
	if l.Port == 0 || l.Port > 0xffff || ip.IsUnspecified() {
		return netip.AddrPort{}, false
	}
	return netip.AddrPortFrom(ip, uint16(l.Port)), true
}

// String returns the address and port, or for what is no UDP address its kind,
// port and bytes.
func (l Locator) String() string {
	if a, ok := l.AddrPort(); ok {
		return a.String()
	}
	return fmt.Sprintf("kind %d port %d address %x", int32(l.Kind), l.Port, l.Address)
}

func (l Locator) append(b []byte, order Order) []byte {
	b = order.AppendUint32(b, uint32(l.Kind))
	b = order.AppendUint32(b, l.Port)
	return append(b, l.Address[:]...)
}

// parseLocator reads the first 24 bytes of b, which the caller has counted.
func parseLocator(b []byte, order Order) (l Locator) {
	l.Kind = LocatorKind(order.Uint32(b))
	l.Port = order.Uint32(b[4:])
	l.Address = [16]byte(b[8:locatorLen])
	return l
}
