// A peer of Eclipse Cyclone DDS, on loopback alone. See peer.h.
#include "peer.h"

#include "dds/dds.h"
#include "dds/version.h"
#include "graph.h"
#include "samples.h"

// A domain that knows no interface but lo.
static dds_entity_t loopback(const struct options *o) {
  static char config[1024];
  int n = snprintf(config, sizeof config,
      "<General><Interfaces><NetworkInterface name=\"lo\"/></Interfaces><AllowMulticast>false</AllowMulticast></General>"
      "<Discovery><Peers><Peer Address=\"localhost\"/></Peers><ParticipantIndex>auto</ParticipantIndex>"
      "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>");
  if (o->participant_lease_ms)
    n += snprintf(config + n, sizeof config - (size_t)n, "<LeaseDuration>%dms</LeaseDuration><SPDPInterval>%dms</SPDPInterval>",
                  o->participant_lease_ms, o->participant_lease_ms / 4);
  n += snprintf(config + n, sizeof config - (size_t)n, "</Discovery>");
  if (o->receive_buffer)
    snprintf(config + n, sizeof config - (size_t)n, "<Internal><SocketReceiveBufferSize max=\"%" PRIu32 "B\"/></Internal>",
             o->receive_buffer);
  return dds_create_domain((dds_domainid_t)o->domain, config);
}

struct endpoint {
  const struct options *o;
  dds_entity_t entity;
};

static dds_entity_t check(const char *what, dds_entity_t e) {
  if (e < 0) fail(what, dds_strretcode(-e));
  return e;
}

static const dds_topic_descriptor_t *descriptor(enum form f) {
  switch (f) {
    case CLOCK: return &samples_Clock_desc;
    case TEXT: return &samples_Text_desc;
    default: return &samples_Blob_desc;
  }
}

static dds_duration_t duration(int ms) { return ms ? DDS_MSECS(ms) : DDS_INFINITY; }

static dds_liveliness_kind_t liveliness(const char *kind) {
  if (strcmp(kind, "participant") == 0) return DDS_LIVELINESS_MANUAL_BY_PARTICIPANT;
  if (strcmp(kind, "topic") == 0) return DDS_LIVELINESS_MANUAL_BY_TOPIC;
  return DDS_LIVELINESS_AUTOMATIC;
}

