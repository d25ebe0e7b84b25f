package pcap

import (
	"bytes"
	"testing"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// part returns fragments of a sample of 10 bytes in fragments of 4.
func part(n wire.SequenceNumber, first wire.FragmentNumber, count uint16) *wire.DataFrag {
	text := []byte("0123456789")
	end := min(len(text), 4*(int(first)-1+int(count)))
	return &wire.DataFrag{
		Sequence: n, First: first, Fragments: count, Size: 4, SampleSize: 10,
		Payload: text[4*(int(first)-1) : end],
	}
}

func TestAssemblyInAnyOrder(t *testing.T) {
	var s assemblies
	none := wire.Optional[clock.Wall]{}
	for range 2 {
		if s.add(part(1, 3, 1), none, true) != nil {
			t.Fatal("done with the last fragment alone")
		}
	}
	done := s.add(part(1, 1, 2), wire.Some(clock.Wall(7)), true)
	if done == nil || !bytes.Equal(done.whole, []byte("0123456789")) || done.stamp.Value != 7 {
		t.Fatalf("got %+v", done)
	}
	if s.Repeated != 1 || len(s.open) != 0 || len(s.Incomplete()) != 0 {
		t.Errorf("%+v", s)
	}
}

func TestIncompleteSamples(t *testing.T) {
	s := assemblies{room: &room{100}}
	none := wire.Optional[clock.Wall]{}
	for n := wire.SequenceNumber(1); n <= maxAssemblies+1; n++ {
		s.add(part(n, 2, 1), none, false)
	}
	all := s.Incomplete()
	if len(all) != maxAssemblies+1 || len(s.open) != maxAssemblies || s.room.left != 100-maxAssemblies {
		t.Fatalf("%d incomplete, %d in work, room for %d", len(all), len(s.open), s.room.left)
	}
	same(t, "missing", pairs(all[0].Missing), [][2]int64{{1, 1}, {3, 3}})
}

// A message that says otherwise than those before it is left out.
func TestContradictingFragments(t *testing.T) {
	var s assemblies
	none := wire.Optional[clock.Wall]{}
	s.add(part(1, 1, 1), none, true)
	other := part(1, 2, 1)
	other.SampleSize = 1000
	if s.add(other, none, true) != nil || s.Refused != 1 {
		t.Errorf("%+v", s)
	}
}
