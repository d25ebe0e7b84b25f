package bag

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"

	"github.com/takt-rt/takt/timeline"
)

// appendString appends a CDR string to a message that begins with an encapsulation header.
func appendString(b []byte, s string) []byte {
	for (len(b)-4)%4 != 0 {
		b = append(b, 0)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(s)+1))
	return append(append(b, s...), 0)
}

// transformMessage is a tf2_msgs/TFMessage of transforms from map, stamped with their number in seconds.
func transformMessage(children ...string) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{0, 1, 0, 0}, uint32(len(children)))
	for i, child := range children {
		for (len(b)-4)%4 != 0 {
			b = append(b, 0)
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(i+1))
		b = binary.LittleEndian.AppendUint32(b, 0)
		b = appendString(appendString(b, "map"), child)
		for (len(b)-4)%8 != 0 {
			b = append(b, 0)
		}
		b = append(b, make([]byte, 7*8)...) // translation and rotation
	}
	return b
}

// one reads messages of one topic.
func one(t *testing.T, topic, typ string, messages ...[]byte) (*collector, timeline.Outcome) {
	t.Helper()
	var file bytes.Buffer
	w, err := mcap.NewWriter(&file, &mcap.WriterOptions{Chunked: true})
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(err)
	check(w.WriteHeader(&mcap.Header{}))
	check(w.WriteSchema(&mcap.Schema{ID: 1, Name: typ}))
	check(w.WriteChannel(&mcap.Channel{ID: 1, SchemaID: 1, Topic: topic, MessageEncoding: "cdr"}))
	for i, data := range messages {
		check(w.WriteMessage(&mcap.Message{ChannelID: 1, LogTime: uint64(i), Data: data}))
	}
	check(w.Close())
	c := newCollector(t)
	return c, readBytes(file.Bytes(), Options{}, c)
}

func TestTransforms(t *testing.T) {
	c, out := one(t, "/tf", transformsType,
		transformMessage("odom", "base"), transformMessage("base"), transformMessage())
	for name, want := range map[string]tally{
		"/tf":         {count: 3, stamps: 2},
		"map -> odom": {count: 1, stamps: 1},
		"map -> base": {count: 2, stamps: 2},
	} {
		if e, n := c.topic(name); n.count != want.count || n.stamps != want.stamps {
			t.Errorf("%+v: %+v, want %+v", e, n, want)
		}
	}
	topic, _ := c.topic("/tf")
	if e, _ := c.topic("map -> odom"); e.Kind != timeline.TransformEntity || e.Parent != topic.ID {
		t.Errorf("%+v", e)
	}
	if c.messages != 3 || len(out.Findings) > 0 {
		t.Errorf("%d messages, %+v", c.messages, out)
	}
}

// Of the recording: one broadcaster of one transform, 60 messages.
func TestTransformsOfARecording(t *testing.T) {
	c, _ := read(t, "rosbag2/talker-tf-1hz", Options{})
	if e, n := c.topic("world -> talk"); n.count != 60 || n.stamps != 60 || e.Kind != timeline.TransformEntity {
		t.Errorf("%+v: %+v", e, n)
	}
}

func TestTransformsAreBounded(t *testing.T) {
	var messages [][]byte
	for i := range maxTransforms + 5 {
		messages = append(messages, transformMessage(fmt.Sprint("frame", i)))
	}
	c, out := one(t, "/tf", transformsType, messages...)
	if len(c.entities) != maxTransforms+1 || c.messages != maxTransforms+5 || ids(out)["too-many-transforms"] != 1 {
		t.Errorf("%d entities, %d messages, %+v", len(c.entities), c.messages, out)
	}
}

// Messages that are too short arrive all the same, and are told; a tick
// without its value tells nothing.
func TestUndecodable(t *testing.T) {
	for typ, arrived := range map[string]int{
		"sensor_msgs/msg/Imu": 2, transformsType: 2, performanceType: 2, clockType: 0, "some_msgs/srv/Call_Event": 2,
	} {
		c, out := one(t, "/a/_service_event", typ, []byte{0, 1, 0, 0, 9}, nil)
		if _, n := c.topic("/a/_service_event"); n.count != arrived || n.stamps+n.zero > 0 || ids(out)["undecodable"] != 1 {
			t.Errorf("%s: %+v, %+v", typ, n, out)
		}
	}
}

// Packed messages are unpacked as far as needed, and are told the size of all.
func TestPackedMessages(t *testing.T) {
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	const size = 3 << 20
	packed := encoder.EncodeAll(headerMessage(size, 7_000_000_003), nil)
	var p payloads
	defer p.close()
	plain, n, err := p.open(packed, stamped)
	if err != nil || n != size || len(plain) != maxPrefix || !bytes.Equal(plain[:24], headerMessage(24, 7_000_000_003)) {
		t.Errorf("%d bytes of %d, %v", len(plain), n, err)
	}
	if plain, n, err := p.open(packed, transforms); err != nil || n != size || len(plain) != size {
		t.Errorf("%d bytes of %d, %v", len(plain), n, err)
	}
	if plain, n, err := p.open(packed, opaque); err != nil || n != size || plain != nil {
		t.Errorf("%d bytes of %d, %v", len(plain), n, err)
	}
	if _, _, err := p.open(append(packed[:20:20], 0xff, 0xff, 0xff, 0xff), transforms); err == nil {
		t.Error("no error")
	}
	// The collector and the race detector empty pools at times: the best of many runs counts.
	least := math.Inf(1)
	for range 50 {
		least = min(least, testing.AllocsPerRun(1, func() { p.open(packed, stamped) }))
	}
	if least > 0 {
		t.Errorf("%v allocations", least)
	}
}
