package wire

import "testing"

// The image's first ten fragments are followed by a HEARTBEAT_FRAG that says so.
func TestHeartbeatFragOfAPeer(t *testing.T) {
	h, err := ParseHeartbeatFrag(find(t, packet(t, "ros2-jazzy-cyclonedds/image_first"), IDHeartbeatFrag, 0))
	if err != nil || h.Sequence != 1 || h.Last != 10 || !h.Writer.IsWriter() {
		t.Errorf("got %+v, %v", h, err)
	}
}

func TestHeartbeatFragRefuses(t *testing.T) {
	const ids, count = "00000000 00000103 ", " 00000001"
	for _, c := range []struct {
		body string
		want Problem
	}{
		{ids + "0000000000000001 00000001", ShortBody},
		{ids + "0000000000000000 00000001" + count, BadSequenceNumber},
		{ids + "0000000000000001 00000000" + count, BadFragment},
	} {
		_, err := ParseHeartbeatFrag(Submessage{ID: IDHeartbeatFrag, Body: unhex(t, c.body)})
		wantProblem(t, err, c.want)
	}
}
