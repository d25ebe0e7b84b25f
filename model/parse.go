package model

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/goccy/go-yaml/ast"
)

// Version is the version of the system file that this package reads and writes.
const Version = "1"

// Load reads the system file at path. All errors are *FileError; one that
// comes from the operating system is found in it by errors.Is.
func Load(path string) (*System, error) {
	data, err := readFile(path)
	if err != nil {
		e := &FieldError{File: path, Problem: "cannot be read", Remedy: "check its name and that you may read it", Err: err}
		var cause *fs.PathError
		switch {
		case errors.Is(err, fs.ErrNotExist):
			e.Problem, e.Remedy = "does not exist", "check the name, or write one with takt init"
		case errors.As(err, &cause):
			e.Problem += ": " + cause.Err.Error()
		}
		return nil, &FileError{path, []*FieldError{e}}
	}
	return Parse(path, data)
}

// readFile reads as much of a file as is needed to see that it is too large.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}

// Parse reads a system file; file is its name for messages. What it does not
// understand it refuses: the error is then a *FileError with all that is wrong.
//
// At most 1 MiB is read, and 12,000 keys in one section; anchors, aliases and
// tags, which a description of a system does not need, are refused. Topics and
// loops may have any name that is not empty, since recordings from outside
// ROS 2 name topics without a leading slash.
func Parse(file string, data []byte) (*System, error) {
	d := &decoder{file: file, values: map[string]value{}}
	s := &System{File: file}
	if root := d.parseYAML(data); root != nil {
		d.readSystem(root, s)
	}
	if len(d.errs) == 0 && s.Design != nil { // else what follows from an error would be reported too
		d.checkDesign(s.Design)
	}
	if len(d.errs) > 0 {
		e := &FileError{file, d.errs}
		e.sort()
		return nil, e
	}
	return s, nil
}

// systemFields are the sections of a system file. Format writes them in its own way.
var systemFields = []field[System]{
	{key: "takt", read: readVersion},
	{key: "clock", read: readClock},
	{key: "topics", read: readTopics},
	{key: "loops", read: func(v value, s *System) { s.Loops = loops.read(v) }},
	{key: "machine", read: readMachine},
	{key: "simulation", read: readSimulation},
	{key: "executors", read: func(v value, s *System) { s.design().Executors = executors.read(v) }},
	{key: "contexts", read: func(v value, s *System) { s.design().Contexts = contexts.read(v) }},
	{key: "nodes", read: func(v value, s *System) { s.design().Nodes = nodes.read(v) }},
	{key: "sensors", read: func(v value, s *System) { s.design().Sensors = sensors.read(v) }},
	{key: "locks", read: func(v value, s *System) { s.design().Locks = locks.read(v) }},
	{key: "chains", read: func(v value, s *System) { s.design().Chains = chains.read(v) }},
}

// readSystem reads the whole file.
func (d *decoder) readSystem(root ast.Node, s *System) {
	all := readSection(value{d: d, at: place{line: 1}, node: root}, "", systemFields, s)
	if !all.has("takt") {
		d.report(place{line: 1}, "", "does not say which version of the system file it is",
			"write takt: "+Version+" in the first line")
	}
}

// readVersion refuses other versions. Nothing else is said of such a file,
// since its keys may mean something else.
func readVersion(v value, _ *System) {
	text, ok := v.text("write takt: " + Version)
	if ok && text != Version {
		v.d.errs = nil
		v.fail(fmt.Sprintf("is %s, a version that this takt does not know", shown(text)),
			"write takt: "+Version+", or use a newer takt")
		v.d.foreign = true
	}
}
