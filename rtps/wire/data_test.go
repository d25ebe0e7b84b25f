package wire

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// An encapsulation header and 101 s 123456789 ns: 0x65 and 0x075bcd15.
const clockAt101 = "00010000 65000000 15cd5b07"

func TestClockSamplesOfPeers(t *testing.T) {
	for _, c := range []struct {
		name    string
		version ProtocolVersion
		vendor  VendorID
		want    Data
		payload string
	}{
		{"cyclonedds-0.10.2/data_clock_best_effort", ProtocolVersion{2, 1}, CycloneDDS,
			Data{Writer: EntityID{0, 0, 2, 3}, Sequence: 2}, clockAt101},
		{"fastdds-2.9.1/data_clock_best_effort", ProtocolVersion{2, 3}, FastDDS,
			Data{Reader: EntityID{0, 0, 1, 4}, Writer: EntityID{0, 0, 1, 3}, Sequence: 2}, clockAt101},
	} {
		b := packet(t, c.name)
		m := message(t, b)
		if m.Version != c.version || m.Vendor != c.vendor {
			t.Errorf("%s: %v %v", c.name, m.Version, m.Vendor)
		}
		d, err := ParseData(find(t, b, IDData, 0))
		if err != nil || d.Reader != c.want.Reader || d.Writer != c.want.Writer || d.Sequence != c.want.Sequence ||
			d.Key || d.NonStandard || d.InlineQoS != nil {
			t.Errorf("%s: %+v, %v", c.name, d, err)
		}
		if !bytes.Equal(d.Payload, unhex(t, c.payload)) {
			t.Errorf("%s: payload %x", c.name, d.Payload)
		}
	}
	ts := must(ParseInfoTimestamp(find(t, packet(t, "cyclonedds-0.10.2/data_clock_best_effort"), IDInfoTimestamp, 0)))
	if ts.Timestamp != Some(Timestamp{1796172607, 0x1a86c177}) {
		t.Errorf("%v", ts)
	}
}

func TestSequenceAndPayloadOfPeers(t *testing.T) {
	for _, c := range []struct {
		name     string
		sequence SequenceNumber
		payload  int
	}{
		{"cyclonedds-0.10.2/data_clock_reliable_hb", 14, 12},
		{"fastdds-2.9.1/data_clock_reliable_hb", 13, 12},
		{"ros2-jazzy-cyclonedds/clock_sample_200", 200, 12},
		{"ros2-jazzy-cyclonedds/clock_sample_201", 201, 12},
		{"ros2-jazzy-cyclonedds/chatter_sample_10", 10, 16},
		{"ros2-jazzy-cyclonedds/header_sample_50", 50, 20},
		{"ros2-jazzy-cyclonedds/graph_first", 2, 76},
		{"ros2-jazzy-cyclonedds/graph_complete", 11, 348},
		{"ros2-jazzy-cyclonedds/service_request", 4, 24},
	} {
		d, err := ParseData(find(t, packet(t, c.name), IDData, 0))
		if err != nil || d.Sequence != c.sequence || len(d.Payload) != c.payload {
			t.Errorf("%s: sequence number %d, %d bytes, %v", c.name, d.Sequence, len(d.Payload), err)
		}
	}
	empty := must(ParseData(find(t, packet(t, "ros2-jazzy-cyclonedds/graph_empty"), IDData, 0)))
	if len(empty.Payload) != 24 {
		t.Errorf("a graph of no nodes has %d bytes", len(empty.Payload))
	}
	oneSecond := must(ParseData(find(t, packet(t, "ros2-jazzy-cyclonedds/clock_sample_200"), IDData, 0)))
	if !bytes.Equal(oneSecond.Payload, unhex(t, "00010000 01000000 00000000")) {
		t.Errorf("/clock at 1 s: %x", oneSecond.Payload)
	}
	// A call of a service and its answer carry the same 16 bytes.
	client := unhex(t, "2bcada392467f56c 0400000000000000")
	for _, name := range []string{"service_request", "service_reply"} {
		d := must(ParseData(find(t, packet(t, "ros2-jazzy-cyclonedds/"+name), IDData, 0)))
		if !bytes.Equal(d.Payload[4:20], client) {
			t.Errorf("%s: %x", name, d.Payload)
		}
	}
}

