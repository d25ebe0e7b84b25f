package bag

import (
	"os"
	"path/filepath"
)

// A recording is the files that belong together, and what is said of them.
type recording struct {
	path   string
	inputs []*input  // in the order of metadata.yaml, else by name
	meta   *metadata // nil if there is none, or none that can be read

	renamed [][2]string // files that metadata.yaml names, and what is read for them
	found   findings    // made while looking
}

// name is the recording's name in findings.
func (rec *recording) name() string {
	if path, err := filepath.Abs(rec.path); err == nil {
		return filepath.Base(path)
	}
	return rec.path
}

// kind names what the recording is, after its storage.
func (rec *recording) kind() string {
	kind := "rosbag2"
	for _, in := range rec.inputs {
		if in.readable() {
			kind = in.format.String()
			break
		}
	}
	if kind == mcapFile.String() && rec.meta != nil {
		return "rosbag2-" + kind
	}
	return kind
}

// size returns the bytes of all files.
func (rec *recording) size() (n int64) {
	for _, in := range rec.inputs {
		n += in.size
	}
	return n
}

// findRecording finds the files of the recording at path.
func findRecording(path string) (recording, error) {
	info, err := os.Stat(path)
	if err != nil {
		return recording{}, err
	}
	if filepath.Base(path) == metadataName {
		path = filepath.Dir(path)
	} else if !info.IsDir() {
		in, err := lookAt(path)
		if err != nil {
			return recording{}, err
		}
		return recording{path: path, inputs: []*input{in}}, nil
	}
	return findDirectory(path)
}
