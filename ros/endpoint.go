package ros

import (
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

// MessageEndpoint returns the writer or reader of a topic by its full name,
// such as /chatter, for a ROS type. The hash of the type may be unknown, zero.
func MessageEndpoint(topic, typeName string, h TypeHash, p qos.Policies) (rtps.EndpointConfig, error) {
	if err := CheckTopicName(topic); err != nil {
		return rtps.EndpointConfig{}, err
	}
	dds, err := DDSType(typeName)
	if err != nil {
		return rtps.EndpointConfig{}, err
	}
	if err := p.Check(); err != nil {
		return rtps.EndpointConfig{}, err
	}
	return rtps.EndpointConfig{Topic: Topic{Message, topic}.DDS(), Type: dds, QoS: p, UserData: EndpointUserData(h)}, nil
}

// TypedEndpoint returns the writer or reader of a topic for messages that are
// Go structs.
func TypedEndpoint[T Typed](topic string, p qos.Policies) (rtps.EndpointConfig, error) {
	t, err := TypeOf[T]()
	if err != nil {
		return rtps.EndpointConfig{}, err
	}
	return MessageEndpoint(topic, t.Name, t.Hash, p)
}

// DiscoveryReader returns the reader of ros_discovery_info. Its user data have
// no type hash, since it reads both forms: a hash would claim Iron or later,
// and keep others from writing for Humble.
func DiscoveryReader() rtps.EndpointConfig {
	return discovery(DiscoveryReaderQoS(), TypeHash{})
}

// DiscoveryWriter returns the writer of ros_discovery_info, for a form that
// FormToPublish returned. From Iron on its user data have the hash of the type.
func DiscoveryWriter(form GidForm) rtps.EndpointConfig {
	var h TypeHash
	if form == ShortForm {
		h, _ = KnownTypeHash(Entities{}.ROSType())
	}
	return discovery(DiscoveryWriterQoS(), h)
}

func discovery(p qos.Policies, h TypeHash) rtps.EndpointConfig {
	dds, _ := DDSType(Entities{}.ROSType()) // a test reads it
	return rtps.EndpointConfig{Topic: DiscoveryTopic, Type: dds, QoS: p, UserData: EndpointUserData(h)}
}
