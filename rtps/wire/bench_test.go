package wire

import (
	"path"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	for _, name := range []string{
		"cyclonedds-0.10.2/data_clock_best_effort",
		"fastdds-2.9.1/data_clock_best_effort",
		"cyclonedds-0.10.2/acknack_user_tl_request",
		"ros2-jazzy-cyclonedds/image_first",
	} {
		b.Run("packet="+path.Base(name)+"/peer="+path.Dir(name), func(b *testing.B) {
			datagram := packet(b, name)
			b.SetBytes(int64(len(datagram)))
			b.ReportAllocs()
			for b.Loop() {
				if parseAll(datagram) != 0 {
					b.Fatal("the packet is bad")
				}
			}
		})
	}
}

func BenchmarkParseParticipant(b *testing.B) {
	payload := must(ParseData(find(b, packet(b, "ros2-jazzy-cyclonedds/spdp_localhost"), IDData, 0))).Payload
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseParticipant(payload); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	buffer := make([]byte, 0, 2000)
	d := Data{Writer: EntityID{0, 0, 1, 3}, Sequence: 1, Payload: make([]byte, 1024)}
	b.ReportAllocs()
	for b.Loop() {
		buffer = appendSample(buffer[:0], &d)
	}
	b.SetBytes(int64(len(buffer)))
}
