// Package tsdl reads the metadata of traces in the Common Trace Format 1.8:
// the text in the Trace Stream Description Language that says how packets and
// events lie in the streams, and the packets in which tracers write that text.
//
// Metadata is bytes of anyone: nothing in it makes the package panic, nesting
// and sizes are bounded, and errors say the line. Everything it returns is
// plain values that are not changed any more.
//
// Not read are pointers (*) in type names, and callsite blocks are passed over.
package tsdl

// Metadata is what a trace says of itself.
type Metadata struct {
	UUID         [16]byte // zero: none is given
	ByteOrder    ByteOrder
	PacketHeader *Struct          // nil: packets have none
	Env          map[string]Value // what the tracer tells of where it ran
	Clocks       map[string]*Clock
	Streams      map[uint64]*Stream
}

// A Value is a constant of an env block.
type Value struct {
	Text   string // as written, without quotes
	Number int64  // if it is one
}

// A Clock maps its counts to time: an event at count n happened at
// OffsetS + (Offset+n)/Freq seconds after 1970 if the clock is absolute, else
// after the clock's own origin.
type Clock struct {
	Name    string
	UUID    [16]byte
	Freq    uint64 // hertz; 1 GHz if it is not given
	OffsetS int64  // seconds
	Offset  int64  // counts
}

// A Stream describes the packets and events of the streams of one kind.
type Stream struct {
	ID            uint64
	PacketContext *Struct // nil: none, so too the following
	EventHeader   *Struct
	EventContext  *Struct
	Events        map[uint64]*Event // by ID
}

// An Event describes the events of one kind.
type Event struct {
	ID, StreamID uint64
	Name         string
	Context      *Struct // of this kind of event alone; nil: none
	Fields       *Struct // nil: none
}

// A ByteOrder says in which order the bytes, and of numbers within a byte the
// bits, of a number lie.
type ByteOrder uint8

// The byte orders. Native is the trace's.
const (
	Native ByteOrder = iota
	LittleEndian
	BigEndian
)

// A Type says how a value lies in a stream: it is one of the pointers below.
type Type interface {
	// Align is in bits, a power of two: a value begins at a multiple of it.
	Align() int
}

// An Integer is a whole number, or a character.
type Integer struct {
	Size      int // bits, 1 to 64
	Alignment int
	Signed    bool
	Order     ByteOrder
	Text      bool   // an encoding is given: it is a character
	Clock     string // the clock whose count it carries; "": none
}

// A Float is a number of IEEE 754 of Size bits.
type Float struct {
	Size      int // 32 or 64
	Alignment int
	Order     ByteOrder
}

// An Enum is an integer some of whose values have a name.
type Enum struct {
	Of     *Integer
	Labels []Label
}

// A Label names the values from First to Last.
type Label struct {
	Name        string
	First, Last int64 // of an unsigned enum the bits of a uint64
}

// A String ends with a zero byte.
type String struct{}

// A Struct is values of several types one after the other.
type Struct struct {
	Fields    []Field
	alignment int
}

// A Field is a named value of a Struct, or an option of a Variant.
type Field struct {
	Name string // as LTTng shows it: without the underscore that its metadata puts first
	Type Type
}

// A Variant is a value of the option whose name is the label of the enum at Tag.
type Variant struct {
	Tag     string // dotted path of a field that comes before
	Options []Field
}

// An Array is Length values of one type.
type Array struct {
	Of        Type
	Length    uint64
	alignment int
}

// A Sequence is as many values as the integer at Length says.
type Sequence struct {
	Of        Type
	Length    string // dotted path of a field that comes before
	alignment int
}

// Align is of Type.
func (t *Integer) Align() int { return t.Alignment }

// Align is of Type.
func (t *Float) Align() int { return t.Alignment }

// Align is of Type.
func (t *Enum) Align() int { return t.Of.Alignment }

// Align is of Type.
func (t *String) Align() int { return 8 }

// Align is of Type.
func (t *Struct) Align() int { return max(t.alignment, 1) }

// Align is of Type: that of an option is its own.
func (t *Variant) Align() int { return 1 }

// Align is of Type.
func (t *Array) Align() int { return max(t.alignment, 1) }

// Align is of Type.
func (t *Sequence) Align() int { return max(t.alignment, 1) }

// Field returns the type of the field of a name, nil if there is none.
func (t *Struct) Field(name string) Type {
	if t == nil {
		return nil
	}
	for _, f := range t.Fields {
		if f.Name == name {
			return f.Type
		}
	}
	return nil
}
