package pcap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file is a capture written byte by byte, after the formats' descriptions.
type file struct {
	order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
	link  uint32
	nanos bool
}

// pcap returns a pcap file of packets, captured at 1000.5 s; keep cuts each.
func (f file) pcap(keep int, packets ...[]byte) []byte {
	magic, half := uint32(0xa1b2c3d4), uint32(500_000)
	if f.nanos {
		magic, half = 0xa1b23c4d, 500_000_000
	}
	b := f.order.AppendUint32(nil, magic)
	b = f.order.AppendUint16(b, 2)
	b = f.order.AppendUint16(b, 4)
	for _, v := range []uint32{0, 0, 65535, f.link} {
		b = f.order.AppendUint32(b, v)
	}
	for _, p := range packets {
		kept := p[:min(keep, len(p))]
		for _, v := range []uint32{1000, half, uint32(len(kept)), uint32(len(p))} {
			b = f.order.AppendUint32(b, v)
		}
		b = append(b, kept...)
	}
	return b
}

// pcapng returns a pcapng file of packets, captured at 1000.5 s in µs.
func (f file) pcapng(packets ...[]byte) []byte {
	b := f.words(nil, 0x0a0d0d0a, 28, 0x1a2b3c4d)
	b = f.order.AppendUint16(b, 1)
	b = f.order.AppendUint16(b, 0)
	b = f.words(b, 0xffffffff, 0xffffffff, 28)
	b = f.words(b, 1, 20)
	b = f.order.AppendUint16(b, uint16(f.link))
	b = f.order.AppendUint16(b, 0)
	b = f.words(b, 65535, 20)
	for _, p := range packets {
		at := uint64(1_000_500_000)
		padded := (len(p) + 3) &^ 3
		b = f.words(b, 6, uint32(32+padded), 0, uint32(at>>32), uint32(at), uint32(len(p)), uint32(len(p)))
		b = append(append(b, p...), make([]byte, padded-len(p))...)
		b = f.words(b, uint32(32+padded))
	}
	return b
}

func (f file) words(b []byte, all ...uint32) []byte {
	for _, v := range all {
		b = f.order.AppendUint32(b, v)
	}
	return b
}

func udp(payload string) []byte {
	b := binary.BigEndian.AppendUint16(nil, 40000)
	b = binary.BigEndian.AppendUint16(b, 7400)
	b = binary.BigEndian.AppendUint16(b, uint16(8+len(payload)))
	return append(append(b, 0, 0), payload...)
}

// ipv4 wraps the bytes of a datagram's body from an offset on; of 8 bytes each.
func ipv4(body []byte, offset uint16, more bool) []byte {
	if more {
		offset |= 0x2000
	}
	b := binary.BigEndian.AppendUint16([]byte{0x45, 0}, uint16(20+len(body)))
	b = binary.BigEndian.AppendUint16(b, 77)
	b = binary.BigEndian.AppendUint16(b, offset)
	return append(append(b, 64, 17, 0, 0, 10, 0, 0, 1, 239, 255, 0, 1), body...)
}

func ipv6(body []byte) []byte {
	b := binary.BigEndian.AppendUint16([]byte{0x60, 0, 0, 0}, uint16(len(body)))
	b = append(b, 17, 64)
	from, to := netip.MustParseAddr("fe80::1").As16(), netip.MustParseAddr("ff02::1").As16()
	return append(append(append(b, from[:]...), to[:]...), body...)
}

func ethernet(kind uint16, body []byte) []byte {
	return append(binary.BigEndian.AppendUint16(make([]byte, 12), kind), body...)
}

