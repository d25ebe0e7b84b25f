package file

import (
	"errors"
	"io"
	"testing"

	"github.com/takt-rt/takt/timeline"
)

// A disk takes room bytes and counts how often it was asked to keep them.
type disk struct{ room, syncs int }

var errFull = errors.New("no space left")

func (d *disk) Write(p []byte) (int, error) {
	if len(p) > d.room {
		return 0, errFull
	}
	d.room -= len(p)
	return len(p), nil
}

func (d *disk) Sync() error {
	d.syncs++
	return nil
}

func TestFirstErrorStays(t *testing.T) {
	d := &disk{room: 1000}
	w, err := NewWriter(d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(testOrigin)
	if w.Err() != nil {
		t.Fatal(w.Err())
	}
	w.Events(robotEvents(1000))
	d.room = 1 << 20 // room again; but a file with a hole in a record cannot go on
	w.Events(robotEvents(10))
	if d.room != 1<<20 {
		t.Error("wrote on after an error")
	}
	if !errors.Is(w.Err(), errFull) || !errors.Is(w.Close(timeline.Outcome{}), errFull) {
		t.Errorf("Err %v, Close %v", w.Err(), w.Close(timeline.Outcome{}))
	}
}

func TestSyncIsAskedForEachMessage(t *testing.T) {
	for _, test := range []struct{ ask, want bool }{{false, false}, {true, true}} {
		d := &disk{room: 1 << 20}
		w, err := NewWriter(d, Options{Sync: test.ask})
		if err != nil {
			t.Fatal(err)
		}
		w.Start(testOrigin)
		for range 3 {
			before := d.syncs
			w.Events(robotEvents(1))
			if (d.syncs == before+1) != test.want {
				t.Errorf("Sync %v: %d syncs for a batch", test.ask, d.syncs-before)
			}
		}
	}
}

// Memory per event would fill a machine that records for days.
func TestEventsCostNoAllocation(t *testing.T) {
	w, err := NewWriter(io.Discard, Options{})
	if err != nil {
		t.Fatal(err)
	}
	events := robotEvents(1000)
	w.Events(events)
	if n := testing.AllocsPerRun(100, func() { w.Events(events) }); n > 10 {
		t.Errorf("%v allocations for a batch of %d events", n, len(events))
	}
}
