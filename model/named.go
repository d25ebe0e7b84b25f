package model

import "fmt"

// A named describes things that have names, each with a section of its own.
type named[T any] struct {
	noun     string // of one, with its article: "a node"
	example  string // of a section of them: "camera: {rate: 30Hz}"
	one      string // of what stands in one: "rate: 30Hz"
	bare     bool   // one may have nothing in it: {}
	fields   []field[T]
	defaults T
	head     func(*T) (name *string, line *int)
	check    func(*section, *T) // of one section by itself; may be nil
}

// read reads a section of things in the order of the file.
func (n *named[T]) read(v value) []T {
	var all []T
	for _, e := range v.entries(n.example) {
		if e.key == "" {
			e.fail("is "+n.noun+" without a name", "write it, as in "+n.example)
		}
		c := n.defaults
		name, line := n.head(&c)
		*name, *line = e.key, e.at.line
		s := &section{value: e.value}
		if !n.bare || !e.empty() {
			s = readSection(e.value, n.one, n.fields, &c)
		}
		if n.check != nil {
			n.check(s, &c)
		}
		all = append(all, c)
	}
	return all
}

// write writes the section, if there is anything in it. What is below one of
// them is written by below, which may be nil.
func (n *named[T]) write(p *printer, path, indent, key string, all []T, below func(path, indent string, c *T)) {
	if len(all) == 0 {
		return
	}
	if indent == "" {
		p.printf("\n")
	}
	p.printf("%s%s:\n", indent, key)
	for i := range all {
		c := &all[i]
		name, _ := n.head(c)
		path := join(join(path, key), *name)
		p.above(path, indent+"  ")
		p.printf("%s  %s:", indent, quoted(*name))
		p.body(n.bare, func() {
			writeFields(p, path, indent+"    ", n.fields, c, &n.defaults)
			if below != nil {
				below(path, indent+"    ", c)
			}
		}, func() { p.line(path, indent+"    ", n.fields[0].key, n.fields[0].write(c)) })
	}
}

// conflict reports the second of two keys that do not go together.
func (s *section) conflict(a, b string) bool {
	if !s.has(a) || !s.has(b) {
		return false
	}
	first, second := s.given[a], s.given[b]
	if first.at.line > second.at.line || first.at.line == second.at.line && first.at.column > second.at.column {
		a, first, second = b, second, first
	}
	second.fail(fmt.Sprintf("does not go with %s in line %d", a, first.at.line), "remove one of the two")
	return true
}

// together reports a key that needs another one, which is not there.
func (s *section) together(key, other, example string) {
	if s.has(key) && s.lacks(other) {
		s.given[key].fail("has no "+other, "write it, such as "+other+": "+example+", or remove the line")
	}
}
