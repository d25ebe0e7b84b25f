package file

import (
	"errors"
	"fmt"
	"io"
)

// An input tells a reader that failed from a file that ended.
type input struct {
	r   io.Reader
	err error // the first that is not the end
}

func (in *input) Read(p []byte) (int, error) {
	n, err := in.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && in.err == nil {
		in.err = err
	}
	return n, err
}

// orElse returns the error of the reader, or else err.
func (in *input) orElse(err error) error {
	if in.err != nil {
		return fmt.Errorf("reading the timeline: %w", in.err)
	}
	return err
}
