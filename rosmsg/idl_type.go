package rosmsg

import (
	"fmt"
	"strings"
)

var idlKinds = map[string]kind{
	"boolean": boolean, "octet": uint8Kind, "char": uint8Kind, "wchar": wchar,
	"int8": int8Kind, "uint8": uint8Kind, "int16": int16Kind, "uint16": uint16Kind,
	"int32": int32Kind, "uint32": uint32Kind, "int64": int64Kind, "uint64": uint64Kind,
	"short": int16Kind, "long": int32Kind, "long long": int64Kind,
	"unsigned short": uint16Kind, "unsigned long": uint32Kind, "unsigned long long": uint64Kind,
	"float": float32Kind, "double": float64Kind, "long double": longDouble,
	"string": str, "wstring": wstr,
}

// typ reads a type, up to the name that it is given. Bounds are not kept.
func (p *idlParser) typ(scope string, depth int) *typ {
	if depth > maxDepth {
		p.fail(fmt.Sprintf("sequences are nested more than %d deep", maxDepth), "check the text")
	}
	if p.accept("sequence") {
		p.expect("<")
		t := &typ{kind: sequence}
		t.elem = p.typ(scope, depth+1)
		if p.accept(",") {
			p.size(scope)
		}
		p.expect(">")
		return t
	}
	if k, ok := idlKinds[p.primitive()]; ok {
		p.take()
		if (k == str || k == wstr) && p.accept("<") {
			p.size(scope)
			p.expect(">")
		}
		return &typ{kind: k}
	}
	return &typ{kind: named, names: candidates(scope, p.scopedName())}
}

// primitive returns the primitive type that the text goes on with, all its
// words joined, and leaves its last word as the current token.
func (p *idlParser) primitive() string {
	words := p.tok.text
	for _, more := range []string{"unsigned", "unsigned long", "long"} {
		if words != more {
			continue
		}
		ahead := p.lex
		if word := ahead.next().text; idlKinds[words+" "+word] != 0 {
			p.take()
			words += " " + word
		}
	}
	return words
}

// candidates are the names by which a type or constant may be defined: a
// single name from the innermost scope outwards, as IDL looks names up. A name
// of several parts is first taken from the outside, as rosidl always means it.
func candidates(scope, name string) (names []string) {
	qualified := strings.Contains(name, "/")
	if qualified {
		names = append(names, shortName(name))
	}
	for scope != "" {
		names = append(names, shortName(join(scope, name)))
		scope = scope[:max(0, strings.LastIndex(scope, "/"))]
	}
	if !qualified {
		names = append(names, name)
	}
	return names
}
