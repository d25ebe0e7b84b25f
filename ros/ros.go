// Package ros is the meaning that ROS 2 gives to DDS. So far it holds what
// needs neither sockets nor RTPS:
//
//   - names of topics, services, actions and types, to DDS and back;
//   - the QoS profiles, in terms of package qos;
//   - type hashes (RIHS01), parsed, written and computed from a description;
//   - the user data in which ROS hides an enclave or a type hash;
//   - the environment variables that say where nodes look for each other.
//
// What is parsed here comes from foreign peers and may be anything: a name
// that is not of ROS is told apart, never an error.
package ros
