package bag

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/takt-rt/takt/timeline"
)

// A recorder with rosbag2's preset "resilient" writes into a write-ahead log
// beside the database first. If it is killed the log stays, and with it what
// was recorded last. SQLite would merge the two when it opens them, writing
// both; so the log is laid over the database here, without writing.

// A walOverlay is a database with the pages of its log in their places.
type walOverlay struct {
	file  *stored
	log   *os.File
	pages map[uint32]int64 // where in the log the latest version of a page is
	page  int64            // size of a page
}

// addWAL returns the file of a database with its write-ahead log, if it has one.
func (in *input) addWAL(file *stored, found *findings) (*stored, error) {
	if in.packed {
		return file, nil
	}
	in.warnOfJournal(found)
	log, err := os.Open(in.path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	w := &walOverlay{file: file, log: log}
	size, err := w.index()
	if err != nil || size == 0 {
		return file, errors.Join(err, log.Close())
	}
	found.add("wal-read", timeline.Info, in.name, "",
		"%s-wal holds %d pages that the recorder had not yet put into the database; they are read in their places", in.name, len(w.pages))
	return &stored{w, w, size}, nil
}

// Lengths in a write-ahead log (SQLite database file format, 4.1).
const (
	walHead   = 32
	frameHead = 24
)

// index finds the pages of the transactions in the log that were completed,
// and returns the size of the database after them; 0 if there is none.
//
//	head:  magic 4 | version 4 | page size 4 | checkpoint 4 | salt 8 | checksum 8
//	frame: page 4 | size in pages after a commit, else 0: 4 | salt 8 | checksum 8 | the page
//
// What comes first with the wrong salt or checksum ends the log: it is left
// from before, or was not written to its end.
func (w *walOverlay) index() (size int64, err error) {
	log := bufio.NewReaderSize(w.log, 1<<16)
	head := make([]byte, walHead)
	if _, err := io.ReadFull(log, head); err != nil {
		return 0, ignoreEOF(err)
	}
	sum, ok := newWALSum(head)
	if !ok {
		return 0, nil
	}
	w.page = int64(binary.BigEndian.Uint32(head[8:]))
	w.pages = make(map[uint32]int64)
	frame, pending := make([]byte, frameHead+w.page), make(map[uint32]int64)
	for at := int64(walHead); ; at += int64(len(frame)) {
		if _, err := io.ReadFull(log, frame); err != nil {
			return size, ignoreEOF(err)
		}
		if string(frame[8:16]) != string(head[16:24]) || !sum.frame(frame) {
			return size, nil
		}
		pending[binary.BigEndian.Uint32(frame)] = at + frameHead
		if after := binary.BigEndian.Uint32(frame[4:]); after > 0 {
			size = w.page * int64(after)
			for page, at := range pending {
				w.pages[page] = at
			}
			clear(pending)
		}
	}
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return fmt.Errorf("reading a write-ahead log: %w", err)
}

// A walSum is the running checksum of a log.
type walSum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

// newWALSum starts the checksum with the head of a log, and checks that.
func newWALSum(head []byte) (s walSum, ok bool) {
	switch binary.BigEndian.Uint32(head) {
	case 0x377f0682:
		s.order = binary.LittleEndian
	case 0x377f0683:
		s.order = binary.BigEndian
	default:
		return s, false
	}
	page := binary.BigEndian.Uint32(head[8:])
	if page < 512 || page > 65536 || page&(page-1) != 0 {
		return s, false
	}
	s.add(head[:24])
	return s, s.is(head[24:])
}

func (s *walSum) frame(frame []byte) bool {
	s.add(frame[:8])
	s.add(frame[frameHead:])
	return s.is(frame[16:])
}

func (s *walSum) add(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		s.s0 += s.order.Uint32(b) + s.s1
		s.s1 += s.order.Uint32(b[4:]) + s.s0
	}
}

func (s *walSum) is(b []byte) bool {
	return s.s0 == binary.BigEndian.Uint32(b) && s.s1 == binary.BigEndian.Uint32(b[4:])
}

// ReadAt reads the database as it is with the log. SQLite reads no further
// than to the end of a page.
func (w *walOverlay) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && err == nil {
		page, within := at/w.page, at%w.page
		part := p[n:min(len(p), n+int(w.page-within))]
		var k int
		if place, ok := w.pages[uint32(page+1)]; ok {
			k, err = w.log.ReadAt(part, place+within)
		} else {
			k, err = w.file.ReadAt(part, at)
		}
		n, at = n+k, at+int64(k)
		if k == len(part) {
			err = nil
		}
	}
	return n, err
}

func (w *walOverlay) Close() error {
	return errors.Join(w.log.Close(), w.file.Close())
}

// warnOfJournal says that the recorder was stopped while it wrote.
func (in *input) warnOfJournal(found *findings) {
	if info, err := os.Stat(in.path + "-journal"); err == nil && info.Size() > 0 {
		found.add("hot-journal", timeline.Warning, in.name, "open a copy of both files with sqlite3 once, and read that",
			"%s-journal is there: the recorder was stopped while it wrote, and what it wrote last may be incomplete", in.name)
	}
}
