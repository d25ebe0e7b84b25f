package synth

import (
	"fmt"
	"math"
	"strings"
)

// metadata returns the metadata.yaml of the bag, version 9 of rosbag2_storage's
// BagMetadata, in the order and with the spelling of its writer.
func (b *bag) metadata() string {
	all := b.whole()
	var y strings.Builder
	fmt.Fprintf(&y, `rosbag2_bagfile_information:
  version: 9
  storage_identifier: %s
  duration:
    nanoseconds: %d
  starting_time:
    nanoseconds_since_epoch: %d
  message_count: %d
  topics_with_message_count:
`, choose(b.opt.SQLite, "sqlite3", "mcap"), all.last-all.first, all.start(), all.messages)
	for _, t := range b.topics {
		fmt.Fprintf(&y, `    - topic_metadata:
        name: %s
        type: %s
        serialization_format: cdr
        offered_qos_profiles:%s
        type_description_hash: ""
      message_count: %d
`, t.Name, t.Type, indent(profiles(t.Offered), "          "), b.counts[t.Name])
	}
	y.WriteString("  compression_format: \"\"\n  compression_mode: \"\"\n  relative_file_paths:\n")
	for _, f := range b.files {
		fmt.Fprintf(&y, "    - %s\n", f.name)
	}
	y.WriteString("  files:\n")
	for _, f := range b.files {
		fmt.Fprintf(&y, `    - path: %s
      starting_time:
        nanoseconds_since_epoch: %d
      duration:
        nanoseconds: %d
      message_count: %d
`, f.name, f.start(), f.last-f.first, f.messages)
	}
	y.WriteString("  custom_data: ~\n  ros_distro: " + distro)
	return y.String()
}

func (b *bag) whole() (all bagFile) {
	for _, f := range b.files {
		if f.messages > 0 {
			n := all.messages
			all.add(f.first)
			all.add(f.last)
			all.messages = n + f.messages
		}
	}
	return all
}

// start returns the first receive time, or what rosbag2 writes when there is none.
func (f bagFile) start() int64 {
	if f.messages == 0 {
		return math.MaxInt64
	}
	return int64(f.first)
}

// indent returns text as the block value of a key, or as an empty list.
func indent(text, by string) string {
	if text == "" {
		return " []"
	}
	return "\n" + by + strings.ReplaceAll(text, "\n", "\n"+by)
}
