package wire

// The kinds of a ParticipantMessage; raw bytes, in no byte order.
var (
	AssertsAutomatic = [4]byte{0, 0, 0, 1} // all writers of automatic liveliness
	AssertsManual    = [4]byte{0, 0, 0, 2} // all of ManualByParticipant
)

// A ParticipantMessage says that the writers of a participant are alive
// (8.4.13). It is the payload of DATA from ParticipantMessageWriter, in plain
// CDR:
//
//	encapsulation 4 | guidPrefix 12 | kind 4 | length of data 4 | data
//
// The data mean nothing; Cyclone DDS sends one octet. Prefix and kind are also
// the key, so that a reader keeps the newest of each.
type ParticipantMessage struct {
	Prefix GUIDPrefix
	Kind   [4]byte
}

const participantMessageLen = 24

// Append appends the payload, its data empty.
func (p ParticipantMessage) Append(b []byte, order Order) []byte {
	b = append(b, 0, flag(littleEndian(order), 1), 0, 0)
	b = append(b, p.Prefix[:]...)
	b = append(b, p.Kind[:]...)
	return order.AppendUint32(b, 0)
}

// ParseParticipantMessage reads the payload. The data are left unread.
func ParseParticipantMessage(payload []byte) (p ParticipantMessage, err error) {
	switch {
	case len(payload) < participantMessageLen:
		return p, &Error{"participant message", len(payload), ShortBody}
	case payload[0] != 0 || payload[1] > 1:
		return p, &Error{"participant message", 0, NotPlainCDR}
	}
	p.Prefix = GUIDPrefix(payload[4:16])
	p.Kind = [4]byte(payload[16:20])
	return p, nil
}
