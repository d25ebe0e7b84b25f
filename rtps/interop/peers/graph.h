// Prints the graph as a Cyclone DDS node sees it, until the peer ends:
//
//   info GID NODES                           a ParticipantEntitiesInfo, its gid in hex
//   node GID NAMESPACE NAME READERS WRITERS  each node of it
//   reader|writer GUID TOPIC TYPE DATA       an endpoint discovered, with its user data
//   shown                                    it has written one itself, of one node, since stdin had a line
#ifndef GRAPH_H
#define GRAPH_H

#include "dds/dds.h"
#include "peer.h"

// The option gid is the number of bytes in a gid of ros_discovery_info: 16 (Iron
// and later) or 24 (Humble).
void print_graph(dds_entity_t participant, struct options *o);

#endif
