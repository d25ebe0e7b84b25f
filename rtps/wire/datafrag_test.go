package wire

import (
	"bytes"
	"encoding/binary"
	"testing"
)

func TestFragmentsOfPeers(t *testing.T) {
	for _, c := range []struct {
		name      string
		sequence  SequenceNumber
		first     FragmentNumber
		fragments uint16
		size      uint16
		sample    uint32
		payload   int
		total     FragmentNumber
	}{
		{"ros2-jazzy-cyclonedds/image_first", 1, 1, 10, 1344, 921648, 13440, 686},
		{"ros2-jazzy-cyclonedds/image_last", 1, 681, 6, 1344, 921648, 921648 - 680*1344, 686},
		{"ros2-jazzy-cyclonedds/image_fragment_again", 5, 21, 1, 1344, 28848, 1344, 22},
		{"cyclonedds-0.10.2/datafrag_retransmit_last_hb", 2, 149, 1, 1344, 200008, 200008 - 148*1344, 149},
		{"constructed/user_datafrag_clock", 2, 1, 1, 8, 12, 8, 2},
	} {
		d, err := ParseDataFrag(find(t, packet(t, c.name), IDDataFrag, 0))
		if err != nil || d.Sequence != c.sequence || d.First != c.first || d.Fragments != c.fragments || d.Size != c.size {
			t.Errorf("%s: %v to %v of %d, %v", c.name, d.Sequence, d.First, d.Fragments, err)
		}
		if d.SampleSize != c.sample || len(d.Payload) != c.payload || d.Total() != c.total {
			t.Errorf("%s: %d of %d bytes, %d fragments", c.name, len(d.Payload), d.SampleSize, d.Total())
		}
	}
}

// The two halves of a Clock sample, 8 and 4 bytes, join into 12 bytes: 12 s and
// 350000000 ns (0x14dc9380).
func TestFragmentsJoin(t *testing.T) {
	b := packet(t, "constructed/user_datafrag_clock")
	sample := make([]byte, 12)
	for i := range 2 {
		d := must(ParseDataFrag(find(t, b, IDDataFrag, i)))
		copy(sample[d.Start():], d.Payload)
	}
	if !bytes.Equal(sample, unhex(t, "00010000 0c000000 8093dc14")) {
		t.Errorf("got %x", sample)
	}
}

// The collection keeps only the beginnings of two large datagrams; the rest of
// each was the sample's bytes, for which zeros stand here.
func TestFirstFragmentsOfLargeSamples(t *testing.T) {
	for _, c := range []struct {
		name          string
		whole         int
		fragments     uint16
		size          uint16
		sample        uint32
		encapsulation []byte
	}{
		{"cyclonedds-0.10.2/datafrag_first_head", 13536, 10, 1344, 200008, []byte{0, 1, 0, 0}},
		{"fastdds-2.9.1/datafrag_first_head", 65468, 1, 65324, 200004, nil},
	} {
		b := packet(t, c.name)
		d, err := ParseDataFrag(find(t, append(b, make([]byte, c.whole-len(b))...), IDDataFrag, 0))
		if err != nil || d.Sequence != 2 || d.First != 1 || d.Fragments != c.fragments || d.Size != c.size || d.SampleSize != c.sample {
			t.Errorf("%s: %v, %v", c.name, d.Sequence, err)
		}
		if !bytes.HasPrefix(d.Payload, c.encapsulation) || len(d.Payload) != int(c.fragments)*int(c.size) {
			t.Errorf("%s: %d bytes", c.name, len(d.Payload))
		}
	}
}

func TestDataFragKeepsItsFlags(t *testing.T) {
	for _, want := range []DataFrag{
		{Sequence: 1, First: 1, Fragments: 1, Size: 4, SampleSize: 5, Payload: []byte{1, 2, 3, 4}},
		{Sequence: 1, First: 2, Fragments: 1, Size: 4, SampleSize: 5, Payload: []byte{5}}, // padding is not payload
		{Sequence: 1, First: 1, Fragments: 2, Size: 4, SampleSize: 5, Payload: []byte{1, 2, 3, 4, 5}, Key: true},
		{Sequence: 1, First: 1, Fragments: 1, Size: 4, SampleSize: 5, Payload: []byte{1, 2, 3, 4}, NonStandard: true,
			InlineQoS: InlineQoS{}.Append(nil, binary.BigEndian)},
	} {
		got, err := ParseDataFrag(find(t, want.Append(unhex(t, testHeader), binary.BigEndian), IDDataFrag, 0))
		if err != nil || !bytes.Equal(got.Payload, want.Payload) || !bytes.Equal(got.InlineQoS, want.InlineQoS) ||
			got.Key != want.Key || got.NonStandard != want.NonStandard || got.First != want.First {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
}

func TestDataFragRefuses(t *testing.T) {
	const begin = "0000 001c 00000000 00000103"
	const one = "0000000000000001"
	for _, c := range []struct {
		body string
		want Problem
	}{
		{begin + one + "00000001 0001 0004", ShortBody},
		{begin + "0000000000000000" + "00000001 0001 0004 00000008 01020304", BadSequenceNumber},
		{begin + one + "00000000 0001 0004 00000008 01020304", BadFragment}, // number 0
		{begin + one + "00000001 0000 0004 00000008 01020304", BadFragment}, // no fragments
		{begin + one + "00000001 0001 0000 00000008 01020304", BadFragment}, // of no size
		{begin + one + "00000001 0001 0004 00000000 01020304", BadFragment}, // of nothing
		{begin + one + "00000003 0001 0004 00000008 01020304", BadFragment}, // third of two
		{begin + one + "00000002 0002 0004 00000008 01020304", BadFragment}, // second and third of two
		{begin + one + "ffffffff ffff ffff ffffffff 01020304", BadFragment},
		{begin + one + "00000001 0002 0004 00000008 01020304", BadFragment}, // bytes missing
		{"0000 001b 00000000 00000103" + one + "00000001 0001 0004 00000008 01020304", BadInlineQoSOffset},
	} {
		_, err := ParseDataFrag(Submessage{ID: IDDataFrag, Body: unhex(t, c.body)})
		wantProblem(t, err, c.want)
	}
}
