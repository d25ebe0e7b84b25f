// Package tracetest writes traces in the Common Trace Format 1.8 as LTTng's
// user space tracer lays them out, for tests and benchmarks: in either byte
// order, with either form of event header, with the losses that one asks for.
package tracetest

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Options say how a trace is laid out.
type Options struct {
	BigEndian  bool
	Compact    bool   // headers of 5 bits for the ID and 27 for the time, else 16 and 32
	NoContext  bool   // events do not say of which process they are
	PacketSize int    // bytes; 0 means 64 KiB
	Domain     string // 0 means "ust"
}

// Offset is the wall clock minus the trace's clock, in nanoseconds.
const Offset = 1_600_000_000_000_000_000

// A Trace is one directory.
type Trace struct {
	dir     string
	opt     Options
	order   binary.AppendByteOrder
	events  []Event
	streams []*Stream
}

// An Event is a kind of event. Fields are of "u64", "i64", "i32", "string",
// and "bytesN" for N bytes.
type Event struct {
	Name   string
	Fields []Field
}

// A Field has a name and a type.
type Field struct{ Name, Type string }

// New begins a trace in a directory.
func New(dir string, opt Options) *Trace {
	if opt.PacketSize == 0 {
		opt.PacketSize = 64 << 10
	}
	t := &Trace{dir: dir, opt: opt, order: binary.LittleEndian}
	if opt.BigEndian {
		t.order = binary.BigEndian
	}
	return t
}

// Define makes a kind of event known, with fields such as "callback u64", and
// returns its ID.
func (t *Trace) Define(name string, fields ...string) int {
	e := Event{Name: name}
	for _, f := range fields {
		n, typ, _ := strings.Cut(f, " ")
		e.Fields = append(e.Fields, Field{n, typ})
	}
	t.events = append(t.events, e)
	return len(t.events) - 1
}

var uuid = [16]byte{0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80, 0x90, 0xa0, 0xb0, 0xc0, 0xd0, 0xe0, 0xf0, 0x01}

// Close writes what is left.
func (t *Trace) Close() error {
	for _, s := range t.streams {
		s.Flush()
		if err := os.WriteFile(filepath.Join(t.dir, fmt.Sprintf("ros_%d", s.cpu)), s.file, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(t.dir, "metadata"), t.packets([]byte(t.Metadata())), 0o666)
}

// packets puts the metadata into packets of 4 KiB.
func (t *Trace) packets(text []byte) (all []byte) {
	const size, header = 4096, 37
	for len(text) > 0 {
		n := min(len(text), size-header)
		p := t.order.AppendUint32(nil, 0x75D11D57)
		p = append(p, uuid[:]...)
		p = t.order.AppendUint32(p, 0)
		p = t.order.AppendUint32(p, uint32(header+n)*8)
		p = t.order.AppendUint32(p, size*8)
		p = append(p, 0, 0, 0, 1, 8)
		p = append(p, text[:n]...)
		all = append(all, p...)
		all = append(all, make([]byte, size-len(p))...)
		text = text[n:]
	}
	return all
}
