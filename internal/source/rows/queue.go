package rows

// mostHeld is how many rows may wait for their turn: some 300 MB.
const mostHeld = 4 << 20

// A pending is a row that has more to tell, at the instant at.
type pending struct {
	at  int64
	n   int    // its place in the file: what is first there comes first of equal instants
	job uint64 // 0 before it started
	row row
}

func (p *pending) before(q *pending) bool { return p.at < q.at || p.at == q.at && p.n < q.n }

// A queue is a heap with the earliest first.
type queue []pending

func (q *queue) push(p pending) {
	*q = append(*q, p)
	h := *q
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h[i].before(&h[up]) {
			return
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

// pop removes the first.
func (q *queue) pop() {
	last := len(*q) - 1
	(*q)[0] = (*q)[last]
	*q = (*q)[:last]
	q.settle()
}

// settle puts the first, which may have become later, in its place.
func (q queue) settle() {
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(q); child++ {
			if q[child].before(&q[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
}
