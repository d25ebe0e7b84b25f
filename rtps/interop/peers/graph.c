#include "graph.h"

#include "graph16.h"
#include "graph24.h"

static void hex(char *to, const uint8_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) sprintf(to + 2 * i, "%02x", b[i]);
}

static void print_info16(const graph16_Info *m) {
  char gid[33];
  hex(gid, m->gid.data, 16);
  say("info %s %" PRIu32, gid, m->nodes._length);
  for (uint32_t i = 0; i < m->nodes._length; i++) {
    const graph16_Node *n = &m->nodes._buffer[i];
    say("node %s %s %s %" PRIu32 " %" PRIu32, gid, n->ns, n->name, n->readers._length, n->writers._length);
  }
}

static void print_info24(const graph24_Info *m) {
  char gid[49];
  hex(gid, m->gid.data, 24);
  say("info %s %" PRIu32, gid, m->nodes._length);
  for (uint32_t i = 0; i < m->nodes._length; i++) {
    const graph24_Node *n = &m->nodes._buffer[i];
    say("node %s %s %s %" PRIu32 " %" PRIu32, gid, n->ns, n->name, n->readers._length, n->writers._length);
  }
}

static void print_endpoint(const char *kind, const dds_builtintopic_endpoint_t *e) {
  char guid[33];
  void *data = NULL;
  size_t n = 0;
  hex(guid, e->key.v, 16);
  dds_qget_userdata(e->qos, &data, &n);
  say("%s %s %s %s %.*s", kind, guid, e->topic_name, e->type_name, (int)n, data ? (const char *)data : "");
  dds_free(data);
}

enum kind { WRITERS, READERS, INFO16, INFO24 };

static void drain(dds_entity_t reader, enum kind kind) {
  void *sample = NULL;
  dds_sample_info_t info;
  while (dds_take(reader, &sample, &info, 1, 1) > 0) {
    if (info.valid_data) switch (kind) {
        case WRITERS: print_endpoint("writer", sample); break;
        case READERS: print_endpoint("reader", sample); break;
        case INFO16: print_info16(sample); break;
        case INFO24: print_info24(sample); break;
      }
    dds_return_loan(reader, &sample, 1);
    sample = NULL;
  }
}

static dds_entity_t info_topic(dds_entity_t participant, int gid) {
  dds_topic_descriptor_t d = gid == 24 ? graph24_Info_desc : graph16_Info_desc;
  d.m_typename = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
  return dds_create_topic(participant, &d, "ros_discovery_info", NULL, NULL);
}

static dds_qos_t *info_qos(dds_history_kind_t history) {
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_durability(q, DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_qset_history(q, history, 1);
  return q;
}

// Writes that the participant has one node, /peer, which has no endpoints.
static void show(dds_entity_t participant, dds_entity_t topic, int gid) {
  dds_entity_t writer = dds_create_writer(participant, topic, info_qos(DDS_HISTORY_KEEP_LAST), NULL);
  dds_guid_t guid;
  if (writer < 0 || dds_get_guid(participant, &guid) < 0) fail("graph", "no writer for it");
  char ns[] = "/", name[] = "peer";
  dds_return_t rc;
  if (gid == 24) {
    graph24_Node node = {.ns = ns, .name = name};
    graph24_Info m = {.nodes = {1, 1, &node, false}};
    memcpy(m.gid.data, guid.v, sizeof guid.v);
    rc = dds_write(writer, &m);
  } else {
    graph16_Node node = {.ns = ns, .name = name};
    graph16_Info m = {.nodes = {1, 1, &node, false}};
    memcpy(m.gid.data, guid.v, sizeof guid.v);
    rc = dds_write(writer, &m);
  }
  if (rc < 0) fail("graph", dds_strretcode(-rc));
  say("shown");
}

void print_graph(dds_entity_t participant, struct options *o) {
  int gid = o->gid;
  dds_entity_t topic = info_topic(participant, gid);
  dds_entity_t info = dds_create_reader(participant, topic, info_qos(DDS_HISTORY_KEEP_ALL), NULL);
  dds_entity_t writers = dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL);
  dds_entity_t readers = dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL);
  if (info < 0 || writers < 0 || readers < 0) fail("graph", "no reader for it");
  say("ready");
  begin(o); // here: what peer.h notes of stdin is known to this file alone
  bool shown = false;
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (uint32_t i = 0; wait_due(start, i, 100); i++) {
    drain(writers, WRITERS);
    drain(readers, READERS);
    drain(info, gid == 24 ? INFO24 : INFO16);
    if (shown || !is_marked(&peer_told)) continue;
    show(participant, topic, gid);
    shown = true;
  }
}
