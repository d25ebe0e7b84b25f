// Package synth writes synthetic recordings: a schedule of messages becomes an
// MCAP file, a rosbag2 SQLite database or a whole bag with its metadata.yaml.
//
// It serves tests, examples and benchmarks. The Cases are schedules whose right
// figures have been worked out by hand and stand beside them.
package synth

import (
	"fmt"

	"github.com/takt-rt/takt/clock"
)

// A Message is one recorded message.
type Message struct {
	Topic string // one of the recording's topics
	// Receive is when the recorder took it. Publish is when it was published;
	// zero writes the receive time, as recorders do that do not know better.
	// A database has no place for it.
	Receive, Publish clock.Wall
	Sequence         uint32 // the publisher's number of the message; 0 where not noted. MCAP only.
	// Data is the serialized message. A sequence of messages may reuse its
	// memory: it is valid until the next message.
	Data []byte
}

// A Topic is what a recording notes of a topic.
type Topic struct {
	Name           string
	Type           string // such as sensor_msgs/msg/Imu
	SchemaEncoding string // "ros2msg", "ros2idl"; "" for no schema
	Schema         string // the definition, those it uses appended as rosbag2 does
	Offered        []QoS  // one for each publisher seen
}

// NewTopic returns a topic with its schema, if typ is one that Definition knows.
func NewTopic(name, typ string, offered ...QoS) Topic {
	t := Topic{Name: name, Type: typ, Offered: offered}
	if schema, ok := Definition(typ); ok {
		t.SchemaEncoding, t.Schema = "ros2msg", schema
	}
	return t
}

// A topicError reports a message on a topic that the recording does not list.
func topicError(m Message) error {
	return fmt.Errorf("synth: message on %q, which is none of the recording's topics; add it to them", m.Topic)
}
