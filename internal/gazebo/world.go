package gazebo

import (
	"bytes"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strings"
)

// A File is a world file, as its bytes and as what they say.
type File struct {
	Name   string
	Worlds []*World // one or more
	data   []byte
}

// A World is one simulated world.
type World struct {
	Name         string
	Profiles     []*Physics  // as they stand in the file; none: the defaults hold
	Gravity      [3]*big.Rat // m/s²
	GravityGiven bool
	Plugins      bool // some are listed, so that the server's default ones are not loaded
	UserCommands bool // the plugin that offers set_physics is among them
	node         *node
}

// Physics is one profile of a world. What a file does not give is nil.
type Physics struct {
	Name       string
	Default    bool     // marked as the default one
	Step       *big.Rat // seconds, above zero
	RTF        *big.Rat // target; 0: as fast as possible
	UpdateRate *big.Rat // hertz; 0: as fast as possible; only Gazebo Classic reads it
	node       *node
}

// maxSize is how large a world file may be.
const maxSize = 64 << 20

// Read reads a world file of up to 64 MB. What is wrong with its content is an *Error.
func Read(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(data) > maxSize {
		return nil, &Error{File: name, Problem: "is larger than 64 MB", Remedy: "name a world file, which refers to its meshes and models"}
	}
	return Parse(name, data)
}

// Parse reads the content of a world file, which must not change afterwards.
// All errors are *Error.
func Parse(name string, data []byte) (*File, error) {
	f, err := parse(data)
	if err != nil {
		err.File = name
		return nil, err
	}
	f.Name = name
	return f, nil
}

func parse(data []byte) (*File, *Error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, &Error{Problem: "is UTF-16", Remedy: "write it in UTF-8"}
	}
	root, err := readTree(data)
	if err != nil {
		return nil, err
	}
	if _, ok := attribute(root.tag(), "xmlns:xacro"); ok {
		return nil, at(data, root.start, "expand it first, and name the result", "is a xacro file")
	}
	if len(root.children) == 0 {
		return nil, at(data, root.start, "name the world file that includes it: physics is set there", "has no <world>")
	}
	f := &File{data: data}
	for _, n := range root.children {
		w, err := newWorld(n)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(f.Worlds, func(o *World) bool { return o.Name == w.Name }) {
			return nil, at(data, n.start, "give each a name of its own", "two worlds are named %q", w.Name)
		}
		f.Worlds = append(f.Worlds, w)
	}
	return f, nil
}

func newWorld(n *node) (*World, *Error) {
	w := &World{Gravity: defaultGravity, node: n}
	if w.Name, _ = attribute(n.tag(), "name"); w.Name == "" {
		return nil, at(n.data, n.start, `write <world name="...">`, "this world has no name")
	}
	for _, c := range n.children {
		switch c.name {
		case "physics":
			p, err := newPhysics(c)
			if err != nil {
				return nil, err
			}
			w.Profiles = append(w.Profiles, p)
		case "plugin":
			w.Plugins = true
			w.UserCommands = w.UserCommands || isUserCommands(c.tag())
		}
	}
	return w, w.readGravity(n.child("gravity"))
}

// isUserCommands knows the plugin by the names it has had: gz-sim's and ignition-gazebo's.
func isUserCommands(tag []byte) bool {
	name, _ := attribute(tag, "name")
	file, _ := attribute(tag, "filename")
	return strings.HasSuffix(name, "::UserCommands") || strings.Contains(file, "user-commands-system")
}

func (w *World) readGravity(n *node) *Error {
	if n == nil || n.textEnd == 0 {
		return nil
	}
	parts := bytes.Fields(n.text())
	var g [3]*big.Rat
	ok := len(parts) == len(g)
	for i := 0; ok && i < len(g); i++ {
		g[i], ok = parseDecimal(parts[i])
	}
	if !ok {
		return n.at("write three numbers in m/s², such as 0 0 -9.8", "gravity is %s", shown(n.text()))
	}
	w.Gravity, w.GravityGiven = g, true
	return nil
}

func newPhysics(n *node) (*Physics, *Error) {
	p := &Physics{node: n}
	p.Name, _ = attribute(n.tag(), "name")
	mark, _ := attribute(n.tag(), "default")
	p.Default = strings.EqualFold(mark, "true") || mark == "1"
	for _, v := range []struct {
		name string
		to   **big.Rat
	}{{"max_step_size", &p.Step}, {"real_time_factor", &p.RTF}, {"real_time_update_rate", &p.UpdateRate}} {
		x, err := n.child(v.name).number()
		if err != nil {
			return nil, err
		}
		if x != nil && x.Sign() < 0 {
			return nil, n.child(v.name).at("write a number above zero", "%s is negative", v.name)
		}
		*v.to = x
	}
	return p, p.checkStep()
}

// checkStep refuses steps with which no simulated time passes, and those that
// can only be meant in another unit.
func (p *Physics) checkStep() *Error {
	if p.Step == nil {
		return nil
	}
	n := p.node.child("max_step_size")
	switch {
	case p.Step.Sign() == 0:
		return n.at("write it in seconds, such as 0.001", "max_step_size is zero")
	case stepNS(p.Step) < 1:
		return n.at("write it in seconds, such as 0.001", "max_step_size is shorter than a nanosecond")
	case p.Step.Cmp(longestStep) > 0:
		return n.at("write it in seconds, such as 0.001", "max_step_size is longer than an hour")
	}
	return nil
}

var longestStep = big.NewRat(3600, 1) // seconds

// stepNS is the step as gz-sim keeps it: the decimal becomes a double, and
// that is cut, not rounded, to whole nanoseconds (std::chrono::duration_cast).
func stepNS(step *big.Rat) int64 { return int64(min(float(step), 1e6) * 1e9) }

// Select returns the world of a name; without a name, the only one.
func (f *File) Select(name string) (*World, error) {
	var names []string
	for _, w := range f.Worlds {
		if w.Name == name || name == "" && len(f.Worlds) == 1 {
			return w, nil
		}
		names = append(names, w.Name)
	}
	problem := "holds several worlds"
	if name != "" {
		problem = fmt.Sprintf("has no world %q", name)
	}
	return nil, &Error{File: f.Name, Problem: problem, Remedy: "choose one: --world " + strings.Join(names, ", ")}
}

// Physics returns the profile that gz-sim reads: the first one, whatever is
// marked as the default (SimulationRunner, releases 8 to 10). Nil if there is none.
func (w *World) Physics() *Physics {
	if len(w.Profiles) == 0 {
		return nil
	}
	return w.Profiles[0]
}

// ClassicPhysics returns the profile that Gazebo Classic reads and the SDFormat
// specification names: the first one marked as the default, else the first one.
func (w *World) ClassicPhysics() *Physics {
	for _, p := range w.Profiles {
		if p.Default {
			return p
		}
	}
	return w.Physics()
}

// step returns the profile's step in seconds, given or not.
func (p *Physics) step() *big.Rat {
	if p == nil || p.Step == nil {
		return defaultStep
	}
	return p.Step
}

// rtf returns the profile's target factor, given or not.
func (p *Physics) rtf() *big.Rat {
	if p == nil || p.RTF == nil {
		return defaultRTF
	}
	return p.RTF
}
