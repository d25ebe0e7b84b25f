package trace

import (
	"fmt"
	"math"
)

// toEnd is the end of a gap that no later packet ends.
const toEnd = math.MaxInt64

// turn goes on to the next packet, and notes what is missing before it.
func (s *stream) turn() {
	if s.opened > 0 {
		s.start, s.before = s.next, s.packet
	}
	if s.start >= s.size {
		s.over = true
		return
	}
	p, err := s.openPacket()
	if err != nil {
		s.gap(Gap{Why: Damaged, Until: toEnd, Err: s.problem(err)}, s.last)
		s.over = true
		return
	}
	s.packet = p
	s.opened++
	s.next = s.size
	if rest := uint64(s.size-s.start) * 8; p.size <= rest {
		s.next = s.start + int64(p.size/8)
	} else {
		s.cut = true
		p.content = min(p.content, rest)
	}
	d := &s.dec
	d.end, d.limit = p.content, min(d.limit, p.content)
	if p.hasBegin {
		d.clock = p.begin
		s.last = max(s.last, s.scale.at(p.begin))
	}
	s.missing()
	s.discarded()
}

func (s *stream) gap(g Gap, from int64) {
	g.Stream = s.name
	s.waiting = append(s.waiting, Event{At: from, CPU: s.cpu, Gap: &g})
}

func (s *stream) problem(err error) error {
	return fmt.Errorf("packet at byte %d: %w", s.start, err)
}

// missing notes packets that are missing before this one: an overwriting
// tracer throws the oldest away.
func (s *stream) missing() {
	p, b := &s.packet, &s.before
	if s.opened > 1 && p.numbered && p.number > b.number+1 {
		s.gap(Gap{Why: Missing, Until: s.scale.at(p.begin), Count: p.number - b.number - 1}, s.scale.at(b.end))
	}
}

// discarded notes events that the tracer had no room for until this packet
// ended. The count goes on from packet to packet; in the first one it says
// something only if none was before.
func (s *stream) discarded() {
	p, b := &s.packet, &s.before
	n, from := p.discarded, s.scale.at(p.begin)
	switch {
	case !p.counted || p.discarded <= b.discarded:
		return
	case s.opened > 1:
		n, from = p.discarded-b.discarded, s.scale.at(b.end)
	case p.numbered && p.number > 0:
		return
	}
	s.gap(Gap{Why: Discarded, Until: s.scale.at(max(p.begin, p.end)), Count: n}, from)
}

// damaged gives the rest of the packet up.
func (s *stream) damaged(err error) {
	until := int64(toEnd)
	if s.packet.hasEnd {
		until = max(s.last, s.scale.at(s.packet.end))
	}
	s.gap(Gap{Why: Damaged, Until: until, Err: s.problem(err)}, s.last)
	s.dec.pos = s.dec.end
}

// cutOff ends a stream whose file ends within a packet.
func (s *stream) cutOff() {
	err := fmt.Errorf("it has %d bytes, and the file ends after %d", s.packet.size/8, s.size-s.start)
	s.gap(Gap{Why: CutOff, Until: toEnd, Err: s.problem(err)}, s.last)
	s.over = true
}
