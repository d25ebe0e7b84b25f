package tsdl

import "strings"

// defines reports whether a definition of a type comes.
func (p *parser) defines() bool {
	for _, s := range []string{"typealias", "typedef", "struct", "variant", "enum"} {
		if p.tok.is(s) {
			return true
		}
	}
	return false
}

// definition reads one that gives a type a name: "typealias type := name;",
// "typedef type name;", or "struct name { ... };" and the like.
func (p *parser) definition() error {
	switch {
	case p.tok.is("typealias"):
		return p.alias()
	case p.tok.is("typedef"):
		return p.typedef()
	case !p.defines():
		return p.wrong("a block or a definition of a type")
	}
	if _, _, err := p.specifiers(false); err != nil {
		return err
	}
	return p.expect(";")
}

func (p *parser) alias() error {
	if err := p.advance(); err != nil {
		return err
	}
	t, err := p.typeAlone()
	if err != nil {
		return err
	}
	if err := p.expect(":="); err != nil {
		return err
	}
	words, err := p.words()
	if err != nil {
		return err
	}
	return p.name(strings.Join(words, " "), t)
}

// name gives a type a name, up to the semicolon.
func (p *parser) name(name string, t Type) error {
	if !p.scope.define(name, t) {
		return &Error{p.tok.line, name + " is the name of a type already"}
	}
	return p.expect(";")
}

func (p *parser) typedef() error {
	if err := p.advance(); err != nil {
		return err
	}
	f, err := p.declaration()
	if err != nil {
		return err
	}
	if len(f) != 1 {
		return p.wrong("one name for the type")
	}
	return p.name(f[0].Name, f[0].Type)
}

// words reads names up to something else.
func (p *parser) words() (all []string, err error) {
	for p.tok.kind == word && len(all) < 16 {
		all = append(all, p.tok.text)
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, p.wrong("a name")
	}
	return all, nil
}

// typeAlone reads a type that no name follows.
func (p *parser) typeAlone() (Type, error) {
	t, _, err := p.specifiers(false)
	return t, err
}

// declaration reads "type name[2][n], name" without the semicolon.
func (p *parser) declaration() (all []Field, err error) {
	t, name, err := p.specifiers(true)
	for err == nil {
		var of Type
		if of, err = p.dimensions(t); err != nil {
			break
		}
		all = append(all, Field{name, of})
		if !p.tok.is(",") {
			return all, nil
		}
		if err = p.advance(); err == nil {
			name, err = p.word()
		}
	}
	return nil, err
}

// dimensions reads what brackets make of a type: the last one binds closest.
func (p *parser) dimensions(t Type) (Type, error) {
	if !p.tok.is("[") {
		return t, nil
	}
	if p.nesting++; p.nesting > maxNesting {
		return nil, p.wrong("less nesting")
	}
	defer func() { p.nesting-- }()
	if err := p.advance(); err != nil {
		return nil, err
	}
	length, counted := p.tok.n, p.tok.kind == number
	var path string
	var err error
	if counted {
		err = p.advance()
	} else {
		path, err = p.path()
	}
	if err != nil {
		return nil, err
	}
	if err := p.expect("]"); err != nil {
		return nil, err
	}
	of, err := p.dimensions(t)
	if err != nil {
		return nil, err
	}
	if counted {
		return &Array{of, length, of.Align()}, nil
	}
	return &Sequence{of, plainPath(path), of.Align()}, nil
}

// specifiers reads a type and, if named, the name that follows it: of several
// words that name a type, the last one.
func (p *parser) specifiers(named bool) (t Type, name string, err error) {
	if p.nesting++; p.nesting > maxNesting {
		return nil, "", p.wrong("less nesting")
	}
	defer func() { p.nesting-- }()
	switch {
	case p.tok.is("struct"):
		t, err = p.structType()
	case p.tok.is("variant"):
		t, err = p.variantType()
	case p.tok.is("enum"):
		t, err = p.enumType()
	case p.tok.is("integer"):
		t, err = p.integerType()
	case p.tok.is("floating_point"):
		t, err = p.floatType()
	case p.tok.is("string"):
		t, err = p.stringType()
	default:
		return p.namedType(named)
	}
	if err == nil && named {
		name, err = p.word()
	}
	return t, name, err
}

func (p *parser) namedType(named bool) (t Type, name string, err error) {
	line := p.tok.line
	words, err := p.words()
	if err != nil {
		return nil, "", err
	}
	if named {
		if len(words) == 1 {
			return nil, "", p.wrong("a name after the type " + words[0])
		}
		name, words = words[len(words)-1], words[:len(words)-1]
	}
	if words[0] == "const" && len(words) > 1 {
		words = words[1:]
	}
	if t = p.scope.find(strings.Join(words, " ")); t == nil {
		return nil, "", &Error{line, "no type is called " + strings.Join(words, " ")}
	}
	return t, name, nil
}

// plain is the name of a field without the underscore that LTTng puts before
// each so that none is a keyword.
func plain(name string) string { return strings.TrimPrefix(name, "_") }

func plainPath(path string) string {
	parts := strings.Split(path, ".")
	for i := range parts {
		parts[i] = plain(parts[i])
	}
	return strings.Join(parts, ".")
}
