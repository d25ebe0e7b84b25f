package trace

import (
	"fmt"
	"strings"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tsdl"
)

// A plan is how to read values that lie one after the other: what is wanted
// goes into slots, what is not is passed over in as few steps as can be.
type plan []op

type opcode uint8

const (
	opInt      opcode = iota // into slot
	opClock                  // an integer that moves the stream's clock
	opSkip                   // size bits
	opText                   // size bits, whole bytes, into slot
	opString                 // up to a zero byte, into slot
	opTextSeq                // as many bytes as the slot length says, into slot
	opSkipSeq                // size bits, as often as the slot length says
	opArray                  // sub, count times
	opSequence               // sub, as often as the slot length says
	opVariant                // the option that the slot length is of
)

// An op is one step. Align comes first, whatever the code.
type op struct {
	code    opcode
	signed  bool
	big     bool   // byte order
	slot    int16  // noSlot: not wanted
	length  int16  // the slot of the length or the tag
	align   uint32 // bits
	size    uint64 // bits
	count   uint64
	sub     plan
	options []option
}

// An option is what a variant has for tags from first to last.
type option struct {
	first, last uint64
	signed      bool
	sub         plan
}

func (o *option) has(tag uint64) bool {
	if o.signed {
		return int64(o.first) <= int64(tag) && int64(tag) <= int64(o.last)
	}
	return o.first <= tag && tag <= o.last
}

const (
	noSlot   = -1
	maxSlots = 64      // of one kind of event
	maxSteps = 1 << 16 // of one kind of event
	maxRun   = 1 << 48 // bits that are passed over at once
)

// A wish is a field to put into a slot.
type wish struct {
	name string
	slot int16
}

// A planner makes plans. Slots from used on are free for lengths and tags.
type planner struct {
	big    bool // byte order of the trace
	header bool // of events: integers of a clock move the stream's, and an option may have the ID
	used   int16
	steps  int
	wishes []wish // for the fields at the top of the struct under way
}

// A list is a plan under way. What has a slot only because something refers to
// it gets it when that comes, so a list is known by its address.
type list struct{ ops plan }

// A frame has the fields of one struct that have been planned, for references.
type frame struct {
	outer  *frame
	fields []planned
}

type planned struct {
	name  string
	in    *list
	at    int        // of its op in the list
	enum  *tsdl.Enum // if it is one
	whole bool       // it is an integer or enum
	inner *frame     // if it is a struct
}

// top plans structs that lie one after the other, nil ones left out, with the
// wishes for each.
func (p *planner) top(structs []*tsdl.Struct, wishes [][]wish) (plan, error) {
	var l list
	outer := &frame{}
	for i, s := range structs {
		if s == nil {
			continue
		}
		p.wishes = wishes[i]
		inner, err := p.structure(&l, s, outer)
		if err != nil {
			return nil, err
		}
		// References may go to the structs before, as dynamic scopes do.
		outer = &frame{outer: outer, fields: inner.fields}
	}
	return l.ops.shorten(), nil
}

func (p *planner) structure(l *list, s *tsdl.Struct, outer *frame) (*frame, error) {
	wishes := p.wishes
	p.wishes = nil
	l.ops = append(l.ops, op{code: opSkip, align: uint32(s.Align())})
	f := &frame{outer: outer}
	for _, field := range s.Fields {
		slot := int16(noSlot)
		for _, w := range wishes {
			if w.name == field.Name {
				slot = w.slot
			}
		}
		if err := p.field(l, field, slot, f); err != nil {
			return nil, fmt.Errorf("%s: %w", field.Name, err)
		}
	}
	return f, nil
}

// field plans one field and notes it in the frame.
func (p *planner) field(l *list, field tsdl.Field, slot int16, f *frame) error {
	if p.steps++; p.steps > maxSteps {
		return fmt.Errorf("takes more than %d steps to read", maxSteps)
	}
	note := planned{name: field.Name, in: l, at: len(l.ops)}
	var err error
	switch t := field.Type.(type) {
	case *tsdl.Integer:
		note.whole = true
		l.ops = append(l.ops, p.integer(t, slot))
	case *tsdl.Enum:
		note.whole, note.enum = true, t
		l.ops = append(l.ops, p.integer(t.Of, slot))
	case *tsdl.Float:
		l.ops = append(l.ops, op{code: opInt, slot: slot, align: uint32(t.Alignment), size: uint64(t.Size), big: p.isBig(t.Order)})
	case *tsdl.String:
		l.ops = append(l.ops, op{code: opString, slot: slot, align: 8})
	case *tsdl.Struct:
		note.inner, err = p.structure(l, t, f)
	case *tsdl.Variant:
		err = p.variant(l, t, f)
	case *tsdl.Array:
		err = p.array(l, t, slot, f)
	case *tsdl.Sequence:
		err = p.sequence(l, t, slot, f)
	}
	f.fields = append(f.fields, note)
	return err
}

func (p *planner) isBig(o tsdl.ByteOrder) bool {
	return o == tsdl.BigEndian || o == tsdl.Native && p.big
}

func (p *planner) integer(t *tsdl.Integer, slot int16) op {
	o := op{code: opInt, slot: slot, align: uint32(t.Alignment), size: uint64(t.Size), signed: t.Signed, big: p.isBig(t.Order)}
	if t.Clock != "" && p.header {
		o.code = opClock
	}
	return o
}

