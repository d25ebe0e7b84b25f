package wire

import (
	"encoding/hex"
	"fmt"
)

// A GUIDPrefix names a participant; 12 bytes. By convention it begins with the
// vendor's id. The zero prefix is nobody, or everybody as a destination.
type GUIDPrefix [12]byte

// String returns the bytes in hexadecimal.
func (p GUIDPrefix) String() string { return hex.EncodeToString(p[:]) }

// An EntityID names an entity within its participant: three bytes of key and
// one of kind. The zero EntityID addresses all readers or writers that match.
type EntityID [4]byte

// The entities every participant has (9.3.1.3).
var (
	ParticipantEntity        = EntityID{0, 0, 1, 0xc1}
	TopicsWriter             = EntityID{0, 0, 2, 0xc2} // of Cyclone DDS only
	TopicsReader             = EntityID{0, 0, 2, 0xc7}
	PublicationsWriter       = EntityID{0, 0, 3, 0xc2} // SEDP: announces writers
	PublicationsReader       = EntityID{0, 0, 3, 0xc7}
	SubscriptionsWriter      = EntityID{0, 0, 4, 0xc2} // SEDP: announces readers
	SubscriptionsReader      = EntityID{0, 0, 4, 0xc7}
	ParticipantsWriter       = EntityID{0, 1, 0, 0xc2} // SPDP, best effort
	ParticipantsReader       = EntityID{0, 1, 0, 0xc7}
	ParticipantMessageWriter = EntityID{0, 2, 0, 0xc2} // liveliness
	ParticipantMessageReader = EntityID{0, 2, 0, 0xc7}
	TypeLookupRequestWriter  = EntityID{0, 3, 0, 0xc3}
	TypeLookupRequestReader  = EntityID{0, 3, 0, 0xc4}
	TypeLookupReplyWriter    = EntityID{0, 3, 1, 0xc3}
	TypeLookupReplyReader    = EntityID{0, 3, 1, 0xc4}
)

// The kinds of entities (9.3.1.2), without the two bits that say whose they are.
const (
	KindParticipant byte = 0x01
	KindKeyedWriter byte = 0x02
	KindWriter      byte = 0x03 // without a key, as all ordinary ROS topics
	KindReader      byte = 0x04
	KindKeyedReader byte = 0x07
)

const (
	kindMask   = 0x3f
	originMask = 0xc0
	vendors    = 0x40
	builtin    = 0xc0
)

// Kind returns the kind without the bits that say whose the entity is.
func (e EntityID) Kind() byte { return e[3] & kindMask }

// IsWriter reports a writer, with or without a key.
func (e EntityID) IsWriter() bool { return e.Kind() == KindWriter || e.Kind() == KindKeyedWriter }

// IsReader reports a reader, with or without a key.
func (e EntityID) IsReader() bool { return e.Kind() == KindReader || e.Kind() == KindKeyedReader }

// Keyed reports a writer or reader of a topic with a key. One with and one
// without a key never match.
func (e EntityID) Keyed() bool { return e.Kind() == KindKeyedWriter || e.Kind() == KindKeyedReader }

// Builtin reports an entity that the protocol defines.
func (e EntityID) Builtin() bool { return e[3]&originMask == builtin }

// VendorSpecific reports an entity of a vendor's own.
func (e EntityID) VendorSpecific() bool { return e[3]&originMask == vendors }

// String returns the bytes in hexadecimal.
func (e EntityID) String() string { return hex.EncodeToString(e[:]) }

// A GUID names an entity in its domain.
type GUID struct {
	Prefix GUIDPrefix
	Entity EntityID
}

const guidLen = 16

// ParseGUID reads 16 bytes, such as a key hash of a builtin topic. Byte order
// does not matter to a GUID.
func ParseGUID(b [guidLen]byte) GUID {
	return GUID{GUIDPrefix(b[:12]), EntityID(b[12:])}
}

// Bytes returns the GUID as it is on the wire.
func (g GUID) Bytes() (b [guidLen]byte) {
	copy(b[:], g.Prefix[:])
	copy(b[12:], g.Entity[:])
	return b
}

// String returns prefix and entity in hexadecimal with a colon between.
func (g GUID) String() string { return fmt.Sprintf("%v:%v", g.Prefix, g.Entity) }
