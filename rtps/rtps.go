// Package rtps speaks RTPS as a measuring instrument: the reliable protocol
// of one writer and one reader as machines that see the sequence number and
// the arrival of every sample, what was repaired and what was never to come.
//
// A machine is handed the instant now and what arrived, and appends what is to
// be sent to a buffer of its caller. It has no socket, no goroutine and no
// clock: the caller sends what it got, waits until Next or the next datagram,
// and calls Tick whenever Next has come. Machines are not safe for concurrent
// use. What a Write, a Tick or a datagram returns is good until the next call.
//
// The rules are those of OMG DDSI-RTPS 2.3, section 8.4; clauses in comments
// are its own. Where Fast DDS and Cyclone DDS need more than it says, the
// comment names them. Large samples go
// in fragments both ways.
package rtps
