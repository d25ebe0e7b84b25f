// Package trace reads traces in the Common Trace Format 1.8 as LTTng writes
// them: directories with metadata and streams, one per CPU or process. It
// hands on the events of all streams in the order of time, and where some were
// lost, by the tracer or since, what is known of the gap.
//
// Of every kind of event only the fields that are asked for are read, into
// memory that is used again, by a plan that is made when the first such event
// comes. Streams are read a window at a time, so that memory does not depend
// on their length nor on what they say of the size of their packets.
//
// Streams are bytes of anyone: nothing in them makes the package panic. Nothing
// here is safe for concurrent use. Index files are not read, and what a trace
// keeps in the network (lttng live) is not reached.
package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tsdl"
)

// Options say what to read of the events.
type Options struct {
	// Wants returns which fields of a kind of event to read, and a tag by
	// which the caller knows the kind again. It is asked once for each kind.
	Wants func(event string) (fields []string, tag int)
	// Progress is called with the bytes read, and their total.
	Progress func(done, total int64)
}

// A Trace is one or several directories of one recording.
type Trace struct {
	Path    string
	Clock   Clock
	Domains []*Domain // one for each directory

	opt         Options
	streams     []*stream
	done, total int64
}

// A Domain is one directory with metadata: a kernel, or what processes of a
// user traced.
type Domain struct {
	Path string
	Env  map[string]tsdl.Value

	meta *tsdl.Metadata
	// What is made of the metadata so far.
	header plan // of a packet
	kinds  map[*tsdl.Stream]*streamKind
	pid    int64 // of the one process that is traced in it; 0: the events tell
	proc   []byte
}

// ErrNotTrace is why a directory is refused.
var ErrNotTrace = errors.New("not a CTF trace")

// Open finds the traces in a directory, which may be that with the metadata or
// one above, and reads their metadata.
func Open(path string, opt Options) (*Trace, error) {
	dirs, err := find(path)
	if err != nil {
		return nil, err
	}
	if len(dirs) == 0 {
		return nil, fmt.Errorf("%s holds no file called metadata as LTTng writes it: %w", path, ErrNotTrace)
	}
	t := &Trace{Path: path, opt: opt}
	for _, dir := range dirs {
		d, err := openDomain(dir)
		if err != nil {
			return nil, err
		}
		t.Domains = append(t.Domains, d)
		if err := t.addStreams(d); err != nil {
			return nil, err
		}
	}
	if len(t.streams) == 0 {
		return nil, fmt.Errorf("%s has metadata and no streams beside it: nothing was traced, or only the metadata was copied", path)
	}
	t.setClock()
	for _, s := range t.streams {
		t.total += s.size
		s.keepOpen = len(t.streams) <= maxOpen
	}
	return t, nil
}

// Close closes the streams.
func (t *Trace) Close() error {
	var problems []error
	for _, s := range t.streams {
		problems = append(problems, s.close())
	}
	return errors.Join(problems...)
}

const (
	maxDepth   = 8       // of directories below that which is named: my-trace/ust/uid/1000/64-bit is four
	maxEntries = 1 << 16 // files that are looked at
	maxOpen    = 256     // streams that are kept open
)

// find returns the directories with metadata at and below path, in order.
func find(path string) (dirs []string, err error) {
	if filepath.Base(path) == "metadata" && isMetadata(path) {
		return []string{filepath.Dir(path)}, nil
	}
	seen := 0
	err = filepath.WalkDir(path, func(at string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && at == path:
			return err
		case err != nil:
			return nil // it cannot be looked into
		case e.IsDir() && depth(path, at) > maxDepth:
			return fs.SkipDir
		case e.IsDir() && e.Name() == "index" && at != path:
			return fs.SkipDir
		}
		if seen++; seen > maxEntries {
			return fmt.Errorf("%s holds more than %d files; name the directory with the metadata", path, maxEntries)
		}
		if e.Name() == "metadata" && isMetadata(at) {
			dirs = append(dirs, filepath.Dir(at))
		}
		return nil
	})
	return dirs, err
}

func depth(above, below string) (n int) {
	for ; len(below) > len(above); below = filepath.Dir(below) {
		n++
	}
	return n
}

func isMetadata(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 8)
	_, err = f.ReadAt(head, 0)
	return err == nil && tsdl.Is(head)
}

// Is reports whether path is a trace, or a directory with one.
func Is(path string) bool {
	dirs, err := find(path)
	return err == nil && len(dirs) > 0
}

func openDomain(dir string) (*Domain, error) {
	name := filepath.Join(dir, "metadata")
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > tsdl.MaxSize {
		return nil, fmt.Errorf("%s has %d bytes of metadata; a tracer writes less than %d, so this is none", name, info.Size(), tsdl.MaxSize)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	m, err := tsdl.Read(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	d := &Domain{Path: dir, Env: m.Env, meta: m, kinds: map[*tsdl.Stream]*streamKind{}}
	d.pid, d.proc = m.Env["vpid"].Number, []byte(m.Env["procname"].Text)
	if d.header, err = d.packetPlan(m.PacketHeader, headerWishes); err != nil {
		return nil, fmt.Errorf("%s: packet.header: %w", dir, err)
	}
	return d, nil
}

// addStreams adds the files beside the metadata.
func (t *Trace) addStreams(d *Domain) error {
	entries, err := os.ReadDir(d.Path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() || e.Name() == "metadata" || e.Name()[0] == '.' || info.Size() == 0 {
			continue
		}
		s := &stream{
			name: filepath.Join(d.Path, e.Name()), size: info.Size(), trace: t, domain: d, number: len(t.streams),
		}
		t.streams = append(t.streams, s)
	}
	return nil
}

func (t *Trace) advance(n int) {
	t.done += int64(n)
	if t.opt.Progress != nil {
		t.opt.Progress(min(t.done, t.total), t.total)
	}
}
