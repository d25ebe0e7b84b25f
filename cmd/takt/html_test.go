package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func write(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestHTMLFileReplacesAsAWhole(t *testing.T) {
	dir := t.TempDir()
	f := &htmlFile{name: filepath.Join(dir, "report.html")}
	wantFile := func(want string) {
		t.Helper()
		got, err := os.ReadFile(f.name)
		if err != nil || string(got) != want {
			t.Errorf("the file has %q, %v; want %q", got, err, want)
		}
	}
	for _, text := range []string{"first", "second, longer", "3"} {
		if err := f.write(write(text)); err != nil {
			t.Fatal(err)
		}
		wantFile(text)
	}
	failed := errors.New("cannot")
	if err := f.write(func(io.Writer) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("error %v, want %v", err, failed)
	}
	wantFile("3")
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left, want the page alone", len(left))
	}
}

// A link keeps leading to its file, and a directory is no file.
func TestHTMLFileThatIsNone(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("this system has no links: %v", err)
	}
	if err := (&htmlFile{name: link}).write(write("page")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(target); err != nil || string(got) != "page" {
		t.Errorf("the link's file has %q, %v", got, err)
	}
	if err := (&htmlFile{name: dir}).write(write("page")); err == nil {
		t.Error("a directory was written to")
	}
}

func TestHTMLFileNotWanted(t *testing.T) {
	if err := (&htmlFile{}).write(func(io.Writer) error { return errors.New("asked for") }); err != nil {
		t.Error(err)
	}
}
