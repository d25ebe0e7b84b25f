package rosmsg

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/takt-rt/takt/cdr"
)

func TestReadServiceEvent(t *testing.T) {
	var got []ServiceEvent
	for _, r := range readRecorded(t) {
		if !strings.HasSuffix(r.Type, "AddTwoInts_Event") {
			continue
		}
		e, err := ReadServiceEvent(r.msg(t))
		if err != nil {
			t.Error(err)
		}
		got = append(got, e)
	}
	// The client's gid is 010feb7d6c2aa9d20000000000001304; its FNV-1a hash was computed apart.
	want := []ServiceEvent{
		{Step: 1, Stamp: 1697521953_726063806, Client: 0x183ba0e7468a74f, Sequence: 1},
		{Step: 2, Stamp: 1697521953_726269239, Client: 0x183ba0e7468a74f, Sequence: 1},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestReadServiceEventErrors(t *testing.T) {
	for name, msg := range map[string]string{
		"no such step": "00010000 04000000 0000000000000000 00000000000000000000000000000000 00000000 0100000000000000",
		"cut":          "00010000 01000000 0000000000000000 00000000000000000000000000000000 00000000 01000000000000",
		"nothing":      "00010000",
	} {
		var e *cdr.Error
		if got, err := ReadServiceEvent(unhex(t, msg)); !errors.As(err, &e) || got != (ServiceEvent{}) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}
