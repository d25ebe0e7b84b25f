package gazebo

import "bytes"

// A node is an element that matters to the pace of a world, and where it stands.
type node struct {
	name        string
	data        []byte // the whole file
	start, open int    // of the opening tag: its <, and after its >
	close, end  int    // of the closing tag: its <, and after its >; those of the opening tag if empty
	empty       bool   // <a/>
	firstChild  int    // where the first element within begins, of any name; -1 if there is none
	textStart   int    // the first text directly within that is not blank, trimmed
	textEnd     int
	children    []*node // those that matter
}

// kept are the elements that matter, by the one they must stand directly in:
// links, joints and sensors have elements of the same names.
var kept = map[string][]string{
	"":        {"sdf"},
	"sdf":     {"world"},
	"world":   {"physics", "gravity", "plugin"},
	"physics": {"max_step_size", "real_time_factor", "real_time_update_rate"},
}

// Bounds of what is read, far beyond any world.
const (
	maxDepth = 1000
	maxKept  = 1000
)

// A treeBuilder makes nodes of tokens.
type treeBuilder struct {
	data  []byte
	stack []frame
	root  *node
	count int
}

// A frame is an element that has not ended yet.
type frame struct {
	start int
	name  []byte
	node  *node // nil if it does not matter
}

// readTree reads the document up to the end of its root element.
func readTree(data []byte) (*node, *Error) {
	b := &treeBuilder{data: data}
	for s := newScanner(data); ; {
		t, err := s.next()
		if err != nil {
			return nil, err
		}
		switch t.kind {
		case endOfFile:
			return nil, b.unfinished()
		case text:
			b.text(t)
		case openingTag:
			err = b.open(t)
		case closingTag:
			err = b.close(t.name, t.start, t.end)
		}
		if err != nil {
			return nil, err
		}
		if len(b.stack) == 0 && b.root != nil {
			return b.root, nil
		}
	}
}

func (b *treeBuilder) unfinished() *Error {
	if n := len(b.stack); n > 0 {
		f := b.stack[n-1]
		return at(b.data, f.start, "take the whole file", "<%s> is never closed: the file is cut off", f.name)
	}
	return &Error{Problem: "is no XML: it has no element", Remedy: "name an SDF world file"}
}

// top is the innermost element that has not ended; nil if that does not matter.
func (b *treeBuilder) top() *node {
	if len(b.stack) == 0 {
		return nil
	}
	return b.stack[len(b.stack)-1].node
}

func (b *treeBuilder) text(t token) {
	n := b.top()
	if n == nil || n.textEnd > 0 {
		return
	}
	raw := b.data[t.start:t.end]
	if trimmed := bytes.Trim(raw, space); len(trimmed) > 0 {
		n.textStart = t.start + len(raw) - len(bytes.TrimLeft(raw, space))
		n.textEnd = n.textStart + len(trimmed)
	}
}

func (b *treeBuilder) open(t token) *Error {
	if len(b.stack) >= maxDepth {
		return at(b.data, t.start, "name an SDF world file", "more than %d elements stand within each other", maxDepth)
	}
	parent := b.top()
	if parent != nil && parent.firstChild < 0 {
		parent.firstChild = t.start
	}
	f := frame{start: t.start, name: t.name}
	if keeps(parent, len(b.stack), t.name) {
		if b.count++; b.count > maxKept {
			return at(b.data, t.start, "name a world file", "more than %d elements of worlds", maxKept)
		}
		f.node = &node{name: string(t.name), data: b.data, start: t.start, open: t.end, empty: t.empty, firstChild: -1}
		if parent == nil {
			b.root = f.node
		} else {
			parent.children = append(parent.children, f.node)
		}
	} else if len(b.stack) == 0 {
		return foreignRoot(b.data, t)
	}
	b.stack = append(b.stack, f)
	if t.empty {
		return b.close(t.name, t.end, t.end)
	}
	return nil
}

func keeps(parent *node, depth int, name []byte) bool {
	within := ""
	switch {
	case parent != nil:
		within = parent.name
	case depth > 0:
		return false
	}
	for _, k := range kept[within] {
		if string(name) == k {
			return true
		}
	}
	return false
}

func (b *treeBuilder) close(name []byte, start, end int) *Error {
	if len(b.stack) == 0 {
		return at(b.data, start, "take it out", "</%s> closes nothing", name)
	}
	last := len(b.stack) - 1
	f := b.stack[last]
	if !bytes.Equal(f.name, name) {
		return at(b.data, start, "write </"+string(f.name)+">", "</%s> closes <%s> of line %d", name, f.name, lineOf(b.data, f.start))
	}
	b.stack = b.stack[:last]
	if f.node != nil {
		f.node.close, f.node.end = start, end
	}
	return nil
}

// foreignRoot says what a document is that is no SDF.
func foreignRoot(data []byte, t token) *Error {
	remedy := "name an SDF world file: its first element is <sdf>"
	if string(t.name) == "robot" {
		remedy = "name the world file: a robot description (URDF, xacro) does not set physics"
	}
	return at(data, t.start, remedy, "the first element is <%s>", t.name)
}

// tag is the opening tag.
func (n *node) tag() []byte { return n.data[n.start:n.open] }

func (n *node) text() []byte { return n.data[n.textStart:n.textEnd] }

func (n *node) line() int { return lineOf(n.data, n.start) }

// child is the first element of a name: the one that is read where there are more.
func (n *node) child(name string) *node {
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// at makes an error of the text of the node, or of the node if that has none.
func (n *node) at(remedy, format string, args ...any) *Error {
	offset := n.start
	if n.textEnd > 0 {
		offset = n.textStart
	}
	return at(n.data, offset, remedy, format, args...)
}
