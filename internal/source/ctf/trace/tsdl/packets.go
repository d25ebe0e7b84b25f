package tsdl

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// MaxSize is how much metadata is read, in bytes. The metadata of a kernel
// trace with every system call has a tenth of it.
const MaxSize = 16 << 20

// The header of a metadata packet (CTF 1.8.3, 4.1.7.1), in the byte order of
// the tracer, 37 bytes:
//
//	magic 4 | uuid 16 | checksum 4 | content size 4 | packet size 4 |
//	compression 1 | encryption 1 | checksum scheme 1 | major 1 | minor 1
//
// Sizes are in bits and count the header.
const (
	packetMagic     = 0x75D11D57
	packetHeaderLen = 37
)

// signature begins metadata that is not in packets.
var signature = []byte("/* CTF ")

// Is reports whether a file that begins with head, at least 8 bytes, looks
// like metadata.
func Is(head []byte) bool { return bytes.HasPrefix(head, signature) || packetOrder(head) != nil }

func packetOrder(b []byte) binary.ByteOrder {
	switch {
	case len(b) < 4:
		return nil
	case binary.LittleEndian.Uint32(b) == packetMagic:
		return binary.LittleEndian
	case binary.BigEndian.Uint32(b) == packetMagic:
		return binary.BigEndian
	}
	return nil
}

// Read reads a metadata file, whether its text is in packets or not. The bytes
// that tell what order native is are those of the packets, else the text has to say.
func Read(b []byte) (*Metadata, error) {
	if len(b) > MaxSize {
		return nil, &Error{0, fmt.Sprintf("it has more than %d MiB; a tracer writes less for thousands of kinds of events", MaxSize>>20)}
	}
	order := packetOrder(b)
	if order == nil {
		if !bytes.HasPrefix(b, signature) {
			return nil, &Error{0, `it begins neither as a packet nor with "/* CTF 1.8 */", so this is no CTF 1.8 trace`}
		}
		return Parse(b)
	}
	text, err := unpack(b, order)
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

// unpack returns the text of metadata packets.
func unpack(b []byte, order binary.ByteOrder) (text []byte, err error) {
	for at := 0; at < len(b); {
		p := b[at:]
		if len(p) < packetHeaderLen {
			return nil, &Error{0, fmt.Sprintf("the packet at byte %d ends within its header", at)}
		}
		content, packet := uint64(order.Uint32(p[24:])), uint64(order.Uint32(p[28:]))
		switch {
		case order.Uint32(p) != packetMagic:
			return nil, &Error{0, fmt.Sprintf("no packet begins at byte %d", at)}
		case p[32] != 0 || p[33] != 0:
			return nil, &Error{0, "it is compressed or encrypted, which takt does not read"}
		case p[35] != 1 || p[36] != 8:
			return nil, &Error{0, fmt.Sprintf("it is of CTF %d.%d; takt reads 1.8", p[35], p[36])}
		case content%8 != 0 || packet%8 != 0 || content < packetHeaderLen*8 || content > packet || packet/8 > uint64(len(p)):
			return nil, &Error{0, fmt.Sprintf("the packet at byte %d says that it has %d of %d bits, and %d bytes are there", at, content, packet, len(p))}
		}
		text = append(text, p[packetHeaderLen:content/8]...)
		at += int(packet / 8)
	}
	return text, nil
}
