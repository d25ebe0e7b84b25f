package cdr

import (
	"reflect"
	"strings"
	"sync"
	"testing"
)

type (
	tree     struct{ Children []tree }
	withWord struct {
		Header header
		Rows   []struct{ Cells [2]any }
	}
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string // "" is none
	}{
		{Check[clockMsg](), ""},
		{Check[everything](), ""},
		{Check[struct{}](), ""},
		{Check[int32](), "cdr: int32 is no struct; a message is one"},
		{Check[*clockMsg](), "cdr: *cdr.clockMsg is no struct; a message is one"},
		{Check[struct{ A int }](), "cdr: message.A: int has no fixed size; use int32 or int64"},
		{Check[struct{ A []uint }](), "cdr: message.A[]: uint has no fixed size; use uint32 or uint64"},
		{Check[struct{ A map[string]bool }](), "cdr: message.A: map[string]bool has no CDR form; use a slice of structs"},
		{Check[struct{ A *stamp }](), "cdr: message.A: *cdr.stamp has no CDR form; use the value itself"},
		{Check[struct{ A complex64 }](), "cdr: message.A: complex64 has no CDR form"},
		{Check[struct{ A chan int }](), "cdr: message.A: chan int has no CDR form"},
		{Check[withWord](), "cdr: cdr.withWord.Rows[].Cells[]: interface {} has no CDR form"},
		{Check[struct{ A [0]uint8 }](), "cdr: message.A: [0]uint8 is empty; an array in a message is not"},
		{Check[struct{ A [1 << 30]struct{} }](), "is empty"},
		{Check[tree](), "cdr: cdr.tree.Children[]: cdr.tree contains itself; a message cannot"},
		{Check[struct{ _ uint8 }](), "cdr: message._: uint8 is not exported; every field of a message is a member of it"},
		{Check[struct {
			A []uint8 `cdr:"max=10"`
			B string  `cdr:"max=2147483647"`
		}](), ""},
		{Check[struct {
			A []uint8 `cdr:"max=0"`
		}](), `cdr: message.A: []uint8 has the tag cdr:"max=0"; what can stand there is max=N, with N from 1 to 2147483647`},
		{Check[struct {
			A string `cdr:"max=2147483648"`
		}](), "with N from 1 to 2147483647"},
		{Check[struct {
			A string `cdr:"min=1"`
		}](), `has the tag cdr:"min=1"`},
		{Check[struct {
			A [3]uint8 `cdr:"max=2"`
		}](), "only slices and strings have a bound"},
	} {
		switch {
		case c.want == "" && c.err != nil:
			t.Errorf("got %v", c.err)
		case c.want != "" && (c.err == nil || !strings.Contains(c.err.Error(), c.want)):
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
}

// The fewest bytes of an element bound how many a message can hold. Counted by
// hand, without padding: in delimited CDR a struct has more, never less.
func TestFewestBytesOfAMessage(t *testing.T) {
	for _, c := range []struct {
		t    reflect.Type
		want int
	}{
		{reflect.TypeFor[struct{}](), 1},
		{reflect.TypeFor[clockMsg](), 8},
		{reflect.TypeFor[header](), 12},
		{reflect.TypeFor[pointField](), 4 + 4 + 1 + 4},
		{reflect.TypeFor[struct{ A [2][3]stamp }](), 48},
		{reflect.TypeFor[entities](), 20},
	} {
		if p, err := planOf(c.t); err != nil || p.least != c.want {
			t.Errorf("%v: got %+v, %v, want %d", c.t, p, err, c.want)
		}
	}
}

func TestPlansAreMadeByManyAtOnce(t *testing.T) {
	type fresh struct{ A, B []stamp }
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := Check[fresh](); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
