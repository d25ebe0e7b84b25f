package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// An htmlFile is the flag --html: the file that a report is written to as a
// page that stands alone, beside what goes to standard output.
type htmlFile struct{ name string }

func (f *htmlFile) flag(c *cobra.Command) {
	c.Flags().StringVar(&f.name, "html", "", "write the report as a page to the `FILE` too: charts, no scripts, nothing from the network")
}

// wanted reports whether the flag was given.
func (f *htmlFile) wanted() bool { return f.name != "" }

// write writes the page, if it is wanted. A page that is there already is
// replaced as a whole, so that a reader never sees half of one.
func (f *htmlFile) write(page func(io.Writer) error) error {
	if !f.wanted() {
		return nil
	}
	var b bytes.Buffer
	if err := page(&b); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	if err := replaceFile(f.name, b.Bytes()); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}

// replaceFile writes beside the file and then takes its name, all or nothing.
// What is no regular file, such as a device or a link, is written to as it is.
func replaceFile(name string, data []byte) error {
	if old, err := os.Lstat(name); err == nil && !old.Mode().IsRegular() {
		return os.WriteFile(name, data, 0o666)
	}
	beside := fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	f, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(beside, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(beside))
	}
	return nil
}
