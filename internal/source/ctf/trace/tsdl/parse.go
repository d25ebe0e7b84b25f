package tsdl

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// Bounds of what metadata may describe.
const (
	maxNesting = 64
	maxEvents  = 1 << 16
	maxClocks  = 64
	maxStreams = 1024
)

// A parser reads metadata with one token of foresight.
type parser struct {
	lexer
	tok     token
	scope   *scope
	nesting int
	out     *Metadata
	events  []*Event // in the order of the text
}

// Parse reads metadata as text.
func Parse(b []byte) (*Metadata, error) {
	p := &parser{
		lexer: lexer{b: b, line: 1},
		scope: &scope{},
		out:   &Metadata{Env: map[string]Value{}, Clocks: map[string]*Clock{}, Streams: map[uint64]*Stream{}},
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	for p.tok.kind != end {
		if err := p.top(); err != nil {
			return nil, err
		}
	}
	return p.out, p.assign()
}

// assign gives the events to their streams, which may be described after them.
func (p *parser) assign() error {
	if len(p.out.Streams) == 0 {
		p.out.Streams[0] = &Stream{Events: map[uint64]*Event{}}
	}
	for _, e := range p.events {
		s := p.out.Streams[e.StreamID]
		if s == nil {
			return &Error{0, fmt.Sprintf("event %s is of stream %d, which is not described", e.Name, e.StreamID)}
		}
		if s.Events[e.ID] != nil {
			return &Error{0, fmt.Sprintf("events %s and %s of stream %d both have ID %d", s.Events[e.ID].Name, e.Name, s.ID, e.ID)}
		}
		s.Events[e.ID] = e
	}
	return nil
}

func (p *parser) advance() (err error) {
	p.tok, err = p.next()
	return err
}

func (p *parser) wrong(wanted string) error {
	return &Error{p.tok.line, fmt.Sprintf("%s stands where %s should", &p.tok, wanted)}
}

// expect passes over punctuation or a word that must come.
func (p *parser) expect(s string) error {
	if !p.tok.is(s) {
		return p.wrong(s)
	}
	return p.advance()
}

// word passes over a name that must come.
func (p *parser) word() (name string, err error) {
	if p.tok.kind != word {
		return "", p.wrong("a name")
	}
	name = p.tok.text
	return name, p.advance()
}

// top reads one thing outside of all blocks.
func (p *parser) top() error {
	switch {
	case p.tok.is("trace"):
		return p.block(p.trace)
	case p.tok.is("env"):
		return p.block(p.env)
	case p.tok.is("clock"):
		return p.clock()
	case p.tok.is("stream"):
		return p.stream()
	case p.tok.is("event"):
		return p.event()
	case p.tok.is("callsite"):
		return p.block(func(string) error { return p.skip() })
	case p.tok.is(";"):
		return p.advance()
	}
	return p.definition()
}

// block reads "name { key = value; key := type; ... };", handing the keys on.
// What is to be done with a key stands at its value, and stops at the semicolon.
func (p *parser) block(take func(key string) error) error {
	if err := p.advance(); err != nil {
		return err
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	p.scope = &scope{outer: p.scope}
	defer func() { p.scope = p.scope.outer }()
	for !p.tok.is("}") {
		if p.defines() {
			if err := p.definition(); err != nil {
				return err
			}
			continue
		}
		if err := p.entry(take); err != nil {
			return err
		}
	}
	if err := p.advance(); err != nil {
		return err
	}
	return p.expect(";")
}

func (p *parser) entry(take func(key string) error) error {
	key, err := p.path()
	if err != nil {
		return err
	}
	if !p.tok.is("=") && !p.tok.is(":=") {
		return p.wrong("= or :=")
	}
	if err := p.advance(); err != nil {
		return err
	}
	if err := take(key); err != nil {
		return err
	}
	return p.expect(";")
}

// path reads a.b.c.
func (p *parser) path() (string, error) {
	name, err := p.word()
	for err == nil && p.tok.is(".") {
		if err = p.advance(); err != nil {
			break
		}
		var more string
		more, err = p.word()
		name += "." + more
		if len(name) > 1024 {
			return "", p.wrong("a shorter name")
		}
	}
	return name, err
}

// value reads a constant: a number, a string, or a name.
func (p *parser) value() (v Value, err error) {
	negative := p.tok.is("-")
	if negative || p.tok.is("+") {
		if err := p.advance(); err != nil {
			return v, err
		}
		if p.tok.kind != number {
			return v, p.wrong("a number")
		}
	}
	switch p.tok.kind {
	case number:
		v = Value{p.tok.text, int64(p.tok.n)}
		if negative {
			v = Value{"-" + v.Text, -v.Number}
		}
		return v, p.advance()
	case text:
		v.Text = p.tok.text
		return v, p.advance()
	case word:
		v.Text, err = p.path()
		return v, err
	}
	return v, p.wrong("a value")
}

// skip passes over a value of no interest.
func (p *parser) skip() error {
	_, err := p.value()
	return err
}

// set reads a constant into one of the places, by the key; others are passed over.
func (p *parser) set(key string, into map[string]func(Value) error) error {
	line := p.tok.line
	v, err := p.value()
	if err != nil || into[key] == nil {
		return err
	}
	if err := into[key](v); err != nil {
		return &Error{line, fmt.Sprintf("%s = %s: %v", key, v.Text, err)}
	}
	return nil
}

func uuid(to *[16]byte) func(Value) error {
	return func(v Value) error {
		b, err := hex.DecodeString(strings.ReplaceAll(v.Text, "-", ""))
		if err != nil || len(b) != 16 {
			return fmt.Errorf("not a UUID")
		}
		copy(to[:], b)
		return nil
	}
}
