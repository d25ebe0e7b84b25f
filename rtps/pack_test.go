package rtps

import (
	"bytes"
	"net/netip"
	"slices"
	"testing"

	"github.com/takt-rt/takt/rtps/wire"
)

func sendTest(to byte, n int, payload int) *Send {
	s := &Send{Kind: wire.IDData, Data: wire.Data{Sequence: wire.SequenceNumber(n), Payload: make([]byte, payload)}}
	if to != 0 {
		s.To.Prefix = wire.GUIDPrefix{to}
	}
	return s
}

// contents returns the numbers of the samples of a datagram, those for one
// participant above 1000 times its first byte.
func contentsTest(t *testing.T, b []byte) (numbers []int) {
	t.Helper()
	m, err := wire.ParseMessage(b)
	if err != nil {
		t.Fatal(err)
	}
	for s, ok := m.Next(); ok; s, ok = m.Next() {
		if s.ID == wire.IDData {
			d, err := wire.ParseData(s)
			if err != nil || !m.Timestamp.Set {
				t.Fatal("a DATA without INFO_TS, or", err)
			}
			numbers = append(numbers, int(d.Sequence)+1000*int(m.Destination[0]))
		}
	}
	if m.Err() != nil {
		t.Fatal(m.Err())
	}
	return numbers
}

func TestPacking(t *testing.T) {
	a, b := []netip.AddrPort{loopbackTest(1)}, []netip.AddrPort{loopbackTest(2)}
	both := append(slices.Clone(a), b...)
	k := packer{max: 1000, header: wire.Header{Version: wire.ProtocolVersion{Major: 2, Minor: 3}}}
	k.add(sendTest(0, 1, 300), both)
	k.add(sendTest(7, 2, 300), both)
	k.add(sendTest(7, 3, 100), both)
	k.add(sendTest(0, 4, 300), both) // does not fit any more
	k.add(sendTest(7, 5, 5000), both)
	k.add(sendTest(0, 6, 100), a)
	k.add(sendTest(0, 7, 100), nil) // nobody
	k.add(sendTest(0, 8, 100), slices.Clone(a))
	k.add(sendTest(0, 9, 100), b)
	k.flush()
	want := []struct {
		to      netip.AddrPort
		numbers []int
	}{
		{a[0], []int{1, 7002, 7003}},
		{b[0], []int{1, 7002, 7003}},
		{a[0], []int{4}},
		{b[0], []int{4}},
		{a[0], []int{7005}},
		{b[0], []int{7005}},
		{a[0], []int{6, 8}},
		{b[0], []int{9}},
	}
	if len(k.packets) != len(want) {
		t.Fatalf("%d packets", len(k.packets))
	}
	for i, w := range want {
		if got := contentsTest(t, k.packets[i].Payload); k.packets[i].To != w.to || !slices.Equal(got, w.numbers) {
			t.Errorf("packet %d to %v: %v", i, k.packets[i].To, got)
		}
	}
}

// What was packed must stay as it is while more is packed.
func TestPacketsDoNotTouchEachOther(t *testing.T) {
	k := packer{max: 14720}
	var want [][]byte
	for i := range 200 {
		k.add(sendTest(byte(i), i+1, 100*i), []netip.AddrPort{loopbackTest(i + 1)})
		k.flush()
		want = append(want, slices.Clone(k.packets[i].Payload))
	}
	for i, p := range k.packets {
		if !bytes.Equal(p.Payload, want[i]) {
			t.Errorf("packet %d has changed", i)
		}
	}
	k.reset()
	if len(k.packets) != 0 || len(k.blocks) > keptBlocks {
		t.Errorf("%d packets and %d blocks after a reset", len(k.packets), len(k.blocks))
	}
}
