package rosmsg

import (
	"fmt"
	"strings"
)

// parseIDL reads IDL as ROS 2 uses it: modules, structs, typedefs and
// constants (https://design.ros2.org/articles/idl_interface_definition.html).
func parseIDL(s *Schema, text string) error {
	blocks, err := splitBlocks(text, "IDL:")
	if err != nil {
		return err
	}
	consts := map[string]int{}
	for _, b := range blocks {
		p := idlParser{schema: s, consts: consts, lex: lexer{rest: strings.Join(b.lines, "\n"), line: b.first}}
		p.take()
		p.definitions("", 0)
		if p.err != nil {
			return p.err
		}
	}
	return nil
}

// An idlParser goes through the tokens of one file by recursive descent. After
// its first error it sees only the end of the text, so that every loop ends.
type idlParser struct {
	lex    lexer
	tok    token
	schema *Schema
	consts map[string]int // whole-number constants, which bounds and array sizes may name
	err    error
}

// take returns the current token and moves to the next.
func (p *idlParser) take() token {
	t := p.tok
	if p.err == nil {
		p.tok = p.lex.next()
	}
	return t
}

// accept takes the current token if it is text.
func (p *idlParser) accept(text string) bool {
	if p.tok.text != text {
		return false
	}
	p.take()
	return true
}

func (p *idlParser) expect(text string) {
	if !p.accept(text) {
		p.unexpected(fmt.Sprintf("%q", text))
	}
}

// unexpected fails because the current token is not what is wanted.
func (p *idlParser) unexpected(wanted string) {
	found := "the text ends"
	if p.tok.text != "" {
		found = fmt.Sprintf("%q stands", p.tok.text)
	}
	p.fail(found+" where "+wanted+" is expected", "takt reads IDL as rosidl generates it")
}

func (p *idlParser) fail(problem, remedy string) {
	if p.err == nil {
		p.err = &SchemaError{Line: p.tok.line, Problem: problem, Remedy: remedy}
	}
	p.tok.text = ""
}

// name takes a word.
func (p *idlParser) name() string {
	if p.tok.text == "" || strings.ContainsFunc(p.tok.text, func(c rune) bool { return !isNameRune(c) }) {
		p.unexpected("a name")
	}
	return p.take().text
}

// definitions reads what stands in a module, or in the file. scope is the
// module's name with its parents', joined by "/".
func (p *idlParser) definitions(scope string, depth int) {
	if depth > maxDepth {
		p.fail(fmt.Sprintf("modules are nested more than %d deep", maxDepth), "check the text")
	}
	for p.tok.text != "" && p.tok.text != "}" {
		p.annotations()
		switch word := p.take(); word.text {
		case "":
		case "module":
			inner := join(scope, p.name())
			p.expect("{")
			p.definitions(inner, depth+1)
			p.expect("}")
		case "struct":
			p.structure(scope)
		case "typedef":
			p.typedef(scope)
		case "const":
			p.constant(scope)
		case "enum":
			p.enum(scope)
		case ";": // after a definition, where it is optional to us
		default:
			p.tok = word
			p.fail(fmt.Sprintf("%q does not begin a definition that takt knows", word.text), "ROS 2 uses module, struct, typedef, enum and const")
		}
	}
	if depth == 0 && p.tok.text == "}" {
		p.fail("a closing brace has no opening one", "check the text")
	}
}

// annotations takes what begins with @, and returns the names.
func (p *idlParser) annotations() (names []string) {
	for p.accept("@") {
		names = append(names, p.name())
		if !p.accept("(") {
			continue
		}
		for open := 1; open > 0 && p.tok.text != ""; {
			switch p.take().text {
			case "(":
				open++
			case ")":
				open--
			}
		}
	}
	return names
}

// structure reads a struct from its name on.
func (p *idlParser) structure(scope string) {
	name := join(scope, p.name())
	if p.tok.text == ":" {
		p.fail("a struct inherits from another", "ROS 2 has no such messages; write the members out")
	}
	p.expect("{")
	var members []member
	for p.tok.text != "" && p.tok.text != "}" {
		members = append(members, p.members(scope)...)
	}
	p.expect("}")
	if p.err == nil {
		p.schema.define(shortName(name), members)
	}
}

// members reads one declaration of a struct: a type and the names that have it.
func (p *idlParser) members(scope string) (members []member) {
	for _, a := range p.annotations() {
		if a == "optional" {
			p.fail("a member is optional", "ROS 2 messages have no optional members and takt does not read them")
		}
	}
	t := p.typ(scope, 0)
	for {
		line := p.tok.line
		name, declared := p.declarator(scope, t)
		members = append(members, member{name, declared, line})
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
	return members
}

// declarator reads a name and the sizes of the array that it may be of.
func (p *idlParser) declarator(scope string, t *typ) (string, *typ) {
	name := p.name()
	var sizes []int
	for len(sizes) < maxDepth && p.accept("[") {
		n := p.size(scope)
		if err := checkArray(n); err != nil {
			p.fail(err.Error(), "check the size")
		}
		sizes = append(sizes, n)
		p.expect("]")
	}
	for i := len(sizes) - 1; i >= 0; i-- { // m[2][3] is two arrays of three
		t = &typ{kind: array, elem: t, n: sizes[i]}
	}
	return name, t
}

func (p *idlParser) typedef(scope string) {
	t := p.typ(scope, 0)
	name, declared := p.declarator(scope, t)
	p.expect(";")
	if p.err == nil {
		p.schema.aliases[shortName(join(scope, name))] = declared
	}
}

// constant reads a constant; only whole numbers are kept, for sizes.
func (p *idlParser) constant(scope string) {
	p.typ(scope, 0)
	name := p.name()
	p.expect("=")
	value := p.tok.text
	for p.tok.text != "" && p.tok.text != ";" {
		p.take()
	}
	p.expect(";")
	if n, err := parseSize(value); err == nil {
		p.consts[shortName(join(scope, name))] = n
	}
}

// enum reads an enumeration, which is 32 bits wide on the wire.
func (p *idlParser) enum(scope string) {
	name := join(scope, p.name())
	p.expect("{")
	for p.tok.text != "" && p.tok.text != "}" {
		p.take()
	}
	p.expect("}")
	p.schema.aliases[shortName(name)] = &typ{kind: uint32Kind}
}

// size takes a whole number or the name of a constant that is one.
func (p *idlParser) size(scope string) int {
	word := p.scopedName()
	for _, name := range candidates(scope, word) {
		if n, ok := p.consts[name]; ok {
			return n
		}
	}
	n, err := parseSize(word)
	if err != nil {
		p.fail(err.Error(), "write the number")
	}
	return n
}

// scopedName takes names joined by "::" and returns them joined by "/".
func (p *idlParser) scopedName() string {
	p.accept("::")
	name := p.name()
	for p.accept("::") {
		name = join(name, p.name())
	}
	return name
}

func join(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "/" + name
}
