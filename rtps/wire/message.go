package wire

// A Message walks the submessages of one datagram and keeps what holds for
// those that follow (8.3.4): who sent them, to whom, and when. It holds the
// datagram and is good for one walk by one goroutine.
//
// Reply locators (INFO_REPLY) are not part of it: ROS 2 participants answer to
// the locators that discovery announced.
type Message struct {
	Version     ProtocolVersion     // of the source
	Vendor      VendorID            // of the source
	Source      GUIDPrefix          // the participant speaking: the header's, until an INFO_SRC
	Destination GUIDPrefix          // the participant spoken to; zero is whoever receives this
	Timestamp   Optional[Timestamp] // of the following samples at their writer

	datagram []byte
	next     int // offset of the next submessage
	err      error
}

// ParseMessage reads the header of a datagram and stands before its first
// submessage.
func ParseMessage(datagram []byte) (Message, error) {
	h, err := ParseHeader(datagram)
	if err != nil {
		return Message{}, err
	}
	return Message{
		Version: h.Version, Vendor: h.Vendor, Source: h.Prefix,
		datagram: datagram, next: HeaderLen,
	}, nil
}

// Next returns the next submessage of any kind, known or not, after taking
// over what it says about those that follow. It returns false at the end and
// where the walk cannot go on, which Err tells apart.
//
// A submessage whose contents are bad does not end the walk, since the next
// one's place is known. A bad INFO_* does: whose the rest is cannot be known.
func (m *Message) Next() (s Submessage, ok bool) {
	if m.err != nil || m.next >= len(m.datagram) {
		return s, false
	}
	s, m.err = parseSubmessage(m.datagram, m.next)
	if m.err == nil {
		m.next += submessageHeaderLen + len(s.Body)
		m.err = m.follow(s)
	}
	return s, m.err == nil
}

// Err returns why the walk ended before the end of the datagram, or nil.
func (m *Message) Err() error { return m.err }

// For reports whether what follows is meant for a participant.
func (m *Message) For(p GUIDPrefix) bool {
	return m.Destination == GUIDPrefix{} || m.Destination == p
}

// follow takes over what an INFO_* submessage says.
func (m *Message) follow(s Submessage) error {
	switch s.ID {
	case IDInfoTimestamp:
		i, err := ParseInfoTimestamp(s)
		m.Timestamp = i.Timestamp
		if i.Timestamp.Value == InvalidTimestamp {
			m.Timestamp = Optional[Timestamp]{}
		}
		return err
	case IDInfoDest:
		i, err := ParseInfoDest(s)
		m.Destination = i.Prefix
		return err
	case IDInfoSource:
		i, err := ParseInfoSource(s)
		m.Version, m.Vendor, m.Source = i.Version, i.Vendor, i.Prefix
		m.Timestamp = Optional[Timestamp]{} // of the other source (8.3.7.9)
		return err
	}
	return nil
}
