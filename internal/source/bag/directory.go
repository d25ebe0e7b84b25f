package bag

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/takt-rt/takt/timeline"
)

func findDirectory(dir string) (recording, error) {
	rec := recording{path: dir}
	present, err := bagFiles(dir)
	if err != nil {
		return rec, err
	}
	meta, err := readMetadata(filepath.Join(dir, metadataName))
	switch {
	case err == nil:
		rec.meta = meta
	case errors.Is(err, fs.ErrNotExist):
		rec.found.add("metadata-missing", timeline.Info, rec.name(), "ros2 bag reindex writes a new one",
			"the directory has no %s; what it holds, %s, is read in the order of the names", metadataName, number(len(present), "file"))
	default:
		rec.found.add("metadata-unreadable", timeline.Warning, metadataName, "ros2 bag reindex writes a new one",
			"%s %v; the files of the directory are read in the order of their names", metadataName, err)
	}
	if len(present) == 0 {
		return rec, rec.nothing()
	}
	rec.list(present)
	return rec, rec.look()
}

// nothing is the error of a directory without a file to read.
func (rec *recording) nothing() error {
	found := "holds no .db3 or .mcap file"
	if rec.meta != nil && len(rec.meta.Paths) > 0 {
		found = fmt.Sprintf("lacks the files that its %s names, such as %s", metadataName, rec.meta.Paths[0])
	}
	return notRecording(rec.path, found)
}

// list decides which file is which. A file that metadata.yaml names but that
// is not there by that name has probably been renamed: what is present without
// being named takes its place, in the order of names.
func (rec *recording) list(present []string) {
	claims, wanting := rec.claimed(&present)
	for _, in := range wanting {
		if len(present) == 0 {
			rec.found.lost("file-missing", in.name, "copy it into the directory from where it was recorded",
				"%s names %s, which is not there", metadataName, in.name)
			continue
		}
		rec.renamed = append(rec.renamed, [2]string{in.name, present[0]})
		in.name, in.missing = present[0], false
		present = present[1:]
	}
	rec.inputs = claims
	rec.tell(present)
	for _, name := range present {
		rec.inputs = append(rec.inputs, &input{name: name})
	}
	for i, in := range rec.inputs {
		in.path, in.number = filepath.Join(rec.path, in.name), uint32(i)
	}
}

// claimed returns the files that metadata.yaml names, and which of them are
// not there; those that are, it takes out of present.
func (rec *recording) claimed(present *[]string) (all, wanting []*input) {
	if rec.meta == nil {
		return nil, nil
	}
	for i, path := range rec.meta.Paths {
		in := &input{name: path, claim: rec.meta.claim(i)}
		all = append(all, in)
		// Up to version 3 paths began with the name of the directory.
		if base := filepath.Base(filepath.FromSlash(path)); !rec.has(path) && rec.has(base) {
			rec.renamed = append(rec.renamed, [2]string{path, base})
			in.name = base
		} else if !rec.has(path) {
			in.missing = true
			wanting = append(wanting, in)
		}
		*present = slices.DeleteFunc(*present, func(name string) bool { return name == in.name })
	}
	return all, wanting
}

// has reports whether there is a file of that name in the directory, not elsewhere.
func (rec *recording) has(name string) bool {
	if !filepath.IsLocal(name) {
		return false
	}
	info, err := os.Stat(filepath.Join(rec.path, name))
	return err == nil && info.Mode().IsRegular()
}

// tell adds what metadata.yaml is wrong about: names, and files that it does not name.
func (rec *recording) tell(extra []string) {
	if n := len(rec.renamed); n > 0 {
		rec.found.add(contradiction, timeline.Info, metadataName, "", "%s names %s not there under that name, such as %s, for which %s is read",
			metadataName, number(n, "file"), rec.renamed[0][0], rec.renamed[0][1])
	}
	if rec.meta != nil && len(extra) > 0 {
		rec.found.add(contradiction, timeline.Info, metadataName, "", "%s does not name %s of the directory, which are read too: %s",
			metadataName, number(len(extra), "file"), some(extra))
	}
}

// look opens every file to see what it is. Of several, some may be unreadable.
func (rec *recording) look() error {
	var problems []error
	for _, in := range rec.inputs {
		if in.missing {
			continue
		}
		if in.problem = in.look(); in.problem != nil {
			problems = append(problems, in.problem)
		}
	}
	if !slices.ContainsFunc(rec.inputs, (*input).readable) {
		return errors.Join(problems...)
	}
	return nil
}

// bagFiles returns the names of the storage files in a directory, in natural order.
func bagFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && hasBagName(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, naturalCompare)
	return names, nil
}

func hasBagName(name string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".zstd"), ".zst")
	return strings.HasSuffix(name, ".db3") || strings.HasSuffix(name, ".mcap")
}
