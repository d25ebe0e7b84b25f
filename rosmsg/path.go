package rosmsg

import (
	"fmt"
	"strconv"
	"strings"
)

// locate compiles a path: how to reach the value, and the value's type, which
// is not a typedef.
func (s *Schema) locate(path string) (plan, *typ, error) {
	p := pathCompiler{compiler: compiler{schema: s, done: map[string]*layout{}}, path: path}
	t := &typ{kind: named, names: []string{s.Name}}
	for rest := path; ; {
		var err error
		if t, err = p.resolve(t); err != nil || rest == "" {
			return p.steps, t, err
		}
		if rest, t, err = p.enter(rest, t); err != nil {
			return nil, nil, err
		}
	}
}

// A pathCompiler collects the steps over what lies before the value of a path.
type pathCompiler struct {
	compiler
	path  string
	steps plan
}

func (p *pathCompiler) fault(problem, remedy string) error {
	return &SchemaError{Schema: p.schema.Name, Problem: fmt.Sprintf("the path %q: %s", p.path, problem), Remedy: remedy}
}

// resolve follows typedefs.
func (p *pathCompiler) resolve(t *typ) (*typ, error) {
	for range maxDepth {
		if t.kind != named {
			return t, nil
		}
		_, _, alias, err := p.schema.lookup(t)
		if err != nil || alias == nil {
			return t, err
		}
		t = alias
	}
	return nil, p.fault(fmt.Sprintf("%v is a typedef of itself", t), "check the schema")
}

// enter goes one part of the path into a value of type t, and returns what is
// left of the path and the type of the part.
func (p *pathCompiler) enter(path string, t *typ) (rest string, part *typ, err error) {
	if index, ok := strings.CutPrefix(path, "["); ok {
		return p.element(index, t)
	}
	path = strings.TrimPrefix(path, ".")
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		end = len(path)
	}
	part, err = p.field(path[:end], t)
	return path[end:], part, err
}

// field skips the members before the one called name.
func (p *pathCompiler) field(name string, t *typ) (*typ, error) {
	if t.kind != named {
		return nil, p.fault(fmt.Sprintf("%v has no field %q", t, name), "a path goes on only into messages, with .name, and arrays, with [0]")
	}
	_, m, _, err := p.schema.lookup(t)
	if err != nil {
		return nil, err
	}
	i := m.index(name)
	if i < 0 {
		return nil, p.fault(fmt.Sprintf("%v has no field %q", t, name), "its fields are "+m.names())
	}
	for _, before := range m.members[:i] {
		l, err := p.layout(before)
		if err != nil {
			return nil, err
		}
		p.steps.add(l)
	}
	return m.members[i].typ, nil
}

// element skips the elements of t before the one with the index that the path
// goes on with.
func (p *pathCompiler) element(path string, t *typ) (rest string, part *typ, err error) {
	text, rest, closed := strings.Cut(path, "]")
	i, err := strconv.ParseUint(text, 10, 31)
	switch {
	case !closed || err != nil || i >= maxArray:
		return "", nil, p.fault(fmt.Sprintf("%q is not an index", "["+path), "write it like [0]")
	case t.kind != array && t.kind != sequence:
		return "", nil, p.fault(fmt.Sprintf("%v is not an array", t), "leave out the index")
	case t.kind == array && int(i) >= t.n:
		return "", nil, p.fault(fmt.Sprintf("%v has no element %d", t, i), fmt.Sprintf("the last is %d", t.n-1))
	}
	return rest, t.elem, p.skipElements(t, int(i))
}

func (p *pathCompiler) skipElements(t *typ, n int) error {
	l, err := p.typ(t.elem)
	switch {
	case err != nil:
		return err
	case t.kind == sequence:
		p.steps = append(p.steps, step{op: enterSequence, n: n, least: l.least, body: []step{l.step}})
	case l.fixed:
		p.steps.add(&layout{step: step{op: skipFixed, span: l.step.span.times(n)}, fixed: true})
	default:
		p.steps = append(p.steps, step{op: skipArray, n: n, body: []step{l.step}})
	}
	return nil
}

// index returns the place of the member called name, or -1.
func (m *message) index(name string) int {
	for i := range m.members {
		if m.members[i].name == name {
			return i
		}
	}
	return -1
}

func (m *message) names() string {
	names := make([]string, len(m.members))
	for i := range m.members {
		names[i] = m.members[i].name
	}
	return strings.Join(names, ", ")
}