// read returns the datagrams with payloads of their own.
func read(t *testing.T, capture []byte) (all []Datagram, counts Counts) {
	t.Helper()
	counts, err := Read(bytes.NewReader(capture), func(d Datagram) {
		d.Payload = bytes.Clone(d.Payload)
		all = append(all, d)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, counts
}

const message = "RTPS\x02\x01\x01\x10 and so on"

func TestEveryLinkTypeAndFormIsRead(t *testing.T) {
	little := file{order: binary.LittleEndian}
	inner := ipv4(udp(message), 0, false)
	cooked := append(binary.BigEndian.AppendUint16(make([]byte, 14), 0x0800), inner...)
	cooked2 := append(append([]byte{0x08, 0}, make([]byte, 18)...), inner...)
	for name, capture := range map[string][]byte{
		"ethernet":             file{little.order, 1, false}.pcap(1<<16, ethernet(0x0800, inner)),
		"big endian":           file{binary.BigEndian, 1, false}.pcap(1<<16, ethernet(0x0800, inner)),
		"nanoseconds":          file{little.order, 1, true}.pcap(1<<16, ethernet(0x0800, inner)),
		"big endian ns":        file{binary.BigEndian, 1, true}.pcap(1<<16, ethernet(0x0800, inner)),
		"padded":               file{little.order, 1, false}.pcap(1<<16, append(ethernet(0x0800, inner), 0, 0, 0)),
		"VLAN":                 file{little.order, 1, false}.pcap(1<<16, ethernet(0x8100, append([]byte{0, 5, 8, 0}, inner...))),
		"raw":                  file{little.order, 101, false}.pcap(1<<16, inner),
		"raw IPv4":             file{little.order, 228, false}.pcap(1<<16, inner),
		"BSD loopback":         file{little.order, 0, false}.pcap(1<<16, append([]byte{2, 0, 0, 0}, inner...)),
		"cooked":               file{little.order, 113, false}.pcap(1<<16, cooked),
		"cooked v2":            file{little.order, 276, false}.pcap(1<<16, cooked2),
		"pcapng":               file{little.order, 1, false}.pcapng(ethernet(0x0800, inner)),
		"pcapng big endian":    file{binary.BigEndian, 1, false}.pcapng(ethernet(0x0800, inner)),
		"in fragments":         file{little.order, 101, false}.pcap(1<<16, ipv4(udp(message)[:16], 0, true), ipv4(udp(message)[16:], 2, false)),
		"fragments in reverse": file{little.order, 101, false}.pcap(1<<16, ipv4(udp(message)[16:], 2, false), ipv4(udp(message)[:16], 0, true)),
	} {
		t.Run(name, func(t *testing.T) {
			all, counts := read(t, capture)
			if len(all) != 1 || counts.RTPS != 1 || counts.Ended != nil {
				t.Fatalf("%d datagrams, %+v", len(all), counts)
			}
			d := all[0]
			if d.At != 1_000_500_000_000 || string(d.Payload) != message || d.Cut ||
				d.Source.String() != "10.0.0.1:40000" || d.Destination.String() != "239.255.0.1:7400" {
				t.Errorf("got %v %+v", d, d)
			}
		})
	}
}

func TestIPv6IsRead(t *testing.T) {
	all, _ := read(t, file{binary.LittleEndian, 101, false}.pcap(1<<16, ipv6(udp(message))))
	if len(all) != 1 || all[0].Source.String() != "[fe80::1]:40000" || string(all[0].Payload) != message {
		t.Errorf("got %v", all)
	}
}

func TestWhatIsNoRTPSIsCounted(t *testing.T) {
	f := file{binary.LittleEndian, 101, false}
	_, counts := read(t, f.pcap(1<<16, ipv4(udp("x"), 0, false), ipv4(udp(message), 0, false), []byte{1}))
	if counts.Frames != 3 || counts.OtherUDP != 1 || counts.RTPS != 1 {
		t.Errorf("got %+v", counts)
	}
	_, counts = read(t, file{binary.LittleEndian, 147, false}.pcap(1<<16, []byte{1}))
	if counts.Unreadable != 1 || counts.UnknownLink != 147 {
		t.Errorf("got %+v", counts)
	}
}

func TestCutPacketsAreSaid(t *testing.T) {
	all, counts := read(t, file{binary.LittleEndian, 101, false}.pcap(40, ipv4(udp(message), 0, false)))
	if len(all) != 1 || !all[0].Cut || counts.Cut != 1 || string(all[0].Payload) != message[:12] {
		t.Errorf("got %+v, %+v", all, counts)
	}
}

func TestTruncatedFileKeepsWhatCameBefore(t *testing.T) {
	p := ipv4(udp(message), 0, false)
	capture := file{binary.LittleEndian, 101, false}.pcap(1<<16, p, p)
	for _, lost := range []int{1, len(p), len(p) + 5} {
		all, counts := read(t, capture[:len(capture)-lost])
		if len(all) != 1 || counts.Ended == nil || !strings.Contains(counts.Ended.Error(), "after packet 1") {
			t.Errorf("without %d bytes: %d datagrams, %+v", lost, len(all), counts)
		}
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	for _, text := range []string{"", "abc", "this is no capture, but it is long enough for one"} {
		if _, err := Read(strings.NewReader(text), nil); !errors.Is(err, ErrNotCapture) {
			t.Errorf("%q: got error %v", text, err)
		}
	}
}

func TestFragmentsThatNeverEndAreBounded(t *testing.T) {
	var f fragments
	d := newDecoder(nil)
	d.v4.SrcIP, d.v4.DstIP = []byte{10, 0, 0, 1}, []byte{10, 0, 0, 2}
	for i := range 3 * maxWaiting / 1024 {
		d.v4.Id, d.v4.FragOffset = uint16(i), 128
		d.v4.IHL, d.v4.Length, d.v4.Payload = 5, 20+768, make([]byte, 768)
		if _, err := f.add(&d.v4, 0); err != nil {
			t.Fatal(err)
		}
		if f.held > maxWaiting {
			t.Fatalf("%d bytes wait", f.held)
		}
	}
	// 3 * 16 MiB at 768 + 256 bytes each: filled three times, given up twice.
	if f.givenUp != 2 {
		t.Errorf("given up %d times", f.givenUp)
	}
}

func FuzzCapture(f *testing.F) {
	p := ethernet(0x0800, ipv4(udp(message), 0, false))
	f.Add(file{binary.LittleEndian, 1, false}.pcap(1<<16, p))
	f.Add(file{binary.BigEndian, 1, false}.pcapng(p, p))
	f.Add(file{binary.LittleEndian, 101, true}.pcap(1<<16, ipv4(udp(message)[:16], 0, true), ipv6(udp(message))))
	real, err := os.ReadFile(filepath.Join(captures, "multicast_join_leave_kill.pcap"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(real[:8000])
	calls, err := os.ReadFile(filepath.Join(captures, "service_calls.pcap"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(calls[len(calls)-40_000:])
	f.Add(append(calls[:24:24], calls[:60_000]...))
	f.Fuzz(func(t *testing.T, capture []byte) {
		given := uint64(0)
		c := &collector{t: t, hostile: true}
		r := newRun("fuzz", Options{}, c)
		counts, err := Read(bytes.NewReader(capture), func(d Datagram) {
			given++
			r.take(d)
		})
		r.finish()
		r.outcome(&counts, err != nil)
		if err == nil && counts.RTPS != given {
			t.Errorf("%d datagrams given, %d counted", given, counts.RTPS)
		}
		for _, s := range r.graph.Samples() {
			if s.Seen+s.Uncounted > s.Messages || s.First() > s.Last() {
				t.Errorf("samples do not add up: %+v", s)
			}
		}
		for _, r := range r.graph.Receptions() {
			// A sample that came after it was given up counts as both.
			if r.settled.n > r.Received()+r.Lost+r.Overwritten {
				t.Errorf("samples do not add up: %+v", r)
			}
		}
	})
}
