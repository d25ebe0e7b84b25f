package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
)

// No more memory than about this is asked for, whatever lengths a damaged file
// claims. A batch needs at most an eighth of it; tools that rewrite a file fill
// chunks of 4 MiB.
const maxChunk = 16 << 20

// An unpacker gives the records of one chunk after the other. The lexer of the
// MCAP package would too, but it loses its place at the first damaged chunk and
// trusts lengths in its head.
type unpacker struct {
	zstd  *zstd.Decoder
	data  []byte // memory for records
	in    bytes.Reader
	lexer *mcap.Lexer // of in
}

func newUnpacker() (u *unpacker, err error) {
	u = &unpacker{}
	if u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxChunk)); err != nil {
		return nil, err
	}
	u.lexer, err = mcap.NewLexer(&u.in, &mcap.LexerOptions{SkipMagic: true, EmitChunks: true, MaxRecordSize: maxChunk})
	return u, err
}

func (u *unpacker) close() { u.zstd.Close() }

var errChunk = errors.New("the chunk is cut")

// open makes the lexer read the records of a chunk record:
//
//	start 8 | end 8 | size 8 | crc 4 | compression: length 4, text | records: length 8, bytes
func (u *unpacker) open(record []byte) (err error) {
	if len(record) < 32 {
		return errChunk
	}
	size, crc := binary.LittleEndian.Uint64(record[16:]), binary.LittleEndian.Uint32(record[24:])
	name, rest := uint64(binary.LittleEndian.Uint32(record[28:])), record[32:]
	if uint64(len(rest)) < name+8 {
		return errChunk
	}
	compression, packed := string(rest[:name]), rest[name+8:]
	if size > maxChunk || uint64(len(packed)) != binary.LittleEndian.Uint64(rest[name:]) {
		return errChunk
	}
	records := packed
	switch compression {
	case "":
	case string(mcap.CompressionZSTD):
		if u.data, err = u.zstd.DecodeAll(packed, u.data[:0]); err != nil {
			return err
		}
		records = u.data
	default:
		return fmt.Errorf("a chunk is compressed with %q; takt reads zstd", compression)
	}
	if crc != 0 && crc != crc32.ChecksumIEEE(records) || size != uint64(len(records)) {
		return errors.New("the checksum of a chunk is wrong")
	}
	u.in.Reset(records)
	return nil
}
