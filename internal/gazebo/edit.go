package gazebo

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// A Wish is what a world is to become; nil leaves a value as it is.
type Wish struct {
	RTF  *big.Rat // target real time factor, above zero
	Step *big.Rat // seconds, above zero
}

// A Change is one edit of a file: what stood in data[start:end] is replaced.
type Change struct {
	Line       int    // from 1
	Text       string // for a person: max_step_size 0.001 -> 0.004
	start, end int
	new        string
}

// Edit returns the file with the wish filled in for one of its worlds, and
// what was changed: the step, the target factor and, where it is given and a
// factor is wished for, Gazebo Classic's update rate. Every other byte stays.
// Where gz-sim and Classic read different profiles both are edited.
func (f *File) Edit(w *World, wish Wish) ([]byte, []Change) {
	var changes []Change
	profiles := w.Profiles
	if len(profiles) > 0 {
		profiles = slices.Compact([]*Physics{w.Physics(), w.ClassicPhysics()})
	} else if wish.RTF != nil || wish.Step != nil {
		changes = append(changes, newProfile(w, wish))
	}
	for _, p := range profiles {
		changes = append(changes, p.changes(wish)...)
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return a.start - b.start })
	return apply(f.data, changes), changes
}

func apply(data []byte, changes []Change) []byte {
	var out bytes.Buffer
	from := 0
	for _, c := range changes {
		out.Write(data[from:c.start])
		out.WriteString(c.new)
		from = c.end
	}
	out.Write(data[from:])
	return out.Bytes()
}

// changes returns the edits of a profile, which is in the file.
func (p *Physics) changes(wish Wish) []Change {
	var list []Change
	var missing []string
	set := func(name string, was, want *big.Rat) {
		switch n := p.node.child(name); {
		case want == nil || was != nil && was.Cmp(want) == 0:
		case n == nil:
			missing = append(missing, element(name, want))
		default:
			list = append(list, n.setText(decimal(want)))
		}
	}
	set("max_step_size", p.Step, wish.Step)
	set("real_time_factor", p.RTF, wish.RTF)
	if wish.RTF != nil && p.UpdateRate != nil {
		set("real_time_update_rate", p.UpdateRate, updateRate(wish.RTF, or(wish.Step, p.step())))
	}
	if len(missing) > 0 {
		list = append(list, p.node.insert(missing))
	}
	return list
}

// newProfile is the edit that gives a world without <physics> one, with the
// name and type that the SDFormat specification has for it.
func newProfile(w *World, wish Wish) Change {
	inner := indentStep(w.node)
	return w.node.insert([]string{
		`<physics name="default_physics" type="ode">`,
		inner + element("max_step_size", or(wish.Step, defaultStep)),
		inner + element("real_time_factor", or(wish.RTF, defaultRTF)),
		`</physics>`,
	})
}

func or(x, otherwise *big.Rat) *big.Rat {
	if x == nil {
		return otherwise
	}
	return x
}

func element(name string, value *big.Rat) string {
	return "<" + name + ">" + decimal(value) + "</" + name + ">"
}

// updateRate is what Gazebo Classic needs for a factor: its bound is step
// times update rate.
func updateRate(rtf, step *big.Rat) *big.Rat { return new(big.Rat).Quo(rtf, step) }

// setText replaces the text of an element, or gives it one.
func (n *node) setText(text string) Change {
	c := Change{Line: n.line(), Text: fmt.Sprintf("%s %s -> %s", n.name, n.text(), text), new: text}
	switch {
	case n.textEnd > 0:
		c.start, c.end = n.textStart, n.textEnd
	case n.empty:
		c.start, c.end = n.open-len("/>"), n.open
		c.new = ">" + text + "</" + n.name + ">"
	default:
		c.start, c.end = n.open, n.open
	}
	return c
}

// insert adds lines before the first element within n, indented as that is; if
// there is none, after the opening tag, indented as the file is elsewhere.
func (n *node) insert(lines []string) Change {
	c := Change{Line: n.line(), Text: "new: " + strings.TrimSpace(strings.Join(lines, " "))}
	if n.firstChild >= 0 {
		sep := separator(n.data, n.open, n.firstChild)
		c.start, c.end = n.firstChild, n.firstChild
		c.new = strings.Join(lines, sep) + sep
		return c
	}
	outer := separator(n.data, 0, n.start)
	inner := outer
	if outer != "" {
		inner += indentStep(n)
	}
	c.start, c.end = n.open, n.open
	c.new = inner + strings.Join(lines, inner)
	switch {
	case n.empty:
		c.start -= len("/>")
		c.new = ">" + c.new + outer + "</" + n.name + ">"
	case n.open == n.close:
		c.new += outer
	}
	return c
}

// separator is what stands between one line and the next where the line of an
// offset begins: its line break and its indentation. It is nothing if there is
// no line break after from: the file has it all on one line.
func separator(data []byte, from, offset int) string {
	i := bytes.LastIndexByte(data[from:offset], '\n')
	if i < 0 {
		return ""
	}
	start := from + i
	line := data[start+1 : offset]
	indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	if start > 0 && data[start-1] == '\r' {
		return "\r\n" + string(indent)
	}
	return "\n" + string(indent)
}

// indentStep is by how much the file indents what is within an element: as in
// the node, or by its own indentation if that is all there is to go by.
func indentStep(n *node) string {
	own := separator(n.data, 0, n.start)
	if n.firstChild >= 0 {
		if more, ok := strings.CutPrefix(separator(n.data, n.open, n.firstChild), own); ok && own != "" {
			return more
		}
	}
	switch {
	case own == "":
		return ""
	case strings.Contains(own, "\t"):
		return "\t"
	}
	return "  "
}
