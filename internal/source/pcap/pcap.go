// Package pcap reads capture files (pcap and pcapng, pcap also compressed by
// gzip) and listens to the RTPS in them without joining anything: the
// datagrams, the graph that discovery tells, what of each writer's samples is
// in the file, and what each reader got, lost and asked for again. A Source
// makes a timeline of it.
//
// Captures hold bytes of anyone: nothing in them makes the package panic, and
// what it keeps of them is bounded. Nothing here is safe for concurrent use.
//
// Missing are the order of instances of keyed topics, service calls of other
// vendors than Cyclone DDS, and what DDS security encrypts.
package pcap
