package tsdl

import (
	"encoding/binary"
	"strings"
	"testing"
)

const small = "/* CTF 1.8 */ env { a = 1; };"

// packet lays a metadata packet out as the specification gives it.
func packet(order binary.AppendByteOrder, text string, padding int) []byte {
	p := order.AppendUint32(nil, 0x75D11D57)
	p = append(p, make([]byte, 16+4)...)
	p = order.AppendUint32(p, uint32(37+len(text))*8)
	p = order.AppendUint32(p, uint32(37+len(text)+padding)*8)
	p = append(p, 0, 0, 0, 1, 8)
	return append(append(p, text...), make([]byte, padding)...)
}

func TestMetadataInPackets(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		b := append(packet(order, small[:20], 7), packet(order, small[20:], 0)...)
		if !Is(b) {
			t.Errorf("%v: not taken for metadata", order)
		}
		m, err := Read(b)
		if err != nil {
			t.Fatal(err)
		}
		if m.Env["a"].Number != 1 {
			t.Errorf("%v: %v", order, m.Env)
		}
	}
	if m, err := Read([]byte(small)); err != nil || m.Env["a"].Number != 1 || !Is([]byte(small)) {
		t.Errorf("without packets: %v", err)
	}
}

func TestWrongPacketsAreRefused(t *testing.T) {
	good := packet(binary.LittleEndian, small, 0)
	with := func(at int, v byte) []byte {
		b := append([]byte(nil), good...)
		b[at] = v
		return b
	}
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{nil, "begins neither as a packet"},
		{[]byte("hello, world"), "begins neither as a packet"},
		{good[:30], "ends within its header"},
		{good[:len(good)-1], "says that it has"},
		{append(good[:len(good):len(good)], 1, 2), "ends within its header"},
		{append(good[:len(good):len(good)], make([]byte, 40)...), "no packet begins at byte"},
		{with(24, 1), "says that it has"},
		{with(27, 0xff), "says that it has"},
		{with(32, 1), "compressed or encrypted"},
		{with(36, 9), "of CTF 1.9"},
	} {
		if _, err := Read(c.b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.b, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add(packet(binary.BigEndian, small, 3))
	f.Add([]byte(head + "struct s { enum : uint8_t { a = 0 ... 3 } t; variant <t> { string a; } v; uint8_t n; uint8_t b[n][3]; } align(32); event { fields := struct s; };"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Read(b)
		if (m == nil) == (err == nil) {
			t.Fatalf("%v, %v", m, err)
		}
	})
}
