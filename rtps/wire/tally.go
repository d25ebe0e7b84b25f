package wire

import "errors"

// A Tally counts what was received, in fixed memory whatever is sent. The zero
// Tally has counted nothing. It is not safe for concurrent use.
type Tally struct {
	Submessages [256]uint64      // by SubmessageID, those takt does not know included
	Rejected    [problems]uint64 // by Problem: datagrams, submessages and parameter lists
}

// Count counts a submessage.
func (t *Tally) Count(id SubmessageID) { t.Submessages[id]++ }

// Reject counts an error of this package by its problem. Other errors and nil
// are not counted.
func (t *Tally) Reject(err error) {
	if e := (*Error)(nil); errors.As(err, &e) && e.Problem < problems {
		t.Rejected[e.Problem]++
	}
}

// Unknown returns how many submessages were skipped because neither the
// specification nor takt knows them.
func (t *Tally) Unknown() uint64 {
	return t.sum(func(id SubmessageID) bool { return !id.Known() })
}

// Security returns how many submessages of DDS Security were skipped.
func (t *Tally) Security() uint64 { return t.sum(SubmessageID.Security) }

func (t *Tally) sum(of func(SubmessageID) bool) (n uint64) {
	for id, c := range t.Submessages {
		if of(SubmessageID(id)) {
			n += c
		}
	}
	return n
}
