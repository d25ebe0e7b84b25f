// Package ros is the meaning that ROS 2 gives to DDS. A Node joins a graph, as
// a node of its own or as an observer, knows the others, and publishes and
// subscribes (Publish, Subscribe, or payloads by Node.NewWriter and NewReader).
// The rest needs no sockets:
//
//   - names of topics, services, actions and types, to DDS and back;
//   - the QoS profiles, in terms of package qos;
//   - type hashes (RIHS01), parsed, written and computed from a description;
//   - the user data in which ROS hides an enclave or a type hash;
//   - the environment variables that say where nodes look for each other, and
//     why nothing may be seen (WhyNothing);
//   - messages as Go structs, and the type of any other that is one (TypeOf);
//   - the Graph of nodes and topics, from discovery and ros_discovery_info, and
//     what in it does not fit together;
//   - the endpoints to make for a topic's name, type and QoS.
//
// The stamp of a message whose type is known by name alone is read by package
// rosmsg.
//
// What is parsed here comes from foreign peers and may be anything: a name
// that is not of ROS is told apart, never an error.
package ros
