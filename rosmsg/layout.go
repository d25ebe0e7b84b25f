package rosmsg

import (
	"errors"
	"fmt"
)

// A layout is how one type lies in a message.
type layout struct {
	step  step // over one value
	fixed bool // step is a skipFixed
	least int  // the fewest bytes of a value, 1 or more
}

// Limits of what a schema may ask for, far beyond any real message, so that
// foreign text cannot exhaust the stack or overflow a size.
const (
	maxDepth = 64      // of types within types
	maxSize  = 1 << 27 // bytes of a type without its strings and sequences
)

// A compiler works out the layouts of one schema's types.
type compiler struct {
	schema *Schema
	done   map[string]*layout // by name; nil while being worked out
	depth  int
}

// layout returns the layout of the type of a member.
func (c *compiler) layout(m member) (*layout, error) {
	l, err := c.typ(m.typ)
	if e := (*SchemaError)(nil); errors.As(err, &e) && e.Line == 0 {
		e.Line = m.line
		e.Problem = fmt.Sprintf("field %s: %s", m.name, e.Problem)
	}
	return l, err
}

func (c *compiler) typ(t *typ) (*layout, error) {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxDepth {
		return nil, c.fault(fmt.Sprintf("types are nested more than %d deep", maxDepth), "check the schema")
	}
	switch t.kind {
	case array:
		return c.array(t)
	case sequence:
		return c.sequence(t)
	case named:
		return c.named(t)
	case str:
		return &layout{step: step{op: skipString}, least: 4}, nil
	case wstr:
		return &layout{step: step{op: skipWString}, least: 4}, nil
	case wchar, longDouble:
		return nil, c.fault("the size of a "+kindNames[t.kind]+" depends on who wrote the message", "only fields before it can be read")
	}
	size := t.kind.size()
	return &layout{step: step{op: skipFixed, span: primitiveSpan(size)}, fixed: true, least: size}, nil
}

func (c *compiler) array(t *typ) (*layout, error) {
	e, err := c.typ(t.elem)
	if err != nil {
		return nil, err
	}
	if t.n > maxSize/(e.least+8) {
		return nil, c.fault(fmt.Sprintf("%v has %d bytes or more, beyond the limit of %d", t, t.n*e.least, maxSize), "check the array's size")
	}
	if e.fixed {
		return &layout{step: step{op: skipFixed, span: e.step.span.times(t.n)}, fixed: true, least: t.n * e.least}, nil
	}
	return &layout{step: step{op: skipArray, n: t.n, body: []step{e.step}}, least: t.n * e.least}, nil
}

func (c *compiler) sequence(t *typ) (*layout, error) {
	e, err := c.typ(t.elem)
	if err != nil {
		return nil, err
	}
	s := step{op: skipSequence, least: e.least, body: []step{e.step}}
	if e.fixed {
		s = step{op: skipFixedSequence, least: e.least, span: e.step.span}
	}
	return &layout{step: s, least: 4}, nil
}

func (c *compiler) named(t *typ) (*layout, error) {
	name, m, alias, err := c.schema.lookup(t)
	if err != nil {
		return nil, err
	}
	l, known := c.done[name]
	switch {
	case known && l == nil:
		return nil, c.fault(name+" contains itself", "check the schema: no message can")
	case known:
		return l, nil
	}
	c.done[name] = nil
	if alias != nil {
		l, err = c.typ(alias)
	} else {
		l, err = c.message(m)
	}
	if err != nil {
		return nil, err
	}
	c.done[name] = l
	return l, nil
}

// message joins the layouts of the members.
func (c *compiler) message(m *message) (*layout, error) {
	var steps plan
	least := 0
	for _, member := range m.members {
		l, err := c.layout(member)
		if err != nil {
			return nil, err
		}
		steps.add(l)
		if least += l.least; least > maxSize {
			return nil, c.fault(fmt.Sprintf("a type has more than %d bytes", maxSize), "check the sizes of arrays")
		}
	}
	if len(steps) == 1 {
		return &layout{step: steps[0], fixed: steps[0].op == skipFixed, least: least}, nil
	}
	return &layout{step: step{op: skipMessage, body: steps}, least: least}, nil
}

func (c *compiler) fault(problem, remedy string) error {
	return &SchemaError{Schema: c.schema.Name, Problem: problem, Remedy: remedy}
}

// lookup finds what t names: a message or a typedef.
func (s *Schema) lookup(t *typ) (name string, m *message, alias *typ, err error) {
	for _, name := range t.names {
		if m, alias := s.types[name], s.aliases[name]; m != nil || alias != nil {
			return name, m, alias, nil
		}
	}
	for _, name := range t.names {
		if m := standard().types[name]; m != nil {
			return name, m, nil, nil
		}
	}
	return "", nil, nil, &SchemaError{Schema: s.Name, Problem: fmt.Sprintf("the type %s is not defined in the text", t.names[0]),
		Remedy: "record with complete message definitions"}
}
