package wire

import "fmt"

// A ProtocolVersion is a version of RTPS.
type ProtocolVersion struct{ Major, Minor uint8 }

// String returns major and minor with a dot between.
func (v ProtocolVersion) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// A VendorID names an implementation of RTPS.
type VendorID [2]byte

// The vendors met in ROS 2 systems.
var (
	RTIConnext = VendorID{1, 0x01}
	OpenSplice = VendorID{1, 0x02}
	OpenDDS    = VendorID{1, 0x03}
	CoreDX     = VendorID{1, 0x06}
	RTIMicro   = VendorID{1, 0x0a}
	FastDDS    = VendorID{1, 0x0f}
	CycloneDDS = VendorID{1, 0x10}
	RustDDS    = VendorID{1, 0x12}
)

var vendorNames = map[VendorID]string{
	RTIConnext: "RTI Connext", OpenSplice: "OpenSplice", OpenDDS: "OpenDDS", CoreDX: "CoreDX",
	RTIMicro: "RTI Connext Micro", FastDDS: "Fast DDS", CycloneDDS: "Cyclone DDS", RustDDS: "RustDDS",
}

// String names the vendor, or gives its number.
func (v VendorID) String() string {
	if name, ok := vendorNames[v]; ok {
		return name
	}
	return fmt.Sprintf("vendor %02x.%02x", v[0], v[1])
}

// HeaderLen is the length of a message's header in bytes.
const HeaderLen = 20

// A Header begins a message (9.4.4). On the wire, without any byte order:
//
//	"RTPS" | version 2 | vendorId 2 | guidPrefix 12
type Header struct {
	Version ProtocolVersion
	Vendor  VendorID
	Prefix  GUIDPrefix // the sender
}

// Append appends the 20 bytes.
func (h Header) Append(b []byte) []byte {
	b = append(b, "RTPS"...)
	b = append(b, h.Version.Major, h.Version.Minor)
	b = append(b, h.Vendor[:]...)
	return append(b, h.Prefix[:]...)
}

// ParseHeader reads the header of a datagram. Any minor version is taken: a
// later one may only add.
func ParseHeader(b []byte) (h Header, err error) {
	if len(b) < HeaderLen {
		return h, &Error{"header", len(b), ShortDatagram}
	}
	if string(b[:4]) != "RTPS" {
		return h, &Error{"header", 0, NotRTPS}
	}
	h.Version = ProtocolVersion{b[4], b[5]}
	h.Vendor = VendorID(b[6:8])
	h.Prefix = GUIDPrefix(b[8:HeaderLen])
	if h.Version.Major != 2 {
		return h, &Error{"header", 4, UnsupportedVersion}
	}
	return h, nil
}
