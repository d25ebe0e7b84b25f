// Prints the graph as a Cyclone DDS node sees it, until the peer ends:
//
//   info GID NODES                        a ParticipantEntitiesInfo, its gid in hex
//   node NAMESPACE NAME READERS WRITERS   each node of it
//   reader|writer GUID TOPIC TYPE DATA    an endpoint discovered, with its user data
#ifndef GRAPH_H
#define GRAPH_H

#include "dds/dds.h"

// gid is the number of bytes in a gid of ros_discovery_info: 16 (Iron and
// later) or 24 (Humble).
void print_graph(dds_entity_t participant, int gid);

#endif
