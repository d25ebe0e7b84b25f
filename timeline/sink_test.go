package timeline

import (
	"fmt"
	"slices"
	"testing"
)

// A log writes down what a sink was given.
type log []string

func (l *log) Start(o Origin)    { *l = append(*l, "start "+o.Kind) }
func (l *log) Describe(e Entity) { *l = append(*l, "describe "+e.Name) }
func (l *log) Events(batch []Event) {
	for _, e := range batch {
		*l = append(*l, fmt.Sprint("event ", e.Number))
	}
}

// feed gives a sink a timeline of 200 batches of 3, from memory that it uses
// again, and returns what must arrive.
func feed(s Sink) (want log) {
	s.Start(Origin{Kind: "test"})
	s.Describe(Entity{Name: "a"})
	want = log{"start test", "describe a"}
	batch := make([]Event, 3)
	for i := range uint64(600) {
		batch[i%3].Number = i
		want = append(want, fmt.Sprint("event ", i))
		if i%3 == 2 {
			s.Events(batch)
		}
		if i == 299 {
			s.Describe(Entity{Name: "b"})
			want = append(want, "describe b")
		}
	}
	return want
}

func TestAsyncKeepsTheOrder(t *testing.T) {
	var got log
	s, wait := Async(&got)
	want := feed(s)
	wait()
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestTeeGivesEachAll(t *testing.T) {
	var a, b log
	want := feed(Tee(&a, &b))
	if !slices.Equal(a, want) || !slices.Equal(b, want) {
		t.Errorf("got %q and %q", a, b)
	}
}
