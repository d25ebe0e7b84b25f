package tap

import "github.com/takt-rt/takt/timeline"

// enough events for a batch: they are fetched before the interval is over.
const enough = 1 << 14

// A queue keeps what was heard until the goroutine of Run fetches it: at most
// so many events; of what there was no room for only when it was and how many.
type queue struct {
	most      int
	events    []timeline.Event
	spare     []timeline.Event // memory of the batch before
	described []timeline.Entity
	retold    []timeline.Entity         // memory of the descriptions before
	at        map[timeline.EntityID]int // places in described

	hole     timeline.Event // of events that found no room since the last swap
	overflow uint64         // how many found none, ever
}

// push takes an event, and reports that it is time to fetch.
func (q *queue) push(e timeline.Event) (full bool) {
	if len(q.events) >= q.most {
		q.lose(e.At)
		return true
	}
	q.events = append(q.events, e)
	return len(q.events) >= enough
}

// lose widens the hole.
func (q *queue) lose(at timeline.Instant) {
	q.overflow++
	if q.hole.Kind == 0 {
		q.hole = timeline.Event{At: at, Kind: timeline.Hole, Value: int64(at)}
	}
	q.hole.At = min(q.hole.At, at)
	q.hole.Value = max(q.hole.Value, int64(at))
}

// describe takes a description, in place of one that still waits. So what
// waits is bounded by the number of entities.
func (q *queue) describe(e timeline.Entity) {
	if i, waits := q.at[e.ID]; waits {
		q.described[i] = e
		return
	}
	if q.at == nil {
		q.at = map[timeline.EntityID]int{}
	}
	q.at[e.ID] = len(q.described)
	q.described = append(q.described, e)
}

// swap returns all that waits, good until the next swap.
func (q *queue) swap() ([]timeline.Entity, []timeline.Event) {
	if q.hole.Kind != 0 {
		q.events = append(q.events, q.hole)
		q.hole = timeline.Event{}
	}
	events, described := q.events, q.described
	q.events, q.spare = q.spare[:0], events
	q.described, q.retold = q.retold[:0], described
	clear(q.at)
	return described, events
}
