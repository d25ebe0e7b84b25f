package interop

import (
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// statuses says the events of the one endpoint of takt's peer as the statuses
// of DDS, which count. The zero statuses have seen nothing.
type statuses struct {
	matched                int
	silent                 map[wire.GUID]bool // writers that matched: whether their lease has run out
	missed, lost, rejected uint64
}

func (s *statuses) event(e rtps.Event) {
	switch e.Kind {
	case rtps.Matched:
		s.matched++
		say("matched %d", s.matched)
		s.alive(e, true)
	case rtps.Unmatched:
		s.matched--
		say("unmatched %d", s.matched)
		delete(s.silent, e.Remote)
	case rtps.Incompatible:
		for _, m := range e.Mismatches {
			say("incompatible %d", m.Policy)
		}
	case rtps.DeadlineMissed:
		s.missed += e.Count
		say("deadline %d", s.missed)
	case rtps.LivelinessLost:
		s.alive(e, false)
	case rtps.LivelinessRegained:
		s.alive(e, true)
	case rtps.SampleLost:
		s.lost += e.Count
		say("lost %d", s.lost)
	case rtps.SampleRejected:
		s.rejected += e.Count
		say("rejected %d", s.rejected)
	}
}

// alive says how many writers are alive and how many are not.
func (s *statuses) alive(e rtps.Event, alive bool) {
	if !e.Remote.Entity.IsWriter() {
		return
	}
	if s.silent == nil {
		s.silent = map[wire.GUID]bool{}
	}
	s.silent[e.Remote] = !alive
	gone := 0
	for _, silent := range s.silent {
		if silent {
			gone++
		}
	}
	say("liveliness %d %d", len(s.silent)-gone, gone)
}
