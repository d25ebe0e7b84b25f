package ctf

import "testing"

// Only the latest publications are remembered, by number and by stamp, in
// bounded memory.
func TestPublicationsAreForgotten(t *testing.T) {
	var ps publications
	a, b := &topic{number: 1}, &topic{number: 2}
	const more = 10
	for i := range int64(maxPublications + more) {
		ps.stamp(ps.add(publication{topic: a}), i, i)
	}
	if len(ps.kept) != maxPublications || len(ps.stamps) != maxPublications {
		t.Errorf("%d kept, %d stamps, want %d", len(ps.kept), len(ps.stamps), maxPublications)
	}
	if ps.get(more) != nil || ps.get(more+1) == nil {
		t.Error("the oldest one that is remembered is another")
	}
	for stamp, want := range map[int64]uint64{more - 1: 0, more: more + 1, maxPublications: maxPublications + 1} {
		if got := ps.stamped(a, stamp); got != want {
			t.Errorf("stamp %d is of %d, want %d", stamp, got, want)
		}
		if got := ps.stamped(b, stamp); got != 0 {
			t.Errorf("stamp %d of another topic is of %d", stamp, got)
		}
	}
}

func TestAddressesAreForgotten(t *testing.T) {
	var ps publications
	for i := range uint64(3 * maxAddresses) {
		ps.address(addressKey{1, i}, i+1)
	}
	if len(ps.addresses) > maxAddresses {
		t.Errorf("%d addresses", len(ps.addresses))
	}
}
