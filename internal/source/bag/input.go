package bag

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
)

// A format is how a storage file is built.
type format uint8

const (
	sqliteFile format = iota + 1
	mcapFile
)

// String returns the kind of a timeline that comes from such a file.
func (f format) String() string {
	return [...]string{"rosbag2", "rosbag2-sqlite3", "mcap"}[f]
}

// An input is one storage file of a recording.
type input struct {
	name, path string
	number     uint32 // within the recording
	size       int64  // bytes, as stored
	format     format
	packed     bool       // with zstd, all of it
	claim      *fileClaim // what metadata.yaml says of it, or nil
	missing    bool       // metadata.yaml names it, but it is not there
	problem    error      // why it cannot be read
}

// readable reports whether there is something to read.
func (in *input) readable() bool { return !in.missing && in.problem == nil }

// lookAt looks at a file that stands by itself.
func lookAt(path string) (*input, error) {
	in := &input{name: filepath.Base(path), path: path}
	return in, in.look()
}

// The beginnings of the files that are read.
var (
	sqliteMagic = []byte("SQLite format 3\x00")
	magicLen    = len(sqliteMagic)
)

// look finds out what the file is, by its first bytes.
func (in *input) look() error {
	f, err := os.Open(in.path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return notRecording(in.path, "is not a regular file")
	}
	in.size = info.Size()
	if in.size == 0 {
		return notRecording(in.path, "is empty")
	}
	magic, err := readMagic(f)
	if err != nil {
		return err
	}
	if in.packed = isZstd(magic); in.packed {
		magic, err = unpackMagic(f)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return truncatedZstd(in.path, in.size)
		}
		if err != nil {
			return fmt.Errorf("%s begins as a zstd file but cannot be unpacked: %w; copy it again from where it was recorded", in.path, err)
		}
	}
	switch {
	case bytes.Equal(magic, sqliteMagic):
		in.format = sqliteFile
	case bytes.HasPrefix(magic, mcap.Magic):
		in.format = mcapFile
	case in.packed:
		return notRecording(in.path, fmt.Sprintf("holds, packed with zstd, something that begins with %q", magic))
	default:
		return notRecording(in.path, fmt.Sprintf("begins with %q", magic))
	}
	return nil
}

func readMagic(f io.ReaderAt) ([]byte, error) {
	magic := make([]byte, magicLen)
	n, err := f.ReadAt(magic, 0)
	if err == io.EOF {
		err = nil
	}
	return magic[:n], err
}

func unpackMagic(f io.Reader) ([]byte, error) {
	decoder, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	magic := make([]byte, magicLen)
	n, err := io.ReadFull(decoder, magic)
	if err == io.ErrUnexpectedEOF && n > 0 {
		err = nil
	}
	return magic[:n], err
}

// A stored is the bytes of an input, unpacked.
type stored struct {
	io.ReaderAt
	io.Closer
	size int64
}

// open returns the bytes of the file, for which a packed one is unpacked first.
func (in *input) open(ctx context.Context, progress func(int64)) (*stored, error) {
	if in.packed {
		t, size, err := unpackFile(ctx, in.path, progress)
		if err != nil {
			return nil, err
		}
		return &stored{t, t, size}, nil
	}
	f, err := os.Open(in.path)
	if err != nil {
		return nil, err
	}
	return &stored{f, f, in.size}, nil
}
