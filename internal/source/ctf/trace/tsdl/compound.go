package tsdl

// structType reads "struct [name] [{ fields }] [align(n)]".
func (p *parser) structType() (Type, error) {
	name, body, err := p.tagged()
	if err != nil {
		return nil, err
	}
	if !body {
		t, ok := p.scope.find("struct " + name).(*Struct)
		if !ok {
			return nil, &Error{p.tok.line, "no struct is called " + name}
		}
		return t, nil
	}
	s := &Struct{alignment: 1}
	if s.Fields, err = p.fields(); err != nil {
		return nil, err
	}
	for _, f := range s.Fields {
		s.alignment = max(s.alignment, f.Type.Align())
	}
	if p.tok.is("align") {
		n, err := p.alignClause()
		if err != nil {
			return nil, err
		}
		s.alignment = max(s.alignment, n)
	}
	return s, p.keep("struct ", name, s)
}

// tagged reads the name after struct, enum or variant, and tells whether a body follows.
func (p *parser) tagged() (name string, body bool, err error) {
	if err := p.advance(); err != nil {
		return "", false, err
	}
	if p.tok.kind == word {
		if name, err = p.word(); err != nil {
			return "", false, err
		}
	}
	if name == "" && !p.tok.is("{") && !p.tok.is("<") && !p.tok.is(":") {
		return "", false, p.wrong("a name or {")
	}
	return name, p.tok.is("{"), nil
}

// keep makes a type known by its name, if it has one.
func (p *parser) keep(what, name string, t Type) error {
	if name != "" && !p.scope.define(what+name, t) {
		return &Error{p.tok.line, what + name + " is described twice"}
	}
	return nil
}

func (p *parser) alignClause() (int, error) {
	if err := p.advance(); err != nil {
		return 0, err
	}
	if err := p.expect("("); err != nil {
		return 0, err
	}
	n, line := p.tok.n, p.tok.line
	if p.tok.kind != number {
		return 0, p.wrong("a number of bits")
	}
	if err := p.advance(); err != nil {
		return 0, err
	}
	a, err := alignment(n, line)
	if err != nil {
		return 0, err
	}
	return a, p.expect(")")
}

// fields reads "{ type name; ... }".
func (p *parser) fields() (all []Field, err error) {
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	p.scope = &scope{outer: p.scope}
	defer func() { p.scope = p.scope.outer }()
	for !p.tok.is("}") {
		if p.tok.is("typealias") || p.tok.is("typedef") {
			if err := p.definition(); err != nil {
				return nil, err
			}
			continue
		}
		more, err := p.declaration()
		if err != nil {
			return nil, err
		}
		for _, f := range more {
			all = append(all, Field{plain(f.Name), f.Type})
		}
		if err := p.expect(";"); err != nil {
			return nil, err
		}
	}
	return all, p.advance()
}

// variantType reads "variant [name] [<tag>] [{ options }]".
func (p *parser) variantType() (Type, error) {
	name, _, err := p.tagged()
	if err != nil {
		return nil, err
	}
	v := &Variant{}
	if p.tok.is("<") {
		if v.Tag, err = p.tag(); err != nil {
			return nil, err
		}
	}
	if p.tok.is("{") {
		if v.Options, err = p.fields(); err != nil {
			return nil, err
		}
		return v, p.keep("variant ", name, v)
	}
	known, ok := p.scope.find("variant " + name).(*Variant)
	if !ok {
		return nil, &Error{p.tok.line, "no variant is called " + name}
	}
	v.Options = known.Options
	return v, nil
}

func (p *parser) tag() (string, error) {
	if err := p.advance(); err != nil {
		return "", err
	}
	path, err := p.path()
	if err != nil {
		return "", err
	}
	return plainPath(path), p.expect(">")
}

// enumType reads "enum [name] [: type] [{ label [= first [... last]], ... }]".
func (p *parser) enumType() (Type, error) {
	name, _, err := p.tagged()
	if err != nil {
		return nil, err
	}
	if !p.tok.is(":") && !p.tok.is("{") {
		t, ok := p.scope.find("enum " + name).(*Enum)
		if !ok {
			return nil, &Error{p.tok.line, "no enum is called " + name}
		}
		return t, nil
	}
	e := &Enum{}
	if e.Of, err = p.container(); err != nil {
		return nil, err
	}
	if e.Labels, err = p.labels(); err != nil {
		return nil, err
	}
	return e, p.keep("enum ", name, e)
}

// container reads the integer that carries an enum, int if none is given.
func (p *parser) container() (*Integer, error) {
	line := p.tok.line
	t := p.scope.find("int")
	if p.tok.is(":") {
		err := p.advance()
		if err == nil {
			t, err = p.typeAlone()
		}
		if err != nil {
			return nil, err
		}
	}
	i, ok := t.(*Integer)
	if !ok {
		return nil, &Error{line, "an enum is carried by an integer; if none is given, one called int must be known"}
	}
	return i, nil
}

func (p *parser) labels() (all []Label, err error) {
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	for next := int64(0); !p.tok.is("}"); {
		l := Label{First: next, Last: next}
		if p.tok.kind != word && p.tok.kind != text {
			return nil, p.wrong("a label")
		}
		l.Name = plain(p.tok.text)
		if err := p.advance(); err != nil {
			return nil, err
		}
		if p.tok.is("=") {
			if l.First, l.Last, err = p.span(); err != nil {
				return nil, err
			}
		}
		all, next = append(all, l), l.Last+1
		if p.tok.is(",") {
			if err := p.advance(); err != nil {
				return nil, err
			}
		} else if !p.tok.is("}") {
			return nil, p.wrong(", or }")
		}
	}
	return all, p.advance()
}

// span reads "= first [... last]".
func (p *parser) span() (first, last int64, err error) {
	if err := p.advance(); err != nil {
		return 0, 0, err
	}
	v, err := p.value()
	if err != nil || !p.tok.is("...") {
		return v.Number, v.Number, err
	}
	if err := p.advance(); err != nil {
		return 0, 0, err
	}
	w, err := p.value()
	return v.Number, w.Number, err
}
