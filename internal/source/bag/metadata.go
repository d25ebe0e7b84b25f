package bag

import (
	"errors"
	"fmt"
	"os"

	"github.com/goccy/go-yaml"
)

// metadataName is the file that a rosbag2 directory is described by.
const metadataName = "metadata.yaml"

// maxMetadata is the largest metadata.yaml read, in bytes. A topic takes about
// one kilobyte, an offered QoS profile half of that.
const maxMetadata = 16 << 20

// A metadata is what metadata.yaml, of any version from 1 to 9, claims, as far
// as takt needs it; compression is seen in the data. The versions differ in
// which fields there are; what is absent is zero. None of it is trusted:
// recordings are renamed, reindexed and edited.
type metadata struct {
	Start    nanosSince   `yaml:"starting_time"`
	Duration nanoseconds  `yaml:"duration"`
	Messages int64        `yaml:"message_count"`
	Topics   []topicClaim `yaml:"topics_with_message_count"`
	Paths    []string     `yaml:"relative_file_paths"`
	Files    []fileClaim  `yaml:"files"` // from version 5
}

// A topicClaim is what metadata.yaml says of one topic.
type topicClaim struct {
	Topic struct {
		Name   string     `yaml:"name"`
		Type   string     `yaml:"type"`
		Format string     `yaml:"serialization_format"`
		QoS    offeredQoS `yaml:"offered_qos_profiles"` // from version 4
	} `yaml:"topic_metadata"`
	Messages int64 `yaml:"message_count"`
}

// A fileClaim is what metadata.yaml says of one file.
type fileClaim struct {
	Path     string      `yaml:"path"`
	Start    nanosSince  `yaml:"starting_time"`
	Duration nanoseconds `yaml:"duration"`
	Messages int64       `yaml:"message_count"`
}

// The wrappers that metadata.yaml writes around its times.
type (
	nanosSince struct {
		NS int64 `yaml:"nanoseconds_since_epoch"`
	}
	nanoseconds struct {
		NS int64 `yaml:"nanoseconds"`
	}
)

// end returns the last instant that the file is said to hold.
func (f *fileClaim) end() int64 { return f.Start.NS + max(0, f.Duration.NS) }

// claim returns what is said of the file that Paths names i-th, or nil.
func (m *metadata) claim(i int) *fileClaim {
	if len(m.Files) != len(m.Paths) {
		return nil
	}
	return &m.Files[i]
}

// readMetadata reads a metadata.yaml; the error of a missing one is os.ErrNotExist.
func readMetadata(path string) (*metadata, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxMetadata {
		return nil, fmt.Errorf("%d bytes are too many; at most %d are read", info.Size(), maxMetadata)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseMetadata(text)
}

// parseMetadata reads the text of a metadata.yaml. Keys that it does not know are skipped.
func parseMetadata(text []byte) (*metadata, error) {
	var doc struct {
		Info *metadata `yaml:"rosbag2_bagfile_information"`
	}
	err := guarded(func() error { return yaml.Unmarshal(text, &doc) })
	if err != nil {
		return nil, fmt.Errorf("is no YAML that a recorder writes: %s", yaml.FormatError(err, false, false))
	}
	if doc.Info == nil {
		return nil, errors.New("has no rosbag2_bagfile_information")
	}
	return doc.Info, nil
}

// guarded makes an error of a panic: go-yaml 1.19 has some for malformed
// texts, such as a list with a tag where none can be.
func guarded(parse func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the text is malformed (%v)", r)
		}
	}()
	return parse()
}