func TestHistoryInOneDatagram(t *testing.T) {
	for name, want := range map[string]int{
		"cyclonedds-0.10.2/data_clock_tl_replay": 7,
		"fastdds-2.9.1/data_clock_tl_replay":     10,
	} {
		b := packet(t, name)
		first := must(ParseData(find(t, b, IDData, 0))).Sequence
		last := must(ParseData(find(t, b, IDData, want-1))).Sequence
		if last != first+SequenceNumber(want)-1 {
			t.Errorf("%s: %d to %d", name, first, last)
		}
	}
}

func TestDataFlags(t *testing.T) {
	qos := InlineQoS{Status: Some(Disposed | Unregistered)}
	for _, order := range []Order{binary.LittleEndian, binary.BigEndian} {
		for _, want := range []Data{
			{Sequence: 1},
			{Sequence: 1, Payload: []byte{}},
			{Sequence: 1, Payload: []byte{0, 1, 0, 0}},
			{Sequence: 1, Payload: []byte{0, 3, 0, 0}, Key: true},
			{Sequence: 1, InlineQoS: qos.Append(nil, order)},
			{Sequence: 1, InlineQoS: qos.Append(nil, order), Payload: []byte{0, 3, 0, 0}, Key: true},
			{Sequence: MaxSequence, Payload: []byte{1, 2, 3, 4}, NonStandard: true},
		} {
			b := want.Append(unhex(t, testHeader), order)
			got, err := ParseData(find(t, b, IDData, 0))
			if err != nil || !sameData(got, want) {
				t.Errorf("%v: got %+v, %v, want %+v", order, got, err, want)
			}
		}
	}
}

func sameData(a, b Data) bool {
	same := bytes.Equal(a.Payload, b.Payload) && bytes.Equal(a.InlineQoS, b.InlineQoS) &&
		(a.Payload == nil) == (b.Payload == nil) && (a.InlineQoS == nil) == (b.InlineQoS == nil)
	a.Payload, a.InlineQoS, b.Payload, b.InlineQoS = nil, nil, nil, nil
	return same && a.Reader == b.Reader && a.Writer == b.Writer && a.Sequence == b.Sequence &&
		a.Key == b.Key && a.NonStandard == b.NonStandard
}

// A later version may have more fields before the inline QoS.
func TestDataWithFieldsOfALaterVersion(t *testing.T) {
	d, err := ParseData(Submessage{ID: IDData, Flags: flagData, Body: unhex(t,
		"0000 0014 00000000 00000103 0000000000000007 aabbccdd 00010000")})
	if err != nil || d.Sequence != 7 || !bytes.Equal(d.Payload, []byte{0, 1, 0, 0}) {
		t.Errorf("got %+v, %v", d, err)
	}
}

func TestDataRefuses(t *testing.T) {
	const ids = "00000000 00000103"
	for _, c := range []struct {
		flags uint8
		body  string
		want  Problem
	}{
		{flagData, "0000 0010" + ids + "00000000000000", ShortBody},
		{flagData | flagKey, "0000 0010" + ids + "0000000000000001 00010000", BadFlags},
		{flagData, "0000 0010" + ids + "0000000000000000 00010000", BadSequenceNumber},
		{flagData, "0000 0010" + ids + "ffffffff00000000 00010000", BadSequenceNumber},
		{flagData, "0000 000f" + ids + "0000000000000001 00010000", BadInlineQoSOffset},
		{flagData, "0000 0014" + ids + "0000000000000001 00010000", noProblem},
		{flagData, "0000 0015" + ids + "0000000000000001 00010000", BadInlineQoSOffset},
		{flagInlineQoS, "0000 0010" + ids + "0000000000000001", NoSentinel},
		{flagInlineQoS, "0000 0010" + ids + "0000000000000001 0071 0004 00000003", NoSentinel},
		{flagInlineQoS, "0000 0010" + ids + "0000000000000001 0071 0005 00000003 00 0001 0000", UnalignedParameter},
		{flagInlineQoS, "0000 0010" + ids + "0000000000000001 0071 0010 00000003 0001 0000", ShortParameter},
	} {
		_, err := ParseData(Submessage{ID: IDData, Flags: c.flags, Body: unhex(t, c.body)})
		if c.want == noProblem && err == nil {
			continue
		}
		wantProblem(t, err, c.want)
	}
}

func TestErrorsSayWhere(t *testing.T) {
	_, err := ParseData(Submessage{ID: IDData, Flags: flagInlineQoS, Offset: 32, Body: unhex(t,
		"0000 0010 00000000 00000103 0000000000000001 0071 0004 00000003 0070 0003")})
	const want = "rtps: DATA at byte 64: the parameter's length is not a multiple of 4"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
