package rtps

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

func TestKeepLastGivesUpTheOldest(t *testing.T) {
	h := NewHistory(qos.KeepLast(3), 0)
	for i := range 5 {
		if _, err := h.Add(Change{Payload: []byte{byte(i + 1)}}); err != nil {
			t.Fatal(err)
		}
	}
	if h.First() != 3 || h.Last() != 5 || h.Len() != 3 {
		t.Errorf("kept %d..%d (%d), want 3..5 (3)", h.First(), h.Last(), h.Len())
	}
	if h.Get(2) != nil || h.Get(6) != nil {
		t.Error("2 is gone and 6 was never written, yet one of them is there")
	}
	if c := h.Get(4); c == nil || c.Payload[0] != 4 {
		t.Errorf("change 4 is %v", c)
	}
}

func TestKeepAllRefusesWhatIsBeyondItsLimit(t *testing.T) {
	h := NewHistory(qos.KeepAll(), 2)
	h.Add(Change{})
	h.Add(Change{})
	_, err := h.Add(Change{})
	if !errors.Is(err, ErrFull) || h.Last() != 2 {
		t.Fatalf("a third sample: %v, last is %d; want ErrFull and 2", err, h.Last())
	}
	h.Release(1)
	if _, err := h.Add(Change{}); err != nil || h.First() != 2 || h.Last() != 3 {
		t.Errorf("after a release: %v, %d..%d; want 2..3", err, h.First(), h.Last())
	}
}

func TestReleaseOfMoreThanIsThereEmpties(t *testing.T) {
	h := NewHistory(qos.KeepAll(), 9)
	h.Add(Change{})
	h.Release(wire.MaxSequence)
	if h.First() != 2 || h.Last() != 1 || h.Len() != 0 {
		t.Errorf("%d..%d (%d), want 2..1 (0)", h.First(), h.Last(), h.Len())
	}
}

func TestHistoryKeepsCopies(t *testing.T) {
	h := NewHistory(qos.KeepLast(1), 0)
	b := []byte("old")
	h.Add(Change{Payload: b})
	copy(b, "new")
	if got := string(h.Get(1).Payload); got != "old" {
		t.Errorf("the payload became %q when its writer reused the buffer", got)
	}
}

// TestHistoryKeepsWhatAListKeeps compares with a plain list.
func TestHistoryKeepsWhatAListKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := rapid.SampledFrom([]qos.History{qos.KeepAll(), qos.KeepLast(1), qos.KeepLast(7), qos.KeepLast(40)}).Draw(t, "policy")
		limit := rapid.SampledFrom([]int{1, 15, 16, 17, 50}).Draw(t, "limit")
		if !policy.KeepAll {
			limit = policy.Depth
		}
		h := NewHistory(policy, limit)
		var list []byte // the payloads, of one byte
		for i := range rapid.IntRange(1, 200).Draw(t, "steps") {
			if n := rapid.IntRange(-20, 10).Draw(t, "release"); n > 0 {
				list = list[min(n, len(list)):]
				h.Release(h.First() + wire.SequenceNumber(n) - 1)
				continue
			}
			_, err := h.Add(Change{Payload: []byte{byte(i)}})
			switch {
			case len(list) < limit:
				list = append(list, byte(i))
			case policy.KeepAll:
				if err == nil {
					t.Fatal("a full history took a sample")
				}
				continue
			default:
				list = append(list[1:], byte(i))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if h.Len() != len(list) {
			t.Fatalf("%d kept, want %d", h.Len(), len(list))
		}
		for i, want := range list {
			if got := h.Get(h.First() + wire.SequenceNumber(i)).Payload[0]; got != want {
				t.Fatalf("payload %d is %d, want %d", i, got, want)
			}
		}
	})
}

func TestHistoryReusesMemory(t *testing.T) {
	h := NewHistory(qos.KeepLast(4), 0)
	b := make([]byte, 100)
	for range 8 {
		h.Add(Change{Payload: b})
	}
	if n := testing.AllocsPerRun(100, func() { h.Add(Change{Payload: b}) }); n != 0 {
		t.Errorf("%v allocations for a sample, want 0", n)
	}
}
