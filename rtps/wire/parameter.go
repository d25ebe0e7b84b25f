package wire

import (
	"encoding/binary"
	"math"
)

// A Parameter is one entry of a parameter list (9.4.2.11), not yet looked
// into. On the wire, in the list's byte order:
//
//	parameterId 2 | length 2 | value
//
// The length is a multiple of 4; what aligns within the value counts from its
// first byte.
type Parameter struct {
	ID    ParameterID
	Value []byte // part of the list
}

const parameterHeaderLen = 4

// Append appends the parameter, padded to a multiple of 4. A value longer than
// the 65532 bytes that can be said is left out with its parameter.
func (p Parameter) Append(b []byte, order Order) []byte {
	start := len(b)
	b = beginParameter(b, p.ID, order)
	return endParameter(append(b, p.Value...), start, order)
}

// AppendSentinel appends the end of a parameter list.
func AppendSentinel(b []byte, order Order) []byte {
	return order.AppendUint16(order.AppendUint16(b, uint16(PIDSentinel)), 0)
}

func beginParameter(b []byte, id ParameterID, order Order) []byte {
	return append(order.AppendUint16(b, uint16(id)), 0, 0)
}

func endParameter(b []byte, start int, order Order) []byte {
	for (len(b)-start)%4 != 0 {
		b = append(b, 0)
	}
	n := len(b) - start - parameterHeaderLen
	if n > math.MaxUint16 {
		return b[:start]
	}
	order.PutUint16(b[start+2:], uint16(n))
	return b
}

// A ParameterReader walks a parameter list without looking into the values. It
// holds the list and allocates nothing.
type ParameterReader struct {
	list    []byte
	order   Order
	off     int
	ended   bool
	problem Problem
	at      ParameterID // where a problem is
}

// NewParameterReader returns a reader at the start of a list.
func NewParameterReader(list []byte, order Order) ParameterReader {
	return ParameterReader{list: list, order: order}
}

// Next returns the next parameter, padding left out, and false after the last
// one and where the list is broken, which End tells apart.
func (r *ParameterReader) Next() (p Parameter, ok bool) {
	for !r.ended {
		if p, ok = r.cut(); ok && p.ID != PIDPad {
			return p, true
		}
	}
	return Parameter{}, false
}

// cut returns the next parameter, padding included, or ends the walk.
func (r *ParameterReader) cut() (p Parameter, ok bool) {
	b := r.list[r.off:]
	if len(b) < parameterHeaderLen {
		return p, r.end(NoSentinel, PIDSentinel)
	}
	p.ID = ParameterID(r.order.Uint16(b))
	n := int(r.order.Uint16(b[2:]))
	b = b[parameterHeaderLen:]
	switch {
	case p.ID == PIDSentinel: // its length means nothing
		r.off += parameterHeaderLen
		return p, r.end(noProblem, p.ID)
	case n%4 != 0:
		return p, r.end(UnalignedParameter, p.ID)
	case n > len(b):
		return p, r.end(ShortParameter, p.ID)
	}
	p.Value = b[:n:n]
	r.off += parameterHeaderLen + n
	return p, true
}

func (r *ParameterReader) end(p Problem, at ParameterID) (ok bool) {
	r.ended, r.problem, r.at = true, p, at
	return false
}

// End returns where the list ends, in bytes from its start and behind its
// sentinel, and why if it ended early. It is of use after Next returned false.
func (r *ParameterReader) End() (int, error) {
	if r.problem != noProblem {
		return r.off, &Error{r.at.String(), r.off, r.problem}
	}
	return r.off, nil
}

// The encapsulations of a parameter list as a payload (10.2): PL_CDR.
const (
	parameterListBig    = 0x02
	parameterListLittle = 0x03
	encapsulationLen    = 4
)

func appendEncapsulation(b []byte, order Order) []byte {
	if littleEndian(order) {
		return append(b, 0, parameterListLittle, 0, 0)
	}
	return append(b, 0, parameterListBig, 0, 0)
}

// parseList hands each parameter of a payload to take, which reads its value
// and says whether it knows it. Unknown ones are skipped unless they are
// marked as must be understood (9.6.2.2.1).
func parseList(payload []byte, take func(id ParameterID, v *value) (known bool)) error {
	var order Order = binary.LittleEndian
	switch {
	case len(payload) < encapsulationLen || payload[0] != 0:
		return &Error{"parameter list", 0, NotParameterList}
	case payload[1] == parameterListBig:
		order = binary.BigEndian
	case payload[1] != parameterListLittle:
		return &Error{"parameter list", 0, NotParameterList}
	}
	at := encapsulationLen
	r := NewParameterReader(payload[at:], order)
	for p, ok := r.Next(); ok; p, ok = r.Next() {
		v := value{b: p.Value, order: order}
		known := take(p.ID, &v)
		switch {
		case v.problem != noProblem:
			return &Error{p.ID.String(), at + r.off - len(p.Value) + v.off, v.problem}
		case !known && p.ID.MustUnderstand():
			return &Error{p.ID.String(), at + r.off - len(p.Value), NotUnderstood}
		}
	}
	if r.problem != noProblem {
		return &Error{r.at.String(), at + r.off, r.problem}
	}
	return nil
}
