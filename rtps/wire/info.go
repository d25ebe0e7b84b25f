package wire

const (
	flagInvalidate = 0x02 // INFO_TS
	flagMulticast  = 0x02 // INFO_REPLY
)

// An InfoTimestamp says when the samples that follow were written (8.3.7.10).
// On the wire: seconds 4 | fraction 4, or nothing with the invalidate flag,
// when the following samples have no timestamp.
type InfoTimestamp struct{ Timestamp Optional[Timestamp] }

// Append appends the whole submessage.
func (i InfoTimestamp) Append(b []byte, order Order) []byte {
	start := len(b)
	b = beginSubmessage(b, IDInfoTimestamp, flag(!i.Timestamp.Set, flagInvalidate), order)
	if i.Timestamp.Set {
		b = order.AppendUint32(b, i.Timestamp.Value.Seconds)
		b = order.AppendUint32(b, i.Timestamp.Value.Fraction)
	}
	return endSubmessage(b, start, order)
}

// ParseInfoTimestamp reads the body of an INFO_TS.
func ParseInfoTimestamp(s Submessage) (i InfoTimestamp, err error) {
	if s.is(flagInvalidate) {
		return i, nil
	}
	if len(s.Body) < 8 {
		return i, s.fail(len(s.Body), ShortBody)
	}
	order := s.Order()
	i.Timestamp = Some(Timestamp{order.Uint32(s.Body), order.Uint32(s.Body[4:])})
	return i, nil
}

// An InfoDest says which participant the submessages that follow are for
// (8.3.7.7). On the wire: guidPrefix 12; all zeros are whoever receives this.
type InfoDest struct{ Prefix GUIDPrefix }

// Append appends the whole submessage.
func (i InfoDest) Append(b []byte, order Order) []byte {
	start := len(b)
	b = beginSubmessage(b, IDInfoDest, 0, order)
	b = append(b, i.Prefix[:]...)
	return endSubmessage(b, start, order)
}

// ParseInfoDest reads the body of an INFO_DST.
func ParseInfoDest(s Submessage) (i InfoDest, err error) {
	if len(s.Body) < len(i.Prefix) {
		return i, s.fail(len(s.Body), ShortBody)
	}
	i.Prefix = GUIDPrefix(s.Body[:12])
	return i, nil
}

// An InfoSource says which participant the submessages that follow come from
// (8.3.7.9): Cyclone DDS packs those of several into one datagram. On the wire:
//
//	unused 4 | version 2 | vendorId 2 | guidPrefix 12
type InfoSource struct {
	Version ProtocolVersion
	Vendor  VendorID
	Prefix  GUIDPrefix
}

// Append appends the whole submessage.
func (i InfoSource) Append(b []byte, order Order) []byte {
	start := len(b)
	b = beginSubmessage(b, IDInfoSource, 0, order)
	b = append(b, 0, 0, 0, 0, i.Version.Major, i.Version.Minor)
	b = append(b, i.Vendor[:]...)
	b = append(b, i.Prefix[:]...)
	return endSubmessage(b, start, order)
}

// ParseInfoSource reads the body of an INFO_SRC.
func ParseInfoSource(s Submessage) (i InfoSource, err error) {
	if len(s.Body) < 20 {
		return i, s.fail(len(s.Body), ShortBody)
	}
	i.Version = ProtocolVersion{s.Body[4], s.Body[5]}
	i.Vendor = VendorID(s.Body[6:8])
	i.Prefix = GUIDPrefix(s.Body[8:20])
	return i, nil
}

// An InfoReply says where to send answers to what follows (8.3.7.8). On the
// wire, the second list only with the multicast flag:
//
//	numLocators 4 | locators 24 each | numLocators 4 | locators 24 each
type InfoReply struct {
	Unicast   []Locator
	Multicast []Locator
}

// Append appends the whole submessage.
func (i InfoReply) Append(b []byte, order Order) []byte {
	start := len(b)
	b = beginSubmessage(b, IDInfoReply, flag(len(i.Multicast) > 0, flagMulticast), order)
	b = appendLocators(b, i.Unicast, order)
	if len(i.Multicast) > 0 {
		b = appendLocators(b, i.Multicast, order)
	}
	return endSubmessage(b, start, order)
}

// ParseInfoReply reads the body of an INFO_REPLY. It allocates the lists.
func ParseInfoReply(s Submessage) (i InfoReply, err error) {
	var n int
	if i.Unicast, n, err = parseLocators(s, 0); err != nil {
		return InfoReply{}, err
	}
	if s.is(flagMulticast) {
		if i.Multicast, _, err = parseLocators(s, n); err != nil {
			return InfoReply{}, err
		}
	}
	return i, nil
}

func appendLocators(b []byte, all []Locator, order Order) []byte {
	b = order.AppendUint32(b, uint32(len(all)))
	for _, l := range all {
		b = l.append(b, order)
	}
	return b
}

// parseLocators reads a list at a byte of the body and returns where it ends.
func parseLocators(s Submessage, at int) (all []Locator, end int, err error) {
	b := s.Body[at:]
	if len(b) < 4 {
		return nil, 0, s.fail(len(s.Body), ShortBody)
	}
	n := s.Order().Uint32(b)
	if b = b[4:]; uint64(n)*locatorLen > uint64(len(b)) {
		return nil, 0, s.fail(len(s.Body), ShortBody)
	}
	for i := range int(n) {
		all = append(all, parseLocator(b[i*locatorLen:], s.Order()))
	}
	return all, at + 4 + int(n)*locatorLen, nil
}
