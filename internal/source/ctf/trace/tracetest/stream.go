package tracetest

import "fmt"

// A Stream is that of one CPU.
type Stream struct {
	trace     *Trace
	cpu       int
	file      []byte
	body      []byte // events of the packet under way
	begin     uint64 // instant of its first event
	last      uint64 // of its last
	count     uint64 // packets
	discarded uint64
}

// A Thread is where an event comes from.
type Thread struct {
	Proc     string
	PID, TID int32
}

// Stream begins the stream of a CPU.
func (t *Trace) Stream(cpu int) *Stream {
	s := &Stream{trace: t, cpu: cpu}
	t.streams = append(t.streams, s)
	return s
}

const packetHeaderLen = 4 + 16 + 4 + 8 + 6*8 + 4

// Event adds an event at an instant of the trace's clock, with values for its
// fields: integers, strings or bytes.
func (s *Stream) Event(at uint64, id int, from Thread, values ...any) {
	t := s.trace
	body := s.header(s.body, at, id)
	if !t.opt.NoContext {
		var name [17]byte
		copy(name[:16], from.Proc)
		body = append(body, name[:]...)
		body = t.order.AppendUint32(body, uint32(from.PID))
		body = t.order.AppendUint32(body, uint32(from.TID))
	}
	for i, f := range t.events[id].Fields {
		body = s.value(body, f.Type, values[i])
	}
	if packetHeaderLen+len(body) > t.opt.PacketSize && len(s.body) > 0 {
		s.Flush()
		s.Event(at, id, from, values...)
		return
	}
	if len(s.body) == 0 {
		s.begin = at
	}
	s.body, s.last = body, at
}

// header adds the header of an event: the low bits of the time, if less than
// they count has passed since the event before.
func (s *Stream) header(b []byte, at uint64, id int) []byte {
	t, last := s.trace, s.last
	if len(s.body) == 0 {
		last = at // the packet's begin
	}
	switch {
	case t.opt.Compact && id < 31 && at-last < 1<<27:
		if t.opt.BigEndian {
			return t.order.AppendUint32(b, uint32(id)<<27|uint32(at)&(1<<27-1))
		}
		return t.order.AppendUint32(b, uint32(id)|uint32(at)<<5)
	case !t.opt.Compact && at-last < 1<<32:
		b = t.order.AppendUint16(b, uint16(id))
		return t.order.AppendUint32(b, uint32(at))
	case t.opt.Compact && t.opt.BigEndian:
		b = append(b, 31<<3)
	case t.opt.Compact:
		b = append(b, 31)
	default:
		b = append(b, 0xff, 0xff)
	}
	b = t.order.AppendUint32(b, uint32(id))
	return t.order.AppendUint64(b, at)
}

func (s *Stream) value(b []byte, typ string, v any) []byte {
	var n uint64
	switch v := v.(type) {
	case string:
		return append(append(b, v...), 0)
	case []byte:
		return append(b, v...)
	case int:
		n = uint64(v)
	case int64:
		n = uint64(v)
	case uint64:
		n = v
	default:
		panic(fmt.Sprintf("tracetest: %T is no value of a field", v))
	}
	if typ == "i32" {
		return s.trace.order.AppendUint32(b, uint32(n))
	}
	return s.trace.order.AppendUint64(b, n)
}

// Discard says that n events were lost before the packet under way ends.
func (s *Stream) Discard(n uint64) { s.discarded += n }

// Skip says that n packets are missing before the one under way.
func (s *Stream) Skip(n uint64) { s.count += n }

// Flush ends the packet under way.
func (s *Stream) Flush() {
	if len(s.body) == 0 {
		return
	}
	o := s.trace.order
	p := o.AppendUint32(s.file, 0xC1FC1FC1)
	p = append(p, uuid[:]...)
	p = o.AppendUint32(p, 0)
	p = o.AppendUint64(p, uint64(s.cpu))
	content := packetHeaderLen + len(s.body)
	size := max(content, s.trace.opt.PacketSize)
	for _, v := range []uint64{s.begin, s.last, uint64(content) * 8, uint64(size) * 8, s.count, s.discarded} {
		p = o.AppendUint64(p, v)
	}
	p = o.AppendUint32(p, uint32(s.cpu))
	p = append(p, s.body...)
	s.file = append(p, make([]byte, size-content)...)
	s.body = s.body[:0]
	s.count++
}
