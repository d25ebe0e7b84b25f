package vnet

import (
	"testing"
	"time"
)

func TestWithoutConditionsAllArriveAtOnceInOrder(t *testing.T) {
	n := New[string](1, Conditions{})
	n.Send(5, "a", []byte{1})
	n.Send(5, "b", []byte{2})
	if n.Next() != 5 {
		t.Fatalf("the next arrives at %d, want 5", n.Next())
	}
	for i, want := range []string{"a", "b"} {
		to, payload, ok := n.Receive(5)
		if !ok || to != want || payload[0] != byte(i+1) {
			t.Errorf("datagram %d: %q %v %v", i, to, payload, ok)
		}
	}
	if _, _, ok := n.Receive(1 << 40); ok {
		t.Error("a datagram that nobody sent")
	}
}

// TestConditions: of 10,000 datagrams 30 % lost are 3,000, with a standard
// deviation of 46; of the 7,000 left 10 % are repeated, which makes 7,700 with
// one of 51 and 25. Five of them are 230 and 280.
func TestConditions(t *testing.T) {
	n := New[int](7, Conditions{Loss: 0.3, Repeat: 0.1, Delay: 50 * time.Millisecond})
	for i := range 10000 {
		n.Send(0, i, nil)
	}
	arrived, reordered, last := 0, 0, 0
	for n.Next() <= 50_000_000 {
		i, _, _ := n.Receive(n.Next())
		arrived++
		if i < last {
			reordered++
		}
		last = i
	}
	if n.Lost < 2770 || n.Lost > 3230 {
		t.Errorf("%d lost, want about 3000", n.Lost)
	}
	if arrived < 7420 || arrived > 7980 {
		t.Errorf("%d arrived, want about 7700", arrived)
	}
	if reordered < arrived/3 {
		t.Errorf("%d of %d came before their predecessor, want about half", reordered, arrived)
	}
}

func TestSameSeedSameFate(t *testing.T) {
	a, b := New[int](3, Conditions{Loss: 0.5, Delay: time.Second}), New[int](3, Conditions{Loss: 0.5, Delay: time.Second})
	for i := range 100 {
		a.Send(0, i, nil)
		b.Send(0, i, nil)
	}
	for a.Next() < 2e9 || b.Next() < 2e9 {
		at := a.Next()
		i, _, _ := a.Receive(2e9)
		j, _, _ := b.Receive(2e9)
		if i != j || at > 1e9 {
			t.Fatalf("%d and %d arrived, at %d", i, j, at)
		}
	}
}
