package rtps

import (
	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// An EventKind says what happened.
type EventKind uint8

// The kinds of events. Those of remote writers and readers come whether they
// match anything here or not.
const (
	ParticipantFound EventKind = iota + 1
	ParticipantChanged
	ParticipantLeft // it said so
	ParticipantLost // its lease ran out
	WriterFound
	WriterChanged
	WriterGone
	ReaderFound
	ReaderChanged
	ReaderGone
	Matched            // Local and Remote exchange samples from now on
	Unmatched          // and no longer
	Incompatible       // of one topic and partition, but they never connect; the policies are named
	DeadlineMissed     // of Remote's samples, or of a writer's own if Remote is zero
	LivelinessLost     // Remote's lease ran out
	LivelinessRegained // and it is heard again
	SampleLost         // Count samples of Remote never reach Local
	SampleRejected     // Count samples of Remote had no room; they are asked for again
)

var eventNames = [...]string{
	ParticipantFound: "participant found", ParticipantChanged: "participant changed",
	ParticipantLeft: "participant left", ParticipantLost: "participant lost",
	WriterFound: "writer found", WriterChanged: "writer changed", WriterGone: "writer gone",
	ReaderFound: "reader found", ReaderChanged: "reader changed", ReaderGone: "reader gone",
	Matched: "matched", Unmatched: "unmatched", Incompatible: "incompatible",
	DeadlineMissed: "deadline missed", LivelinessLost: "liveliness lost",
	LivelinessRegained: "liveliness regained", SampleLost: "sample lost", SampleRejected: "sample rejected",
}

// String names the kind.
func (k EventKind) String() string {
	if int(k) < len(eventNames) && eventNames[k] != "" {
		return eventNames[k]
	}
	return "unknown event"
}

// An Event is something that happened in a domain, or to an endpoint here.
// What its kind has no use for is zero.
type Event struct {
	Kind   EventKind
	At     clock.Mono
	Local  wire.EntityID // the writer or reader here
	Remote wire.GUID     // the participant, writer or reader elsewhere

	Participant *wire.ParticipantData // of ParticipantFound to ParticipantLost; not to be changed
	Endpoint    *wire.EndpointData    // of WriterFound to ReaderGone; not to be changed
	Vendor      wire.VendorID         // of the two above
	Mismatches  []qos.Mismatch        // of Incompatible
	Count       uint64                // of DeadlineMissed, SampleLost and SampleRejected: how many since the last
}
