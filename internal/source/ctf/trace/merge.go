package trace

import "context"

// every is after how many events the context is asked.
const every = 4096

// Each hands on the events and gaps of all streams in the order of time; at
// equal instants in the order of the streams' names. When ctx is done it ends
// early. It may be called once.
func (t *Trace) Each(ctx context.Context, take func(*Event)) {
	var h heap
	for _, s := range t.streams {
		if s.advance(&s.current) {
			h.push(s)
		}
	}
	for n := 0; len(h) > 0; {
		s := h[0]
		// The stream whose turn it is mostly keeps it for a while.
		for next := h.second(); next == nil || s.earlier(next); {
			if n++; n%every == 0 && ctx.Err() != nil {
				return
			}
			take(&s.current)
			if !s.advance(&s.current) {
				h.drop()
				break
			}
		}
		if len(h) > 0 {
			h.sift()
		}
	}
}

func (s *stream) earlier(o *stream) bool {
	if s.current.At != o.current.At {
		return s.current.At < o.current.At
	}
	return s.number < o.number
}

// A heap has the streams by their next event, the earliest first.
type heap []*stream

func (h *heap) push(s *stream) {
	*h = append(*h, s)
	a := *h
	for i := len(a) - 1; i > 0; {
		parent := (i - 1) / 2
		if !a[i].earlier(a[parent]) {
			return
		}
		a[i], a[parent] = a[parent], a[i]
		i = parent
	}
}

// second returns the stream whose turn it is after the first; nil if there is none.
func (h heap) second() *stream {
	switch {
	case len(h) < 2:
		return nil
	case len(h) > 2 && h[2].earlier(h[1]):
		return h[2]
	}
	return h[1]
}

// drop takes out the first.
func (h *heap) drop() {
	a := *h
	a[0] = a[len(a)-1]
	*h = a[:len(a)-1]
}

// sift puts the first where it belongs.
func (h heap) sift() {
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].earlier(h[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}
