package trace

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Sizes of a stream's window, in bytes.
const (
	windowSize = 64 << 10
	maxEvent   = 16 << 20 // an event that is longer is taken for damage
)

// A stream is one file, read packet by packet.
type stream struct {
	name     string
	size     int64
	number   int // among all of the trace
	trace    *Trace
	domain   *Domain
	scale    scale
	keepOpen bool
	file     *os.File

	dec  decoder
	kind *streamKind
	cpu  int16

	start   int64 // of the packet under way, in the file
	next    int64 // of the one after it
	packet  packet
	before  packet // the one before, if opened > 1
	opened  int    // packets
	cut     bool   // the file ends within the packet
	waiting []Event
	last    int64 // instant of the last event, or of the start of the packet
	over    bool
	current Event // that waits for its turn among the streams
}

func (s *stream) close() error {
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	return f.Close()
}

// advance reads the next event, or gap, into e. It returns false at the end.
func (s *stream) advance(e *Event) bool {
	for len(s.waiting) == 0 {
		if s.over {
			return false
		}
		if s.opened == 0 || s.dec.pos >= s.dec.end && !s.cut {
			s.turn()
			continue
		}
		if s.dec.pos < s.dec.end {
			if err := s.event(e); err == nil {
				return true
			} else if !s.cut {
				s.damaged(err)
				continue
			}
		}
		s.cutOff()
	}
	*e = s.waiting[0]
	s.waiting = s.waiting[1:]
	return true
}

// event reads one event.
func (s *stream) event(e *Event) error {
	from := s.dec.pos
	if err := s.read(s.kind.header); err != nil {
		return err
	}
	c, err := s.kind.class(s.dec.ints[slotID], s.domain, &s.trace.opt)
	if err != nil {
		return err
	}
	if err := s.read(c.plan); err != nil {
		return err
	}
	if s.cut && s.packet.hasEnd && s.dec.clock > s.packet.end {
		return io.ErrUnexpectedEOF // what says how much of it is used is wrong too
	}
	if s.dec.pos == from {
		return fmt.Errorf("events %s take no room, so there is no end of them", c.Name)
	}
	c.Count++
	d := &s.dec
	e.Class, e.Gap, e.At, e.CPU, e.decoder = c, nil, s.scale.at(d.clock), s.cpu, d
	e.PID, e.TID, e.Proc = int64(d.ints[slotPID]), int64(d.ints[slotTID]), d.texts[slotProc]
	if e.PID == 0 {
		e.PID, e.Proc = s.domain.pid, s.domain.proc
	}
	s.last = e.At
	return nil
}

// read runs a plan, moving the window on as often as the plan needs more.
func (s *stream) read(p plan) error {
	d := &s.dec
	from, clock := d.pos, d.clock
	for {
		switch d.run(p) {
		case ok:
			return nil
		case wrong:
			if s.cut {
				return io.ErrUnexpectedEOF
			}
			return errors.New("what it holds does not fit into it")
		}
		if d.pos, d.clock = from, clock; len(d.buf)-spare > maxEvent {
			return fmt.Errorf("an event is longer than %d MiB", maxEvent>>20)
		}
		if err := s.fill(); err != nil {
			return err
		}
	}
}

// rewind sets the window to the start of the packet, with nothing in it.
func (s *stream) rewind() {
	d := &s.dec
	d.base, d.pos, d.limit = 0, 0, 0
	d.buf = d.buf[:0]
}

// fill moves the window to the position and reads on behind what it holds: as
// much again, or a window.
func (s *stream) fill() error {
	d := &s.dec
	at := d.pos / 8
	var kept []byte
	if have := d.limit / 8; at < have {
		kept = d.buf[at-d.base : have-d.base]
	}
	left := uint64(s.size-s.start) - at - uint64(len(kept))
	more := min(uint64(max(windowSize, len(kept))), left)
	if more == 0 {
		return io.ErrUnexpectedEOF
	}
	need := len(kept) + int(more) + spare
	b := d.buf[:cap(d.buf)]
	if len(b) < need {
		b = make([]byte, need)
	}
	n := copy(b, kept)
	b = b[:need]
	if err := s.readAt(b[n:n+int(more)], s.start+int64(at)+int64(n)); err != nil {
		return err
	}
	clear(b[n+int(more):])
	d.buf, d.base = b, at
	d.limit = min((at+uint64(n)+more)*8, d.end)
	s.trace.advance(int(more))
	return nil
}

func (s *stream) readAt(b []byte, at int64) (err error) {
	if s.file == nil {
		if s.file, err = os.Open(s.name); err != nil {
			return err
		}
	}
	if _, err = s.file.ReadAt(b, at); err == io.EOF {
		err = errors.New("the file became shorter while it was read")
	}
	if !s.keepOpen {
		err = errors.Join(err, s.close())
	}
	return err
}
