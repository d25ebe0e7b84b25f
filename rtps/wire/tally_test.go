package wire

import (
	"errors"
	"fmt"
	"testing"
)

func TestTally(t *testing.T) {
	var c Tally
	for _, id := range []SubmessageID{IDData, IDData, 0x80, 0x7f, IDSecBody, IDSecPostfix} {
		c.Count(id)
	}
	if c.Submessages[IDData] != 2 || c.Unknown() != 2 || c.Security() != 2 {
		t.Errorf("DATA %d, unknown %d, security %d", c.Submessages[IDData], c.Unknown(), c.Security())
	}
	_, err := ParseHeader(nil)
	c.Reject(err)
	c.Reject(fmt.Errorf("from 10.0.0.1: %w", err))
	c.Reject(nil)
	c.Reject(errors.New("another package's"))
	c.Reject(&Error{Problem: problems})
	if c.Rejected != [problems]uint64{ShortDatagram: 2} {
		t.Errorf("%v", c.Rejected)
	}
}

func TestEveryProblemHasWords(t *testing.T) {
	for p := range problems {
		if p.String() == "" {
			t.Errorf("problem %d has none", p)
		}
	}
	if s := problems.String(); s == "" {
		t.Error("an unknown problem has none")
	}
}
