package rtps

import (
	"testing"
	"time"
)

func TestLease(t *testing.T) {
	l := Lease{Duration: 100 * time.Millisecond}
	if l.Next() != never || l.Tick(1<<60) || l.Alive() {
		t.Error("a lease that never began ran out")
	}
	if l.Refresh(0) {
		t.Error("regained before it was lost")
	}
	l.Refresh(60 * ms)
	if l.Tick(160*ms) || !l.Alive() {
		t.Error("ran out at its last instant, not after it")
	}
	if l.Next() != 160*ms+1 || !l.Tick(l.Next()) || l.Alive() {
		t.Errorf("should run out just after 160 ms, not at %d", l.Next())
	}
	if l.Tick(1000*ms) || l.Next() != never {
		t.Error("ran out twice")
	}
	if !l.Refresh(2000*ms) || l.Refresh(2001*ms) || !l.Alive() {
		t.Error("should be regained once")
	}
}

func TestLeaseWithoutEnd(t *testing.T) {
	var l Lease
	l.Refresh(0)
	if l.Next() != never || l.Tick(1<<60) || !l.Alive() {
		t.Error("an endless lease ran out")
	}
}