// isBytes reports whether values of a type are bytes that lie without gaps.
func isBytes(t tsdl.Type) bool {
	i, ok := t.(*tsdl.Integer)
	return ok && i.Size == 8 && i.Alignment <= 8
}

// scalar returns the size in bits of values that lie without gaps; 0: they may not.
func scalar(t tsdl.Type) (size uint64) {
	var align int
	switch t := t.(type) {
	case *tsdl.Integer:
		size, align = uint64(t.Size), t.Alignment
	case *tsdl.Enum:
		size, align = uint64(t.Of.Size), t.Of.Alignment
	case *tsdl.Float:
		size, align = uint64(t.Size), t.Alignment
	}
	if size == 0 || size%uint64(align) != 0 {
		return 0
	}
	return size
}

func (p *planner) array(l *list, t *tsdl.Array, slot int16, f *frame) error {
	size := scalar(t.Of)
	if t.Length > maxRun/64 {
		return fmt.Errorf("is an array of %d values, which no packet holds", t.Length)
	}
	if size > 0 && (slot == noSlot || isBytes(t.Of)) {
		o := op{code: opSkip, slot: slot, align: uint32(t.Align()), size: size * t.Length}
		if slot != noSlot {
			o.code, o.align = opText, 8
		}
		l.ops = append(l.ops, o)
		return nil
	}
	sub, err := p.element(t.Of, f)
	l.ops = append(l.ops, op{code: opArray, slot: noSlot, align: uint32(t.Align()), count: t.Length, sub: sub})
	return err
}

func (p *planner) sequence(l *list, t *tsdl.Sequence, slot int16, f *frame) error {
	length, _, err := p.refer(t.Length, f)
	if err != nil {
		return err
	}
	o := op{code: opSequence, slot: slot, length: length, align: uint32(t.Align())}
	size := scalar(t.Of)
	switch {
	case slot != noSlot && isBytes(t.Of):
		o.code, o.align = opTextSeq, 8
	case slot == noSlot && size > 0:
		o.code, o.size = opSkipSeq, size
	default:
		o.sub, err = p.element(t.Of, f)
	}
	l.ops = append(l.ops, o)
	return err
}

// element plans a value of an array, a sequence or an option.
func (p *planner) element(t tsdl.Type, f *frame) (plan, error) {
	var l list
	err := p.field(&l, tsdl.Field{Type: t}, noSlot, &frame{outer: f})
	return l.ops.shorten(), err
}

func (p *planner) variant(l *list, v *tsdl.Variant, f *frame) error {
	tag, enum, err := p.refer(v.Tag, f)
	if err != nil {
		return err
	}
	if enum == nil {
		return fmt.Errorf("is a variant by %s, which is no enum", v.Tag)
	}
	o := op{code: opVariant, slot: noSlot, length: tag, align: 1}
	for _, opt := range v.Options {
		// What moves the clock in a header lies within a variant, and so may a wish.
		sub, err := p.option(opt, f)
		if err != nil {
			return err
		}
		for _, label := range enum.Labels {
			if label.Name == opt.Name {
				o.options = append(o.options, option{uint64(label.First), uint64(label.Last), enum.Of.Signed, sub})
			}
		}
	}
	l.ops = append(l.ops, o)
	return nil
}

// option plans an option of a variant. In a header its ID is the event's.
func (p *planner) option(opt tsdl.Field, f *frame) (plan, error) {
	s, ok := opt.Type.(*tsdl.Struct)
	if !ok || !p.header {
		return p.element(opt.Type, f)
	}
	var l list
	p.wishes = []wish{{"id", slotID}}
	_, err := p.structure(&l, s, f)
	return l.ops.shorten(), err
}

// refer returns the slot of the integer at a path, and its enum if it is one.
func (p *planner) refer(path string, f *frame) (slot int16, e *tsdl.Enum, err error) {
	names := strings.Split(trimScope(path), ".")
	for ; f != nil; f = f.outer {
		if n := f.walk(names); n != nil && n.whole {
			o := &n.in.ops[n.at]
			if o.slot == noSlot {
				if p.used == maxSlots {
					return 0, nil, fmt.Errorf("has more than %d lengths and tags", maxSlots)
				}
				o.slot = p.used
				p.used++
			}
			return o.slot, n.enum, nil
		}
	}
	return 0, nil, fmt.Errorf("depends on %q, which is no integer before it", path)
}

// trimScope takes off where an absolute path begins; what it names is found by
// the rest, since scopes are searched from the inside.
func trimScope(path string) string {
	for _, scope := range []string{"stream.event.header.", "stream.event.context.", "event.context.", "event.fields."} {
		if rest, ok := strings.CutPrefix(path, scope); ok {
			return rest
		}
	}
	return path
}

// walk returns the last field of that path, nil if there is none.
func (f *frame) walk(names []string) *planned {
	for i := len(f.fields) - 1; i >= 0; i-- {
		n := &f.fields[i]
		if n.name != names[0] {
			continue
		}
		if len(names) == 1 {
			return n
		}
		if n.inner != nil {
			return n.inner.walk(names[1:])
		}
	}
	return nil
}
