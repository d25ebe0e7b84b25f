package file

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// anyEvent draws events of all shapes, those that no source would make too.
func anyEvent(t *rapid.T) timeline.Event {
	return timeline.Event{
		At:     timeline.Instant(rapid.Int64().Draw(t, "at")),
		Kind:   timeline.Kind(rapid.Uint8().Draw(t, "kind")),
		Flags:  timeline.Flags(rapid.Uint8().Draw(t, "flags")),
		CPU:    rapid.Int16().Draw(t, "cpu"),
		Thread: rapid.Int32().Draw(t, "thread"),
		Entity: timeline.EntityID(rapid.Uint32().Draw(t, "entity")),
		Size:   rapid.Uint32().Draw(t, "size"),
		Number: rapid.Uint64().Draw(t, "number"),
		Cause: timeline.Cause{
			Entity: timeline.EntityID(rapid.Uint32().Draw(t, "cause entity")),
			Number: rapid.Uint64().Draw(t, "cause number"),
		},
		ROS:   clock.Sim(rapid.Int64().Draw(t, "ros")),
		Stamp: timeline.Stamp(rapid.Int64().Draw(t, "stamp")),
		Sent:  timeline.Instant(rapid.Int64().Draw(t, "sent")),
		Value: rapid.Int64().Draw(t, "value"),
	}
}

func TestAnyBatchSurvives(t *testing.T) {
	var c codec // one for all: nothing may stay from a batch before
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.SliceOfN(rapid.Custom(anyEvent), 0, 20).Draw(t, "events")
		b := c.appendBatch(nil, events)
		// 3 bytes and at most 11 varints; the count is one byte here.
		if longest := 1 + len(events)*(3+11*binary.MaxVarintLen64); len(b) > longest {
			t.Fatalf("%d bytes for %d events, more than %d", len(b), len(events), longest)
		}
		got, err := c.parseBatch(b, nil)
		if err != nil || !slices.Equal(got, events) {
			t.Fatalf("%v\n%s", err, cmp.Diff(events, got))
		}
	})
}

func TestParseBatchClearsReusedMemory(t *testing.T) {
	var c codec
	full := c.appendBatch(nil, []timeline.Event{{At: 1, Kind: 2, Flags: 3, CPU: 4, Thread: 5, Entity: 6, Size: 7, Number: 8,
		Cause: timeline.Cause{Entity: 9, Number: 10}, ROS: 11, Stamp: 12, Sent: 13, Value: 14}})
	events, err := c.parseBatch(full, nil)
	if err != nil {
		t.Fatal(err)
	}
	events, err = c.parseBatch(c.appendBatch(nil, []timeline.Event{{At: 1}}), events)
	if err != nil || events[0] != (timeline.Event{At: 1}) {
		t.Errorf("%+v, %v", events[0], err)
	}
}

// The layout, byte by byte. A change here is a new version of the format.
func TestBatchLayout(t *testing.T) {
	events := []timeline.Event{
		{At: 1000, Kind: timeline.SampleArrived, Flags: timeline.HasStamp | timeline.HasSent, Entity: 3,
			Number: 7, Stamp: 500, Sent: 998, Size: 12},
		{At: 1064, Kind: timeline.SampleArrived, Flags: timeline.HasStamp | timeline.HasSent, Entity: 3,
			Number: 8, Stamp: 563, Sent: 1064, Size: 12},
		{At: 1064, Kind: timeline.JobStarted, Flags: timeline.HasThread | timeline.HasROS, Entity: 4,
			Number: 1, Cause: timeline.Cause{Entity: 3, Number: 8}, ROS: 5, Thread: -1, CPU: 2},
	}
	want := []byte{
		3,                // events
		4, 3, 0b00101101, // arrived; stamp and sent; number, stamp, sent, size
		0xd0, 0x0f, 3, 12, // at 1000 (zigzag 2000), entity, number 7 - 0 - 1
		0xe8, 0x07, 3, 24, // stamp 500, sent 998 - 1000, size 12
		4, 3, 0b00101101, //
		0x80, 0x01, 3, 0, // at + 64, entity, number as foretold
		0xe9, 0x06, 0, 0, // stamp 563 - (500 + 500) = -437 (zigzag 873), sent at once, size as before
		8, 12, 0b11010001, // started; ROS and thread; number, ros, cause, place
		0, 4, 0, 10, 3, 16, 1, 4, // at, entity, number, ros, cause 3 and 8, thread, CPU
	}
	if got := new(codec).appendBatch(nil, events); !bytes.Equal(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}

func TestDamagedBatchIsRefused(t *testing.T) {
	var c codec
	whole := c.appendBatch(nil, robotEvents(3))
	for n := range whole {
		if events, err := c.parseBatch(whole[:n], nil); err == nil || events != nil {
			t.Errorf("cut after %d of %d bytes: %d events, error %v", n, len(whole), len(events), err)
		}
	}
	for name, b := range map[string][]byte{
		"more bytes":     append(slices.Clone(whole), 0),
		"count too high": append(binary.AppendUvarint(nil, 1<<40), whole...),
		"over the limit": append(binary.AppendUvarint(nil, maxBatch+1), make([]byte, (maxBatch+1)*minEventLen)...),
		"long varint":    bytes.Repeat([]byte{0xff}, 20),
		"entity":         {1, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"cpu":            {1, 1, 0, hasPlace, 0, 1, 0, 0xff, 0xff, 0xff, 0x7f},
	} {
		if events, err := c.parseBatch(b, nil); err == nil || events != nil {
			t.Errorf("%s: %d events, error %v", name, len(events), err)
		}
	}
}

func FuzzParseBatch(f *testing.F) {
	f.Add(new(codec).appendBatch(nil, robotEvents(20)))
	f.Add([]byte{1, 1, 0, 0xff, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	f.Fuzz(func(t *testing.T, b []byte) {
		var c codec
		events, err := c.parseBatch(b, nil)
		if err != nil {
			return
		}
		again, err := c.parseBatch(c.appendBatch(nil, events), nil)
		if err != nil || !slices.Equal(again, events) {
			t.Errorf("what parses does not survive: %v\n%s", err, cmp.Diff(events, again))
		}
	})
}
