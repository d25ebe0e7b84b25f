package wire

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// Each vendor says in its own way that a participant left; the constructed
// packet says it in both.
func TestDisposesOfPeers(t *testing.T) {
	for _, c := range []struct {
		name         string
		hash, key    bool
		entity       EntityID
		hasSampleID  bool
		participants bool
	}{
		{"cyclonedds-0.10.2/spdp_dispose", false, true, ParticipantEntity, false, true},
		{"cyclonedds-0.10.2/sedp_pub_dispose", false, true, EntityID{0, 0, 2, 3}, false, false},
		{"fastdds-2.9.1/spdp_dispose", true, false, ParticipantEntity, true, true},
		{"fastdds-2.9.1/sedp_pub_dispose", true, false, EntityID{0, 0, 1, 3}, false, false},
		{"constructed/spdp_dispose", true, true, ParticipantEntity, false, true},
		{"constructed/sedp_pub_dispose", true, true, EntityID{0, 0, 1, 3}, false, false},
		{"ros2-jazzy-cyclonedds/spdp_dispose", false, true, ParticipantEntity, false, true},
	} {
		b := packet(t, c.name)
		m := message(t, b)
		s := find(t, b, IDData, 0)
		d := must(ParseData(s))
		q, err := ParseInlineQoS(d.InlineQoS, s.Order(), m.Vendor)
		if err != nil || q.Status != Some(Disposed|Unregistered) || q.KeyHash.Set != c.hash || q.RelatedSample.Set != c.hasSampleID {
			t.Errorf("%s: %+v, %v", c.name, q, err)
		}
		gone := GUID{m.Source, c.entity}
		if c.hash && ParseGUID(q.KeyHash.Value) != gone {
			t.Errorf("%s: hash %x", c.name, q.KeyHash.Value)
		}
		if d.Key != c.key || d.Key && keyOf(t, d, c.participants) != gone {
			t.Errorf("%s: key %x", c.name, d.Payload)
		}
	}
}

func keyOf(t *testing.T, d Data, participants bool) GUID {
	t.Helper()
	if participants {
		return must(ParseParticipant(d.Payload)).GUID.Value
	}
	return must(ParseEndpoint(d.Payload)).GUID.Value
}

// The inline QoS and key of the constructed packets are what we would write.
func TestDisposeAsConstructed(t *testing.T) {
	b := packet(t, "constructed/spdp_dispose")
	m := message(t, b)
	gone := GUID{m.Source, ParticipantEntity}
	q := InlineQoS{KeyHash: Some(gone.Bytes()), Status: Some(Disposed | Unregistered)}
	key := ParticipantData{GUID: Some(gone)}
	d := must(ParseData(find(t, b, IDData, 0)))
	if got := q.Append(nil, binary.LittleEndian); !bytes.Equal(got, d.InlineQoS) {
		t.Errorf("got %x, want %x", got, d.InlineQoS)
	}
	if got := key.Append(nil, binary.LittleEndian); !bytes.Equal(got, d.Payload) {
		t.Errorf("got %x, want %x", got, d.Payload)
	}
}

// Status info is big endian in a little-endian list.
func TestStatusInfoOnTheWire(t *testing.T) {
	got := InlineQoS{Status: Some(Unregistered)}.Append(nil, binary.LittleEndian)
	if want := unhex(t, "7100 0400 00000002 0100 0000"); !bytes.Equal(got, want) {
		t.Errorf("got %x", got)
	}
}

func TestInlineQoSSurvivesTheWire(t *testing.T) {
	want := InlineQoS{
		KeyHash:        Some([16]byte{1, 15: 2}),
		Status:         Some(Disposed),
		RelatedSample:  Some(SampleIdentity{GUID{GUIDPrefix{1}, EntityID{0, 0, 1, 4}}, SequenceUnknown}),
		OriginalWriter: Some(SampleIdentity{GUID{GUIDPrefix{2}, EntityID{0, 0, 1, 3}}, 5}),
		CoherentSet:    Some(SequenceNumber(9)),
	}
	for _, order := range []Order{binary.LittleEndian, binary.BigEndian} {
		if got, err := ParseInlineQoS(want.Append(nil, order), order, CycloneDDS); err != nil || got != want {
			t.Errorf("%v: got %+v, %v", order, got, err)
		}
	}
}

// 0x800f is a related sample of Fast DDS and RTI; of others it is unknown.
func TestVendorsParametersMeanWhatTheVendorSays(t *testing.T) {
	b := unhex(t, "800f 0018 0102030405060708090a0b0c 00000104 0000000000000003 7fff 0000 0001 0000")
	want := SampleIdentity{GUID{GUIDPrefix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, EntityID{0, 0, 1, 4}}, 3}
	for vendor, set := range map[VendorID]bool{FastDDS: true, RTIConnext: true, CycloneDDS: false, {1, 0x63}: false} {
		q, err := ParseInlineQoS(b, binary.BigEndian, vendor)
		if err != nil || q.RelatedSample.Set != set || set && q.RelatedSample.Value != want {
			t.Errorf("%v: %+v, %v", vendor, q, err)
		}
	}
}

func TestInlineQoSRefuses(t *testing.T) {
	for _, c := range []struct {
		b    string
		want Problem
	}{
		{"0070 0004 00000000 0001 0000", ShortParameter},
		{"0071 0000 0001 0000", ShortParameter},
		{"0083 0010 00000000000000000000000000000000 0001 0000", ShortParameter},
		{"0071 0004 00000000", NoSentinel},
	} {
		_, err := ParseInlineQoS(unhex(t, c.b), binary.BigEndian, FastDDS)
		wantProblem(t, err, c.want)
	}
}
