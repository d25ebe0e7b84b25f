package rosmsg

import (
	"fmt"
	"strconv"
	"strings"
)

// maxArray is the most elements that an array may have: arrays of that size
// are a mistake or an attack, and sizes stay far from overflowing.
const maxArray = 1 << 24

// parseMsg reads a text in the language of .msg and .srv files
// (https://docs.ros.org/en/rolling/Concepts/Basic/About-Interfaces.html).
func parseMsg(s *Schema, text string) error {
	blocks, err := splitBlocks(text, "MSG:")
	if err != nil {
		return err
	}
	for _, b := range blocks {
		name := shortName(b.name)
		if b.name == "" {
			name = s.Name
		}
		if err := parseMsgBlock(s, name, b); err != nil {
			return err
		}
	}
	return nil
}

// parseMsgBlock defines the type name, or the parts of a service or an action
// where the text is of one.
func parseMsgBlock(s *Schema, name string, b block) error {
	sections := [][]member{nil}
	pkg, _, _ := strings.Cut(name, "/")
	for i, line := range b.lines {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "---" {
			sections = append(sections, nil)
			continue
		}
		m, err := parseMsgLine(pkg, line)
		if err != nil {
			return &SchemaError{Line: b.first + i, Problem: err.Error(), Remedy: "write: type name, such as float64[3] position"}
		}
		if m.typ != nil {
			m.line = b.first + i
			last := &sections[len(sections)-1]
			*last = append(*last, m)
		}
	}
	return defineSections(s, name, sections, b.first)
}

// parseMsgLine reads a line without its comment. A blank line and a constant,
// which takes no room in a message, give a member without a type.
func parseMsgLine(pkg, line string) (m member, err error) {
	typeText, rest := cutSpace(line)
	if typeText == "" {
		return m, nil
	}
	t, err := parseMsgType(pkg, typeText)
	if err != nil {
		return m, err
	}
	end := strings.IndexFunc(rest, func(c rune) bool { return !isNameRune(c) })
	if end < 0 {
		end = len(rest)
	}
	name, after := rest[:end], strings.TrimLeft(rest[end:], " \t")
	switch {
	case rest == "":
		return m, fmt.Errorf("%q has no name", typeText)
	case name == "":
		return m, fmt.Errorf("%q is not the name of a field", rest)
	case strings.HasPrefix(after, "="):
		return m, nil
	case after != "" && after == rest[end:]:
		return m, fmt.Errorf("%q is not the name of a field", rest)
	}
	return member{name: name, typ: t}, nil // what follows is the default value
}

// parseMsgType reads a type such as float64[9], pkg/Type[<=4] or string<=22.
// Bounds are not kept: they change nothing on the wire.
func parseMsgType(pkg, text string) (*typ, error) {
	base, brackets, isArray := strings.Cut(text, "[")
	t, err := parseMsgBase(pkg, base)
	if err != nil || !isArray {
		return t, err
	}
	size, closed := strings.CutSuffix(brackets, "]")
	bound, bounded := strings.CutPrefix(size, "<=")
	switch {
	case !closed:
		return nil, fmt.Errorf("%q lacks the closing bracket", text)
	case size == "":
		return &typ{kind: sequence, elem: t}, nil
	case bounded:
		_, err := parseSize(bound)
		return &typ{kind: sequence, elem: t}, err
	}
	n, err := parseSize(size)
	if err == nil {
		err = checkArray(n)
	}
	return &typ{kind: array, elem: t, n: n}, err
}

var msgKinds = map[string]kind{
	"bool": boolean, "byte": uint8Kind, "char": uint8Kind,
	"int8": int8Kind, "uint8": uint8Kind, "int16": int16Kind, "uint16": uint16Kind,
	"int32": int32Kind, "uint32": uint32Kind, "int64": int64Kind, "uint64": uint64Kind,
	"float32": float32Kind, "float64": float64Kind, "string": str, "wstring": wstr,
}

func parseMsgBase(pkg, text string) (*typ, error) {
	name, bound, bounded := strings.Cut(text, "<=")
	k, primitive := msgKinds[name]
	switch {
	case bounded:
		if k != str && k != wstr {
			return nil, fmt.Errorf("%q has a bound, which only strings can have", text)
		}
		_, err := parseSize(bound)
		return &typ{kind: k}, err
	case primitive:
		return &typ{kind: k}, nil
	case !isTypeName(name):
		return nil, fmt.Errorf("%q is not the name of a type", text)
	case strings.Contains(name, "/"):
		return &typ{kind: named, names: []string{shortName(name)}}, nil
	case name == "Header":
		// Without a package it is that of std_msgs, a custom kept from ROS 1, unless the package has its own.
		return &typ{kind: named, names: []string{pkg + "/Header", header}}, nil
	}
	return &typ{kind: named, names: []string{pkg + "/" + name}}, nil
}

// parseSize reads the size of an array or a bound.
func parseSize(text string) (int, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 0, 31)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("the size %q is not a whole number of 1 to %d", text, 1<<31-1)
	}
	return int(n), nil
}

func checkArray(n int) error {
	if n > maxArray {
		return fmt.Errorf("an array of %d elements is beyond the limit of %d", n, maxArray)
	}
	return nil
}

// isTypeName reports whether text is a name of up to three parts.
func isTypeName(text string) bool {
	parts := strings.Split(text, "/")
	for _, p := range parts {
		if p == "" || strings.ContainsFunc(p, func(c rune) bool { return !isNameRune(c) }) {
			return false
		}
	}
	return len(parts) <= 3
}

func isNameRune(c rune) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// cutSpace cuts text at its first run of blanks.
func cutSpace(text string) (before, after string) {
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		return text[:i], strings.TrimLeft(text[i:], " \t")
	}
	return text, ""
}
