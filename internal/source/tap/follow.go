package tap

import "fmt"

// follow joins and leaves what the budget decided on, and tells of topics that
// are left out.
func (t *Tap) follow() {
	t.mu.Lock()
	joins, leaves, leftOut := t.joins, t.budget.Leaves(), t.budget.LeftOut()[t.noticed:]
	t.joins = nil
	t.noticed += len(leftOut)
	t.mu.Unlock()
	for _, s := range joins {
		t.join(s)
	}
	for _, topic := range leaves {
		t.leave(topic)
	}
	for i := range leftOut {
		t.notice(leftOut[i].finding(t.budget.opt.BytesPerSecond))
	}
}

func (t *Tap) join(s *stream) {
	r, err := t.transport.Join(Topic{s.topic.entity.Name, s.topic.entity.Type}, s.take)
	if err != nil {
		t.notice(t.failed("not-joined", s, fmt.Errorf("could not be joined: %w", err)))
		return
	}
	s.reader = r
	t.streams = append(t.streams, s)
	t.mu.Lock()
	defer t.mu.Unlock()
	if own := t.table.endpoint(r.GUID(), s.topic, true); own != nil {
		s.own = own.entity.ID
		t.queue.describe(own.entity)
	}
}

// leave closes the reader of a topic, if it is joined.
func (t *Tap) leave(topic Topic) {
	for i, s := range t.streams {
		if s.topic.entity.Name == topic.Name {
			t.close(s)
			t.streams = append(t.streams[:i], t.streams[i+1:]...)
			return
		}
	}
}

func (t *Tap) close(s *stream) {
	t.countLosses(s, maxLast)
	for i := range s.lost {
		t.found.untold += s.lost[i].untold()
	}
	guid, err := s.reader.GUID(), s.reader.Close()
	t.Gone(guid)
	t.found.closed = append(t.found.closed, s)
	if err != nil {
		t.notice(t.failed("not-left", s, fmt.Errorf("could not be left: %w", err)))
	}
}

// leaveAll leaves every topic, after which nothing more is taken.
func (t *Tap) leaveAll() {
	for _, s := range t.streams {
		t.close(s)
	}
	t.streams = nil
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
}
