package bag

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// maxChunk is the largest chunk unpacked, in bytes. Writers make chunks of
// about a megabyte, and larger only for larger messages.
const maxChunk = 1 << 30

// A chunk is the head of a chunk record, with its records still packed.
type chunk struct {
	start, end  uint64 // log times
	size        uint64 // unpacked
	crc         uint32 // of the unpacked records; 0 if there is none
	compression string
	packed      []byte
}

// parseChunk reads the body of a chunk record:
//
//	start 8 | end 8 | size 8 | crc 4 | compression 4+n | packed 8+n
//
// The packed records refer to b.
func parseChunk(b []byte) (c chunk, err error) {
	const fixed = 8 + 8 + 8 + 4 + 4
	if len(b) < fixed {
		return c, fmt.Errorf("a chunk of %d bytes is too short", len(b))
	}
	c.start, c.end = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	c.size, c.crc = binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint32(b[24:])
	name, b := uint64(binary.LittleEndian.Uint32(b[28:])), b[fixed:]
	if name+8 > uint64(len(b)) {
		return c, errors.New("the chunk ends within the name of its compression")
	}
	c.compression, b = string(b[:name]), b[name:]
	length, b := binary.LittleEndian.Uint64(b), b[8:]
	if length > uint64(len(b)) {
		return c, fmt.Errorf("the chunk claims %d bytes of records where %d are left", length, len(b))
	}
	c.packed = b[:length]
	return c, nil
}

// growth is how many times larger data can at most become by unpacking. LZ4
// extends a match by at most 255 bytes for each byte; a zstd block of 4 bytes
// stands for at most 128 KiB (RFC 8878, 3.1.1.2). So a claimed size can be
// refused before memory is taken for it.
var growth = map[string]uint64{"": 1, "lz4": 256, "zstd": 32 << 10}

// An unpacker unpacks chunks, one at a time, into memory that it keeps.
type unpacker struct {
	zstd *zstd.Decoder
	lz4  *lz4.Reader
	src  bytes.Reader
	buf  []byte
}

// unpack returns the records of a chunk, checked by its checksum if it has
// one. They are valid until the next call, and may be part of the packed ones.
func (u *unpacker) unpack(c *chunk) (records []byte, err error) {
	times, known := growth[c.compression]
	switch packed := uint64(len(c.packed)); {
	case !known:
		return nil, fmt.Errorf("compression %q is not known; mcap convert writes zstd", c.compression)
	case c.size > maxChunk:
		return nil, fmt.Errorf("the chunk claims %d bytes unpacked; at most %d are read", c.size, maxChunk)
	case c.size > times*packed:
		return nil, fmt.Errorf("the chunk claims %d bytes unpacked from %d", c.size, packed)
	}
	switch c.compression {
	case "zstd":
		records, err = u.unpackZstd(c)
	case "lz4":
		records, err = u.unpackLZ4(c)
	default:
		records = c.packed
	}
	if err != nil {
		return nil, err
	}
	if uint64(len(records)) != c.size {
		return nil, fmt.Errorf("the chunk has %d bytes unpacked where it claims %d", len(records), c.size)
	}
	if c.crc != 0 && crc32.ChecksumIEEE(records) != c.crc {
		return nil, errors.New("the checksum of the chunk is wrong")
	}
	return records, nil
}

func (u *unpacker) unpackZstd(c *chunk) (_ []byte, err error) {
	if u.zstd == nil {
		u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return nil, err
		}
	}
	u.grow(c.size + 64) // the decoder is faster with some room to spare
	u.buf, err = u.zstd.DecodeAll(c.packed, u.buf[:0])
	return u.buf, err
}

func (u *unpacker) unpackLZ4(c *chunk) ([]byte, error) {
	if u.lz4 == nil {
		u.lz4 = lz4.NewReader(nil)
	}
	u.src.Reset(c.packed)
	u.lz4.Reset(&u.src)
	u.grow(c.size + 1) // a byte more, so that the end, and with it the checksum, is read
	n, err := io.ReadFull(u.lz4, u.buf[:c.size+1])
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil
	}
	return u.buf[:n], err
}

// grow makes room for size bytes, in whole megabytes: chunks are nearly of one size.
func (u *unpacker) grow(size uint64) {
	const mega = 1 << 20
	if uint64(cap(u.buf)) < size {
		u.buf = make([]byte, (size+mega-1)/mega*mega)
	}
	u.buf = u.buf[:cap(u.buf)]
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}
