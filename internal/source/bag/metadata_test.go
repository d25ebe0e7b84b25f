package bag

import (
	"os"
	"path/filepath"
	"testing"
)

func TestParseMetadata(t *testing.T) {
	m, err := parseMetadata([]byte(`
rosbag2_bagfile_information:
  version: 9
  storage_identifier: mcap
  duration: {nanoseconds: 5}
  starting_time: {nanoseconds_since_epoch: 100}
  message_count: 3
  topics_with_message_count:
    - topic_metadata:
        name: /a
        type: std_msgs/String
        serialization_format: cdr
        offered_qos_profiles:
          - history: unknown
            durability: transient_local
          - durability: volatile
        something_of_version_10: [1, 2]
      message_count: 2
    - topic_metadata: {name: /b, type: x/msg/Y, serialization_format: cdr, offered_qos_profiles: ""}
      message_count: 1
  relative_file_paths: [a.mcap, b.mcap]
  files:
    - {path: a.mcap, starting_time: {nanoseconds_since_epoch: 100}, duration: {nanoseconds: 2}, message_count: 2}
    - {path: b.mcap, starting_time: {nanoseconds_since_epoch: 105}, duration: {nanoseconds: -1}, message_count: 1}
  custom_data: ~
`))
	if err != nil {
		t.Fatal(err)
	}
	if m.Start.NS != 100 || m.Duration.NS != 5 || m.Messages != 3 || len(m.Topics) != 2 {
		t.Errorf("%+v", m)
	}
	if a := m.Topics[0]; a.Topic.QoS != (offeredQoS{2, true}) || a.Messages != 2 || a.Topic.Format != "cdr" {
		t.Errorf("%+v", a)
	}
	if a, b := m.claim(0), m.claim(1); a.end() != 102 || b.end() != 105 {
		t.Errorf("%+v, %+v", a, b)
	}
}

func TestParseMetadataRefuses(t *testing.T) {
	for _, text := range []string{
		"", "a: b", "{", "rosbag2_bagfile_information: 7",
		"rosbag2_bagfile_information: {message_count: many}",
		"rosbag2_bagfile_information:\n  message_count: 1\n  topics_with_message_count:\n    !!!!- topic_metadata:\n", // panicked
	} {
		if m, err := parseMetadata([]byte(text)); err == nil {
			t.Errorf("%q: %+v", text, m)
		}
	}
}

// Offered QoS as in the recordings: counted by hand from their metadata.yaml.
func TestOfferedQoSOfRecordings(t *testing.T) {
	type want struct {
		path, topic string
		publishers  int
		latched     bool
	}
	for _, w := range []want{
		{"rosbag2/mcap-jazzy-simstamps", "/joint_states", 1, true},
		{"rosbag2/mcap-jazzy-simstamps", "/imu/data", 1, false},
		{"rosbag2/split-message-zstd", "/rosout", 2, true},
		{"rosbag2/split-message-zstd", "/parameter_events", 2, false},
		{"rosbag2/split-message-zstd", "/topic", 0, false},
		{"rosbag2/gz-galactic-meta4", "/rosout", 3, true},
		{"rosbag2/gz-galactic-meta4", "/clock", 0, false},
		{"rosbag2/wall-stamps-25hz", "/imu", 0, false},
		{"edge-cases/zero-timestamp-mcap", "a_empty", 2, true},
		{"rosbag2/service-events-mcap/bag_with_topics_and_service_events.mcap", "/test_topic1", 1, false},
		{"rosbag2/turtlesim-two-topics/subset_0.db3", "/turtle1/pose", 1, false},
	} {
		c, _ := read(t, w.path, Options{TimesOnly: true})
		if e, _ := c.topic(w.topic); e.Publishers != w.publishers || e.TransientLocal != w.latched {
			t.Errorf("%+v: %+v", w, e)
		}
	}
}

func FuzzMetadata(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join(recordings, "*/*", metadataName))
	if err != nil || len(paths) == 0 {
		f.Fatal("no metadata to start from", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseMetadata(text)
		if err != nil {
			return
		}
		for i := range m.Paths {
			if c := m.claim(i); c != nil {
				c.end()
			}
		}
	})
}
