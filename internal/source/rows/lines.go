package rows

import (
	"bufio"
	"bytes"
	"io"
)

// longest is how long a line may be, in bytes.
const longest = 64 << 10

// bom begins text files that some editors write.
var bom = []byte("\ufeff")

// lines reads a text line by line, in bounded memory.
type lines struct {
	r     *bufio.Reader
	n     int  // of the line last read, from 1
	ended bool // unless the file ended before that line did
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, longest)} }

// next returns the next line that is not blank, without the space around it.
// It is valid until the next call. The error is io.EOF after the last line, or
// an *Error for a line that is too long.
func (l *lines) next() ([]byte, error) {
	for {
		line, err := l.r.ReadSlice('\n')
		if len(line) == 0 && err != nil {
			return nil, err
		}
		l.n++
		l.ended = err != io.EOF
		switch {
		case err == bufio.ErrBufferFull:
			return nil, &Error{Problem: "the line is longer than 64 KiB", Remedy: "write one row on each line"}
		case err != nil && err != io.EOF:
			return nil, err
		case l.n == 1:
			line = bytes.TrimPrefix(line, bom)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}
