package bag

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// zstdMagic begins a zstd frame (RFC 8878, 3.1.1). A CDR message begins with
// a zero byte, so that the two cannot be mistaken for each other.
const zstdMagic = 0xFD2FB528

func isZstd(b []byte) bool {
	return len(b) >= 4 && binary.LittleEndian.Uint32(b) == zstdMagic
}

// Limits of what is unpacked, in bytes.
const (
	maxPrefix  = 4 << 10  // of a message of which the stamp is needed: stamps come first
	maxMessage = 64 << 20 // of a message of which all is needed
	maxWindow  = 128 << 20
)

// A payloads unpacks messages that a recorder packed one by one (compression
// mode MESSAGE), as far as is needed.
type payloads struct {
	decoder *zstd.Decoder
	src     bytes.Reader
	buf     []byte
}

// open returns the beginning of a payload, as much as content needs, and the
// size of all of it in bytes, 0 if that is unknown. A payload that is not
// packed is returned as it is; the other is valid until the next call.
func (p *payloads) open(data []byte, c content) (plain []byte, size uint32, err error) {
	if !isZstd(data) {
		return data, uint32(len(data)), nil
	}
	var header zstd.Header
	if err := header.Decode(data); err != nil {
		return nil, 0, fmt.Errorf("a message packed with zstd: %w", err)
	}
	if header.HasFCS && header.FrameContentSize <= 1<<32-1 {
		size = uint32(header.FrameContentSize)
	}
	if c == opaque {
		return nil, size, nil
	}
	limit := maxMessage
	if c == stamped || c == ticks {
		limit = maxPrefix
	}
	plain, err = p.unpack(data, limit)
	return plain, size, err
}

func (p *payloads) unpack(data []byte, limit int) ([]byte, error) {
	if p.decoder == nil {
		var err error
		if p.decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow)); err != nil {
			return nil, err
		}
		p.buf = make([]byte, maxPrefix)
	}
	p.src.Reset(data)
	if err := p.decoder.Reset(&p.src); err != nil {
		return nil, fmt.Errorf("a message packed with zstd: %w", err)
	}
	for n := 0; n < limit; {
		if n == len(p.buf) {
			p.buf = append(p.buf, make([]byte, len(p.buf))...)
		}
		m, err := p.decoder.Read(p.buf[n:min(len(p.buf), limit)])
		n += m
		if err == io.EOF {
			return p.buf[:n], nil
		}
		if err != nil {
			return nil, fmt.Errorf("a message packed with zstd: %w", err)
		}
	}
	return p.buf[:limit], nil
}

func (p *payloads) close() {
	if p.decoder != nil {
		p.decoder.Close()
	}
}

// A temporary is a file that is gone when it is closed, or when the process ends.
type temporary struct {
	*os.File
	path string // to remove on closing, where an open file cannot be removed
}

func newTemporary() (*temporary, error) {
	f, err := os.CreateTemp("", "takt-unpacked-")
	if err != nil {
		return nil, err
	}
	t := &temporary{File: f}
	if os.Remove(f.Name()) != nil {
		t.path = f.Name()
	}
	return t, nil
}

func (t *temporary) Close() error {
	err := t.File.Close()
	if t.path != "" {
		err = errors.Join(err, os.Remove(t.path))
	}
	return err
}

// maxUnpacked bounds the size of an unpacked file by that of the packed one.
// Recordings shrink to a third, rarely to a fiftieth; a thousandth is either
// not a recording or made to fill a disk.
func maxUnpacked(packed int64) int64 { return 1<<30 + 1000*packed }

// unpackFile unpacks a file into a temporary one, telling progress the bytes
// read from it as it goes.
func unpackFile(ctx context.Context, path string, progress func(int64)) (_ *temporary, size int64, err error) {
	packed, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer packed.Close()
	info, err := packed.Stat()
	if err != nil {
		return nil, 0, err
	}
	decoder, err := zstd.NewReader(&watchedReader{ctx, packed, progress},
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, 0, err
	}
	defer decoder.Close()
	t, err := newTemporary()
	if err != nil {
		return nil, 0, fmt.Errorf("no temporary file to unpack %s into: %w; set TMPDIR to a directory that can be written", path, err)
	}
	limit := maxUnpacked(info.Size())
	size, err = io.Copy(t, io.LimitReader(decoder, limit+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = truncatedZstd(path, info.Size())
	case err != nil && ctx.Err() == nil:
		err = fmt.Errorf("unpacking %s: %w; the temporary file is in %s, which TMPDIR moves", path, err, os.TempDir())
	case err == nil && size > limit:
		err = fmt.Errorf("%s unpacks to more than %d bytes, a thousand times its size: that is no recording; unpack it with zstd -d if it is", path, limit)
	}
	if err != nil {
		t.Close()
		return nil, 0, err
	}
	return t, size, nil
}

// truncatedZstd is the error of a packed file that ends too early.
func truncatedZstd(path string, size int64) error {
	return fmt.Errorf("%s is a truncated zstd file: its %d bytes end in the middle of a frame; copy it again from where it was recorded", path, size)
}

// A watchedReader tells what was read from it, and ends when its context is done.
type watchedReader struct {
	ctx      context.Context
	r        io.Reader
	progress func(int64)
}

func (w *watchedReader) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.r.Read(p)
	w.progress(int64(n))
	return n, err
}
