package trace

// An Event is one event of a trace, or a gap in it. It is valid until the next one.
type Event struct {
	Class *Class // nil: it is a gap
	At    int64  // nanoseconds on the trace's clock
	CPU   int16  // -1: not known
	PID   int64  // 0: not known; so too the next
	TID   int64
	Proc  []byte // name of the process, as the kernel has it

	Gap *Gap

	decoder *decoder
}

// Uint returns the field that was asked for as number i, 0 if there is none.
// Of a signed field it is the bits.
func (e *Event) Uint(i int) uint64 {
	if !e.Class.Has[i] {
		return 0
	}
	return e.decoder.ints[slotWanted+i]
}

// Int returns the field that was asked for as number i as a signed number.
func (e *Event) Int(i int) int64 { return int64(e.Uint(i)) }

// Bytes returns the text, or the array of bytes, that was asked for as number
// i, nil if there is none.
func (e *Event) Bytes(i int) []byte {
	if !e.Class.Has[i] {
		return nil
	}
	return e.decoder.texts[slotWanted+i]
}

// Text returns the same up to its first zero byte.
func (e *Event) Text(i int) []byte { return cut(e.Bytes(i)) }

// cut takes off what follows the zero byte of a text of fixed length.
func cut(b []byte) []byte {
	for i, c := range b {
		if c == 0 {
			return b[:i]
		}
	}
	return b
}

// A Why says why events are missing.
type Why uint8

// The reasons.
const (
	Discarded Why = iota + 1 // the tracer had no room for them
	Missing                  // packets are missing, by their numbers
	CutOff                   // the file ends within a packet
	Damaged                  // what is there cannot be read
)

// A Gap is where events are missing, from the event's At on.
type Gap struct {
	Why    Why
	Until  int64  // instant; math.MaxInt64: to the end of the stream
	Count  uint64 // events that are missing, or packets; 0: not known
	Stream string // the file
	Err    error  // what cannot be read, if Damaged or CutOff
}
