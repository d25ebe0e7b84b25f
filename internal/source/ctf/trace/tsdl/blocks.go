package tsdl

import "errors"

func (p *parser) trace(key string) (err error) {
	if key == "packet.header" {
		p.out.PacketHeader, err = p.structure()
		return err
	}
	return p.set(key, map[string]func(Value) error{
		"uuid":       uuid(&p.out.UUID),
		"byte_order": p.byteOrder(&p.out.ByteOrder),
	})
}

func (p *parser) byteOrder(to *ByteOrder) func(Value) error {
	return func(v Value) error {
		switch v.Text {
		case "le":
			*to = LittleEndian
		case "be", "network":
			*to = BigEndian
		case "native":
			*to = Native
		default:
			return errors.New("a byte order is le, be, network or native")
		}
		return nil
	}
}

func (p *parser) env(key string) error {
	v, err := p.value()
	p.out.Env[key] = v
	return err
}

func (p *parser) clock() error {
	line := p.tok.line
	c := &Clock{Freq: 1e9}
	err := p.block(func(key string) error {
		return p.set(key, map[string]func(Value) error{
			"name":     func(v Value) error { c.Name = v.Text; return nil },
			"uuid":     uuid(&c.UUID),
			"offset_s": func(v Value) error { c.OffsetS = v.Number; return nil },
			"offset":   func(v Value) error { c.Offset = v.Number; return nil },
			"freq": func(v Value) error {
				if v.Number <= 0 {
					return errors.New("a frequency is above zero")
				}
				c.Freq = uint64(v.Number)
				return nil
			},
		})
	})
	if err != nil {
		return err
	}
	if len(p.out.Clocks) == maxClocks {
		return &Error{line, "there are too many clocks"}
	}
	p.out.Clocks[c.Name] = c
	return nil
}

func (p *parser) stream() error {
	line := p.tok.line
	s := &Stream{Events: map[uint64]*Event{}}
	err := p.block(func(key string) (err error) {
		switch key {
		case "packet.context":
			s.PacketContext, err = p.structure()
		case "event.header":
			s.EventHeader, err = p.structure()
		case "event.context":
			s.EventContext, err = p.structure()
		default:
			err = p.set(key, map[string]func(Value) error{"id": id(&s.ID)})
		}
		return err
	})
	if err != nil {
		return err
	}
	if p.out.Streams[s.ID] != nil || len(p.out.Streams) == maxStreams {
		return &Error{line, "the stream's ID is taken, or there are too many streams"}
	}
	p.out.Streams[s.ID] = s
	return nil
}

func (p *parser) event() error {
	line := p.tok.line
	e := &Event{}
	err := p.block(func(key string) (err error) {
		switch key {
		case "context":
			e.Context, err = p.structure()
		case "fields":
			e.Fields, err = p.structure()
		default:
			err = p.set(key, map[string]func(Value) error{
				"name":      func(v Value) error { e.Name = v.Text; return nil },
				"id":        id(&e.ID),
				"stream_id": id(&e.StreamID),
			})
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(p.events) == maxEvents {
		return &Error{line, "there are too many kinds of events"}
	}
	p.events = append(p.events, e)
	return nil
}

func id(to *uint64) func(Value) error {
	return func(v Value) error {
		*to = uint64(v.Number)
		return nil
	}
}

// structure reads a type that must be a struct.
func (p *parser) structure() (*Struct, error) {
	line := p.tok.line
	t, err := p.typeAlone()
	if err != nil {
		return nil, err
	}
	s, ok := t.(*Struct)
	if !ok {
		return nil, &Error{line, "a struct should stand here"}
	}
	return s, nil
}
