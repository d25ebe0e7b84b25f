package rosmsg

import (
	"fmt"
	"hash/fnv"

	"github.com/takt-rt/takt/cdr"
)

// A ServiceEvent is what service introspection tells of one step of a call:
// the service_msgs/ServiceEventInfo that every message of a type ending in
// _Event begins with (REP 2012).
type ServiceEvent struct {
	Step     uint8  // 0 request sent, 1 request received, 2 response sent, 3 response received
	Stamp    int64  // nanoseconds, of the clock of the node that took the step
	Client   uint64 // the client's gid, hashed (64-bit FNV-1a) to the size of a number
	Sequence int64  // of the request, counted by the client
}

// ReadServiceEvent reads the beginning of a message of a type ending in
// _Event. It does not allocate.
//
// Layout: event_type 1 | pad 3 | stamp 8 | client_gid 16 | pad 4 | sequence_number 8
func ReadServiceEvent(msg []byte) (ServiceEvent, error) {
	r := cdr.NewReader(msg)
	step := r.Uint8()
	if step > 3 {
		r.Fail("event_type", fmt.Sprintf("%d is none of 0 to 3; the message is not a service event", step))
	}
	e := ServiceEvent{Step: step, Stamp: readTime(&r)}
	gid := r.Bytes(16, "client_gid")
	e.Sequence = r.Int64()
	if err := r.Err(); err != nil {
		return ServiceEvent{}, err
	}
	h := fnv.New64a()
	h.Write(gid)
	e.Client = h.Sum64()
	return e, nil
}
