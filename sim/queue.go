package sim

// A queue is first in, first out. Its memory is that of the most it ever held.
type queue[T any] struct {
	items []T
	head  int // of items, the first that is left
}

func (q *queue[T]) len() int { return len(q.items) - q.head }

func (q *queue[T]) push(x T) {
	if q.head > len(q.items)/2 && len(q.items) == cap(q.items) {
		n := copy(q.items, q.items[q.head:])
		q.items, q.head = q.items[:n], 0
	}
	q.items = append(q.items, x)
}

// pop takes the first item out; of an empty queue, the zero value.
func (q *queue[T]) pop() (x T) {
	if q.len() == 0 {
		return x
	}
	x = q.items[q.head]
	q.head++
	if q.len() == 0 {
		q.items, q.head = q.items[:0], 0
	}
	return x
}

// remove takes the first item out that is wanted, from wherever it stands.
func (q *queue[T]) remove(wanted func(*T) bool) (x T, ok bool) {
	for i := q.head; i < len(q.items); i++ {
		if !wanted(&q.items[i]) {
			continue
		}
		x = q.items[i]
		copy(q.items[q.head+1:i+1], q.items[q.head:i])
		q.head++
		return x, true
	}
	return x, false
}
