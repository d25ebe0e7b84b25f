package wire

import "testing"

func TestEntityKinds(t *testing.T) {
	for _, c := range []struct {
		e                                       EntityID
		writer, reader, keyed, builtin, vendors bool
	}{
		{ParticipantEntity, false, false, false, true, false},
		{PublicationsWriter, true, false, true, true, false},
		{SubscriptionsReader, false, true, true, true, false},
		{TypeLookupRequestWriter, true, false, false, true, false},
		{TypeLookupReplyReader, false, true, false, true, false},
		{EntityID{0, 0, 1, 0x03}, true, false, false, false, false}, // user entities of Fast DDS 2.9.1
		{EntityID{0, 0, 1, 0x04}, false, true, false, false, false},
		{EntityID{0, 0, 2, 0x02}, true, false, true, false, false},
		{EntityID{0, 0, 2, 0x07}, false, true, true, false, false},
		{EntityID{0, 0, 2, 0x43}, true, false, false, false, true},
		{EntityID{}, false, false, false, false, false},
	} {
		e := c.e
		if e.IsWriter() != c.writer || e.IsReader() != c.reader || e.Keyed() != c.keyed ||
			e.Builtin() != c.builtin || e.VendorSpecific() != c.vendors {
			t.Errorf("%v: writer %v, reader %v, keyed %v, builtin %v, vendor's %v",
				e, e.IsWriter(), e.IsReader(), e.Keyed(), e.Builtin(), e.VendorSpecific())
		}
	}
}

func TestGUID(t *testing.T) {
	b := [16]byte(unhex(t, "0110a554fc64ce19a42c7998 000001c1"))
	g := ParseGUID(b)
	if g.Entity != ParticipantEntity || g.Bytes() != b {
		t.Errorf("got %v", g)
	}
	if s := g.String(); s != "0110a554fc64ce19a42c7998:000001c1" {
		t.Error(s)
	}
}
