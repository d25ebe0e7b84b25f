package rosmsg

import (
	"errors"
	"slices"
	"testing"

	"github.com/takt-rt/takt/cdr"
)

func TestEachTransformOfARecordedMessage(t *testing.T) {
	var got []string
	for _, r := range readRecorded(t) {
		if r.Topic != "/tf_static" {
			continue
		}
		err := EachTransform(r.msg(t), func(tr Transform) {
			if tr.Stamp != 0 {
				t.Errorf("static transforms of this run are stamped 0, not %d", tr.Stamp)
			}
			got = append(got, string(tr.Parent)+" -> "+string(tr.Child))
		})
		if err != nil {
			t.Error(err)
		}
	}
	// Read off the hex dump.
	want := []string{"base_footprint -> base_link", "base_link -> caster_back_link", "base_link -> imu_link", "base_link -> base_scan"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// transformMsg is a message of two transforms, stamped 1 s and 2.5 s.
func transformMsg() []byte {
	var a cdr.Appender
	a.Uint32(2)
	for _, c := range []struct {
		sec           int32
		nanosec       uint32
		parent, child string
	}{{1, 0, "map", "o"}, {2, 500_000_000, "o", "base"}} {
		a.Int32(c.sec)
		a.Uint32(c.nanosec)
		a.String(c.parent)
		a.String(c.child)
		for range 7 {
			a.Float64(0.25)
		}
	}
	return a.Message()
}

func TestEachTransform(t *testing.T) {
	msg := transformMsg()
	var got []string
	var stamps []int64
	collect := func(tr Transform) {
		stamps = append(stamps, tr.Stamp)
		got = append(got, string(tr.Parent)+" -> "+string(tr.Child))
	}
	if err := EachTransform(msg, collect); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, []string{"map -> o", "o -> base"}) || !slices.Equal(stamps, []int64{1e9, 25e8}) {
		t.Errorf("got %q at %d", got, stamps)
	}
	got = nil
	var e *cdr.Error
	if err := EachTransform(msg[:len(msg)-1], collect); !errors.As(err, &e) || len(got) != 1 {
		t.Errorf("cut in the second: got %v and %q, want an error after the first", err, got)
	}
	if err := EachTransform([]byte{0, 1, 0, 0, 0, 0, 0, 0}, collect); err != nil || len(got) != 1 {
		t.Errorf("none: got %v and %q", err, got)
	}
}

func BenchmarkEachTransform(b *testing.B) {
	msg := transformMsg()
	b.ReportAllocs()
	for b.Loop() {
		if err := EachTransform(msg, func(Transform) {}); err != nil {
			b.Fatal(err)
		}
	}
}
