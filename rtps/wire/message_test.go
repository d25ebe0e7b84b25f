package wire

import "testing"

// Seven participants of one process in one datagram: the prefix of each but
// the first comes by INFO_SRC, and each announces the GUID it speaks as.
func TestSourceChangesWithinAMessage(t *testing.T) {
	m := message(t, packet(t, "ros2-jazzy-cyclonedds/spdp_seven_participants"))
	seen := map[GUIDPrefix]bool{}
	withUserData := ""
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		if s.ID != IDData {
			continue
		}
		p := must(ParseParticipant(must(ParseData(s)).Payload))
		if p.GUID.Value != (GUID{m.Source, ParticipantEntity}) {
			t.Errorf("%v speaks of %v", m.Source, p.GUID.Value)
		}
		if !m.Timestamp.Set || m.Vendor != CycloneDDS || m.Version != (ProtocolVersion{2, 1}) {
			t.Errorf("%v %v %v", m.Timestamp, m.Vendor, m.Version)
		}
		seen[m.Source] = true
		withUserData += map[bool]string{true: "y", false: "n"}[len(p.UserData) > 0]
	}
	if len(seen) != 7 || withUserData[:4] != "ynny" {
		t.Errorf("%d participants, user data %s", len(seen), withUserData)
	}
}

func TestDestinationAndTime(t *testing.T) {
	m := message(t, packet(t, "fastdds-2.9.1/data_clock_best_effort"))
	if m.Vendor != FastDDS || m.Version != (ProtocolVersion{2, 3}) || m.Timestamp.Set || !m.For(GUIDPrefix{1}) {
		t.Errorf("at the start: %+v", m)
	}
	peer := GUIDPrefix(m.datagram[24:36]) // the body of the INFO_DST that comes first
	for _, ok := m.Next(); ok; _, ok = m.Next() {
		continue
	}
	if m.Destination != peer || !m.For(peer) || m.For(GUIDPrefix{1}) || !m.Timestamp.Set {
		t.Errorf("at the end: %+v", m)
	}
}

func TestInfoChangesWhatFollows(t *testing.T) {
	const (
		ts         = "09010800 0100000000000080"
		invalidate = "09030000"
		invalid    = "09010800 ffffffffffffffff"
		toAll      = "0e010c00 000000000000000000000000"
		toOne      = "0e010c00 0102030405060708090a0b0c"
		source     = "0c011400 00000000 0201 0110 0110aaaaaaaaaaaaaaaaaaaa"
	)
	one := GUIDPrefix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	for _, c := range []struct {
		body   string
		time   Optional[Timestamp]
		dest   GUIDPrefix
		vendor VendorID
	}{
		{ts, Some(Timestamp{1, 0x80000000}), GUIDPrefix{}, VendorID{1, 0x63}},
		{ts + invalidate, Optional[Timestamp]{}, GUIDPrefix{}, VendorID{1, 0x63}},
		{ts + invalid, Optional[Timestamp]{}, GUIDPrefix{}, VendorID{1, 0x63}},
		{toOne + ts, Some(Timestamp{1, 0x80000000}), one, VendorID{1, 0x63}},
		{toOne + toAll, Optional[Timestamp]{}, GUIDPrefix{}, VendorID{1, 0x63}},
		{toOne + ts + source, Optional[Timestamp]{}, one, CycloneDDS}, // the time was the other's
	} {
		m := message(t, unhex(t, testHeader+c.body))
		for _, ok := m.Next(); ok; _, ok = m.Next() {
			continue
		}
		if m.Err() != nil || m.Timestamp != c.time || m.Destination != c.dest || m.Vendor != c.vendor {
			t.Errorf("%s: %+v, %v", c.body, m, m.Err())
		}
	}
}

// After a submessage that is bad within, the next is still found; after a bad
// INFO_DST nobody knows for whom the rest is.
func TestBadSubmessagesAndTheRest(t *testing.T) {
	const heartbeat = "07011c00 00000000 00000103 00000000 01000000 00000000 01000000 01000000"
	got, err := walk(t, "15010400 00001000"+heartbeat)
	if err != nil || len(got) != 2 {
		t.Errorf("after a bad DATA: %v, %v", got, err)
	}
	got, err = walk(t, "0e010400 01020304"+heartbeat)
	wantProblem(t, err, ShortBody)
	if len(got) != 0 {
		t.Errorf("after a bad INFO_DST: %v", got)
	}
}
