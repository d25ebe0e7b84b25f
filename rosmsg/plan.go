package rosmsg

import (
	"errors"

	"github.com/takt-rt/takt/cdr"
)

// ErrNoElement reports that an array of the message is too short for the index
// of the path.
var ErrNoElement = errors.New("rosmsg: the array has no such element")

// A step moves the cursor over a part of a message.
type step struct {
	op    op
	span  span   // skipFixed: of the part; skipFixedSequence: of an element
	n     int    // skipArray: the elements; enterSequence: the index of the element to stop before
	least int    // sequences: the fewest bytes of an element
	body  []step // skipMessage, skipArray, skipSequence, enterSequence: how to skip one
}

type op uint8

const (
	skipFixed         op = iota
	skipString           //
	skipWString          //
	skipMessage          // body, once
	skipArray            // n elements of variable size
	skipSequence         // of elements of variable size
	skipFixedSequence    // of elements of fixed size
	enterSequence        // over the count and the first n elements
)

// walk moves r over the steps. It returns ErrNoElement if the element to stop
// before does not exist; all other errors are the cursor's, and end the walk:
// types may share parts so that their steps are many more than their texts'.
func walk(r *cdr.Reader, steps []step) error {
	for i := range steps {
		if err := steps[i].move(r); err != nil || r.Err() != nil {
			return err
		}
	}
	return nil
}

func (s *step) move(r *cdr.Reader) error {
	switch s.op {
	case skipFixed:
		r.Skip(s.span[r.Offset()&7], "members of fixed size")
	case skipString:
		r.String()
	case skipWString:
		r.SkipWString()
	case skipMessage:
		return walk(r, s.body)
	case skipArray:
		s.skip(r, s.n)
	case skipSequence:
		s.skip(r, r.Len(s.least))
	case skipFixedSequence:
		n := r.Len(s.least)
		r.Skip(s.span.run(r.Offset(), n), "sequence")
	case enterSequence:
		n := r.Len(s.least)
		if r.Err() == nil && n <= s.n {
			return ErrNoElement
		}
		s.skip(r, s.n)
	}
	return nil
}

// skip moves r over n elements. Every one takes at least a byte, so that the
// message's length bounds the loop, whatever n.
func (s *step) skip(r *cdr.Reader, n int) {
	for i := 0; i < n && r.Err() == nil; i++ {
		walk(r, s.body) // no path stops within what is skipped
	}
}

// A plan is steps being put together, neighbours of fixed size as one.
type plan []step

func (p *plan) add(l *layout) {
	last := len(*p) - 1
	switch {
	case !l.fixed:
		*p = append(*p, l.step)
	case last >= 0 && (*p)[last].op == skipFixed:
		(*p)[last].span = (*p)[last].span.then(l.step.span)
	default:
		*p = append(*p, l.step)
	}
}

// constant returns where in a message, counted from its start, the plan leads
// to in all of them, for a value of an alignment, or 0 if that varies.
func (p plan) constant(align int) int {
	at := 0
	switch {
	case len(p) == 1 && p[0].op == skipFixed:
		at = p[0].span[0]
	case len(p) > 0:
		return 0
	}
	return cdr.HeaderLen + (at+align-1)&^(align-1)
}
