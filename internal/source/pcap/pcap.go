// Package pcap reads capture files (pcap and pcapng, also compressed by gzip)
// and listens to the RTPS in them without joining anything: the datagrams, the
// graph that discovery tells, and what of each writer's samples is in the file.
//
// Captures hold bytes of anyone: nothing in them makes the package panic, and
// what it keeps of them is bounded. Nothing here is safe for concurrent use.
package pcap
