package wire

import "testing"

func TestHeartbeatsOfPeers(t *testing.T) {
	fast, cyclone := EntityID{0, 0, 1, 3}, EntityID{0, 0, 2, 3}
	for _, c := range []struct {
		name string
		want Heartbeat
	}{
		{"cyclonedds-0.10.2/data_clock_reliable_hb", Heartbeat{Writer: cyclone, First: 5, Last: 14, Count: 3}},
		{"fastdds-2.9.1/data_clock_reliable_hb", Heartbeat{Writer: fast, First: 4, Last: 13, Count: 12}},
		{"fastdds-2.9.1/discovery_heartbeat_empty", Heartbeat{Writer: PublicationsWriter, First: 1, Last: 0, Count: 1}},
	} {
		got, err := ParseHeartbeat(find(t, packet(t, c.name), IDHeartbeat, 0))
		got.Reader = EntityID{} // not stated
		if err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
	// A Jazzy writer of 50 Hz seldom asks for an answer.
	h := must(ParseHeartbeat(find(t, packet(t, "ros2-jazzy-cyclonedds/header_sample_50"), IDHeartbeat, 0)))
	if !h.Final || h.Liveliness {
		t.Errorf("got %+v", h)
	}
}

func TestHeartbeatRefuses(t *testing.T) {
	const ids, count = "00000000 00000103 ", " 00000001"
	for _, c := range []struct {
		body string
		want Problem
	}{
		{ids + "0000000000000001 0000000000000001 0000", ShortBody},
		{ids + "0000000000000000 0000000000000000" + count, BadSequenceNumber}, // 0..0: both vendors refuse it
		{ids + "ffffffff00000000 0000000000000001" + count, BadSequenceNumber},
		{ids + "0000000000000003 0000000000000001" + count, BadRange},
		{ids + "0000000000000001 ffffffffffffffff" + count, BadRange},
		{ids + "0000000000000001 7fffffffffffffff" + count, BadSequenceNumber},
		{ids + "7fffffffffffffff 7ffffffffffffffe" + count, BadSequenceNumber},
	} {
		_, err := ParseHeartbeat(Submessage{ID: IDHeartbeat, Body: unhex(t, c.body)})
		wantProblem(t, err, c.want)
	}
	h, err := ParseHeartbeat(Submessage{ID: IDHeartbeat, Body: unhex(t, ids+"0000000000000008 0000000000000007"+count)})
	if err != nil || h.First != 8 || h.Last != 7 {
		t.Errorf("nothing to supply any more: %+v, %v", h, err)
	}
}
