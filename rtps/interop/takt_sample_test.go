package interop

import (
	"fmt"

	"github.com/takt-rt/takt/cdr"
)

// A format is how sample seq is written and read, as peers/peer.h has it.
type format struct {
	// message returns the sample, a pointer to a struct; size is that of blobs.
	message func(seq, size int) any
	// read decodes a payload. The size is without the padding that some writers
	// add; right says whether the content is that of seq.
	read func(payload []byte) (seq, size int, right bool)
}

var formats = map[string]*format{
	"clock": {
		func(seq, _ int) any { return newClock(seq) },
		func(b []byte) (int, int, bool) {
			var m clockMessage
			err := cdr.Unmarshal(b, &m)
			seq := int(m.Sec)*1000 + int(m.Nanosec)/1e6
			return seq, 12, err == nil && m == *newClock(seq)
		},
	},
	"text": {
		func(seq, _ int) any { return &textMessage{fmt.Sprintf("Hello World: %d", seq)} },
		func(b []byte) (seq, size int, right bool) {
			var m textMessage
			err := cdr.Unmarshal(b, &m)
			n, _ := fmt.Sscanf(m.Data, "Hello World: %d", &seq)
			return seq, 4 + 4 + len(m.Data) + 1, err == nil && n == 1
		},
	},
	"blob": {
		func(seq, size int) any { return newBlob(seq, size) },
		func(b []byte) (int, int, bool) {
			var m blobMessage
			err := cdr.Unmarshal(b, &m)
			return int(m.Seq), 12 + len(m.Data), err == nil && m.right()
		},
	},
}

// A clockMessage is a rosgraph_msgs/Clock. It advances 1 ms with each sample.
type clockMessage struct {
	Sec     int32
	Nanosec uint32
}

func newClock(seq int) *clockMessage {
	return &clockMessage{int32(seq / 1000), uint32(seq % 1000 * 1e6)}
}

// A textMessage is a std_msgs/String.
type textMessage struct{ Data string }

// A blobMessage has 12 bytes before its body, the encapsulation header included.
type blobMessage struct {
	Seq  uint32
	Data []byte
}

func newBlob(seq, size int) *blobMessage {
	if seq == 0 {
		size = 12 // a greeting
	}
	m := &blobMessage{uint32(seq), make([]byte, size-12)}
	for i := range m.Data {
		m.Data[i] = m.byteAt(i)
	}
	return m
}

func (m *blobMessage) right() bool {
	for i, b := range m.Data {
		if b != m.byteAt(i) {
			return false
		}
	}
	return true
}

// byteAt depends on the sample and the place, across the sizes of fragments in
// use, so that none can be misplaced unseen.
func (m *blobMessage) byteAt(i int) byte { return byte(int(m.Seq) + i + i>>8 + i>>16) }