static dds_qos_t *qos_of(const struct options *o) {
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, o->reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_SECS(30));
  dds_qset_durability(q, o->transient_local ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_qset_history(q, o->depth ? DDS_HISTORY_KEEP_LAST : DDS_HISTORY_KEEP_ALL, o->depth);
  dds_qset_durability_service(q, 0, o->depth ? DDS_HISTORY_KEEP_LAST : DDS_HISTORY_KEEP_ALL, o->depth,
                              DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  dds_qset_deadline(q, duration(o->deadline_ms));
  dds_qset_liveliness(q, liveliness(o->liveliness), duration(o->lease_ms));
  dds_qset_userdata(q, o->user_data, strlen(o->user_data));
  return q;
}

static void take_one(const struct options *o, void *sample) {
  uint32_t seq = 0;
  switch (o->form) {
    case CLOCK: {
      samples_Clock *s = sample;
      seq = clock_seq(s->sec, s->nanosec);
      received(o, seq, 12, s->sec == clock_sec(seq) && s->nanosec == clock_nanosec(seq));
      break;
    }
    case TEXT: {
      samples_Text *s = sample;
      bool right = sscanf(s->data, TEXT_PARSE, &seq) == 1;
      received(o, seq, 8 + (uint32_t)strlen(s->data) + 1, right);
      break;
    }
    case BLOB: {
      samples_Blob *s = sample;
      received(o, s->seq, 12 + s->data._length, blob_right(s->data._buffer, s->data._length, s->seq));
      break;
    }
  }
}

static void on_data(dds_entity_t reader, void *arg) {
  void *sample = NULL;
  dds_sample_info_t info;
  while (dds_take(reader, &sample, &info, 1, 1) > 0) {
    if (info.valid_data) take_one(arg, sample);
    dds_return_loan(reader, &sample, 1);
    sample = NULL;
  }
}

static void on_publication_matched(dds_entity_t e, const dds_publication_matched_status_t s, void *arg) {
  (void)e, (void)arg;
  matched_now((int)s.current_count, s.current_count_change);
}

static void on_subscription_matched(dds_entity_t e, const dds_subscription_matched_status_t s, void *arg) {
  (void)e, (void)arg;
  matched_now((int)s.current_count, s.current_count_change);
}

static void on_offered_incompatible(dds_entity_t e, const dds_offered_incompatible_qos_status_t s, void *arg) {
  (void)e, (void)arg;
  say("incompatible %" PRIu32, s.last_policy_id);
}

static void on_requested_incompatible(dds_entity_t e, const dds_requested_incompatible_qos_status_t s, void *arg) {
  (void)e, (void)arg;
  say("incompatible %" PRIu32, s.last_policy_id);
}

static void on_offered_deadline(dds_entity_t e, const dds_offered_deadline_missed_status_t s, void *arg) {
  (void)e, (void)arg;
  say("deadline %" PRIu32, s.total_count);
}

static void on_requested_deadline(dds_entity_t e, const dds_requested_deadline_missed_status_t s, void *arg) {
  (void)e, (void)arg;
  say("deadline %" PRIu32, s.total_count);
}

static void on_sample_lost(dds_entity_t e, const dds_sample_lost_status_t s, void *arg) {
  (void)e, (void)arg;
  say("lost %" PRIu32, s.total_count);
}

static void on_sample_rejected(dds_entity_t e, const dds_sample_rejected_status_t s, void *arg) {
  (void)e, (void)arg;
  say("rejected %" PRIu32, s.total_count);
}

static void on_liveliness_changed(dds_entity_t e, const dds_liveliness_changed_status_t s, void *arg) {
  (void)e, (void)arg;
  say("liveliness %" PRIu32 " %" PRIu32, s.alive_count, s.not_alive_count);
}

static void on_liveliness_lost(dds_entity_t e, const dds_liveliness_lost_status_t s, void *arg) {
  (void)e, (void)arg;
  say("liveliness-lost %" PRIu32, s.total_count);
}

static dds_listener_t *listener(struct options *o) {
  dds_listener_t *l = dds_create_listener(o);
  dds_lset_data_available(l, on_data);
  dds_lset_publication_matched(l, on_publication_matched);
  dds_lset_subscription_matched(l, on_subscription_matched);
  dds_lset_offered_incompatible_qos(l, on_offered_incompatible);
  dds_lset_requested_incompatible_qos(l, on_requested_incompatible);
  dds_lset_offered_deadline_missed(l, on_offered_deadline);
  dds_lset_requested_deadline_missed(l, on_requested_deadline);
  dds_lset_sample_lost(l, on_sample_lost);
  dds_lset_sample_rejected(l, on_sample_rejected);
  dds_lset_liveliness_changed(l, on_liveliness_changed);
  dds_lset_liveliness_lost(l, on_liveliness_lost);
  return l;
}

static const char *write_one(void *arg, uint32_t seq) {
  struct endpoint *w = arg;
  dds_return_t rc = 0;
  switch (w->o->form) {
    case CLOCK: {
      samples_Clock s = {clock_sec(seq), clock_nanosec(seq)};
      rc = dds_write(w->entity, &s);
      break;
    }
    case TEXT: {
      char text[32];
      snprintf(text, sizeof text, TEXT_FORMAT, seq);
      samples_Text s = {text};
      rc = dds_write(w->entity, &s);
      break;
    }
    case BLOB: {
      static uint8_t *body;
      uint32_t n = blob_size(w->o, seq) - 12;
      if (!body) body = malloc(w->o->size);
      blob_fill(body, n, seq);
      samples_Blob s = {seq, {n, n, body, false}};
      rc = dds_write(w->entity, &s);
      break;
    }
  }
  return rc < 0 ? dds_strretcode(-rc) : NULL;
}

static bool all_acked(void *arg) {
  struct endpoint *w = arg;
  return dds_wait_for_acks(w->entity, DDS_SECS(30)) == 0;
}

// of_ros returns the policies of a participant of ROS nodes without security.
static dds_qos_t *of_ros(void) {
  dds_qos_t *q = dds_create_qos();
  dds_qset_userdata(q, "enclave=/;", strlen("enclave=/;"));
  return q;
}

int main(int argc, char **argv) {
  struct options o = parse(argc, argv);
  if (strcmp(o.role, "version") == 0) {
    say(DDS_VERSION);
    return 0;
  }
  if (o.shared_memory) fail("--shared-memory", "Cyclone DDS has none of its own");
  check("domain", loopback(&o));
  bool graph = strcmp(o.role, "graph") == 0;
  dds_entity_t participant = check("participant", dds_create_participant((dds_domainid_t)o.domain, graph ? of_ros() : NULL, NULL));
  if (graph) {
    print_graph(participant, &o);
  } else {
    begin(&o);
    dds_topic_descriptor_t d = *descriptor(o.form);
    d.m_typename = o.type;
    dds_entity_t topic = check("topic", dds_create_topic(participant, &d, o.topic, NULL, NULL));
    if (strcmp(o.role, "pub") == 0) {
      struct endpoint w = {&o, check("writer", dds_create_writer(participant, topic, qos_of(&o), listener(&o)))};
      say("ready");
      publish(&o, write_one, all_acked, &w);
    } else {
      check("reader", dds_create_reader(participant, topic, qos_of(&o), listener(&o)));
      say("ready");
    }
    wait_stopped();
  }
  dds_delete(DDS_CYCLONEDDS_HANDLE);
  return 0;
}
