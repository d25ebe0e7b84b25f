package trace

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A status says how reading a value ended.
type status uint8

const (
	ok    status = iota
	short        // the window ends before the value does
	wrong        // the packet ends before the value does, or a tag has no option
)

// A decoder reads values from the window of a stream by plans. Positions are in
// bits from the start of the packet, since that is what alignment counts from.
type decoder struct {
	buf   []byte // window of the packet, with spare bytes behind it
	base  uint64 // where in the packet it begins, in bytes
	pos   uint64
	limit uint64 // end of the window
	end   uint64 // end of the content of the packet

	clock uint64 // counts, of the last value that moved it
	ints  [maxSlots]uint64
	texts [maxSlots][]byte // valid until the window moves
}

// spare is how many bytes behind the window may be read, so that numbers are
// loaded whole whatever their size.
const spare = 16

// beyond says why there is nothing to read up to a position.
func (d *decoder) beyond(to uint64) status {
	if to > d.end {
		return wrong
	}
	return short
}

func (d *decoder) run(p plan) status {
	for i := range p {
		o := &p[i]
		if mask := uint64(o.align) - 1; mask != 0 {
			d.pos = (d.pos + mask) &^ mask
		}
		s := ok
		switch o.code {
		case opInt:
			// Whole bytes in little endian are what nearly all numbers are.
			if to := d.pos + o.size; !o.big && d.pos%8 == 0 && to <= d.limit && !o.signed {
				d.ints[o.slot] = binary.LittleEndian.Uint64(d.buf[d.pos/8-d.base:]) << (64 - o.size) >> (64 - o.size)
				d.pos = to
				continue
			}
			s = d.int(o)
		case opClock:
			s = d.tick(o)
		case opSkip:
			s = d.skip(o.size)
		case opText:
			s = d.text(o.slot, o.size)
		case opString:
			s = d.string(o.slot)
		case opTextSeq:
			s = d.textSequence(o)
		case opSkipSeq:
			s = d.skipSequence(o)
		case opArray:
			s = d.repeat(o.sub, o.count)
		case opSequence:
			s = d.repeat(o.sub, d.ints[o.length])
		case opVariant:
			s = d.variant(o)
		}
		if s != ok {
			return s
		}
	}
	return ok
}

func (d *decoder) int(o *op) status {
	if d.pos+o.size > d.limit {
		return d.beyond(d.pos + o.size)
	}
	v := d.number(o.size, o.big)
	if o.signed && o.size < 64 {
		v = uint64(int64(v<<(64-o.size)) >> (64 - o.size))
	}
	d.ints[o.slot] = v
	d.pos += o.size
	return ok
}

// number loads the size bits at the position. In little endian a number
// begins at the low bits of a byte, in big endian at the high ones.
func (d *decoder) number(size uint64, big bool) uint64 {
	b, shift := d.buf[d.pos/8-d.base:], d.pos%8
	if big {
		v := binary.BigEndian.Uint64(b) << shift
		if shift+size > 64 {
			v |= uint64(b[8]) >> (8 - shift)
		}
		return v >> (64 - size)
	}
	v := binary.LittleEndian.Uint64(b) >> shift
	if shift+size > 64 {
		v |= uint64(b[8]) << (64 - shift)
	}
	return v << (64 - size) >> (64 - size)
}

// tick reads the low bits of the clock: it has gone on by less than they count
// since the value before.
func (d *decoder) tick(o *op) status {
	if d.pos+o.size > d.limit {
		return d.beyond(d.pos + o.size)
	}
	low := d.number(o.size, o.big)
	mask := uint64(1)<<(o.size-1)<<1 - 1
	if now := d.clock&^mask | low; now >= d.clock || o.size == 64 {
		d.clock = now
	} else {
		d.clock = now + mask + 1
	}
	if o.slot != noSlot {
		d.ints[o.slot] = low
	}
	d.pos += o.size
	return ok
}

func (d *decoder) skip(size uint64) status {
	if to := d.pos + size; to > d.limit {
		return d.beyond(to)
	}
	d.pos += size
	return ok
}

func (d *decoder) text(slot int16, size uint64) status {
	from := d.pos / 8
	if s := d.skip(size); s != ok {
		return s
	}
	d.texts[slot] = d.buf[from-d.base : d.pos/8-d.base]
	return ok
}

func (d *decoder) string(slot int16) status {
	if d.pos >= d.limit {
		return d.beyond(d.pos + 8)
	}
	b := d.buf[d.pos/8-d.base : d.limit/8-d.base]
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return d.beyond(d.limit + 8)
	}
	if slot != noSlot {
		d.texts[slot] = b[:n]
	}
	d.pos += 8 * uint64(n+1)
	return ok
}

func (d *decoder) textSequence(o *op) status {
	hi, size := bits.Mul64(d.ints[o.length], 8)
	if hi != 0 || size > maxRun {
		return wrong
	}
	return d.text(o.slot, size)
}

func (d *decoder) skipSequence(o *op) status {
	hi, size := bits.Mul64(d.ints[o.length], o.size)
	if hi != 0 || size > maxRun {
		return wrong
	}
	return d.skip(size)
}

// repeat runs a plan n times, or until that gets nowhere.
func (d *decoder) repeat(p plan, n uint64) status {
	for ; n > 0; n-- {
		from := d.pos
		if s := d.run(p); s != ok {
			return s
		}
		if d.pos == from {
			return ok
		}
	}
	return ok
}

func (d *decoder) variant(o *op) status {
	tag := d.ints[o.length]
	for i := range o.options {
		if o.options[i].has(tag) {
			return d.run(o.options[i].sub)
		}
	}
	return wrong
}
