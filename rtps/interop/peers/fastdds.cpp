// A peer of eProsima Fast DDS, on loopback alone. See peer.h.
#include "peer.h"

#include <fastdds/dds/core/policy/QosPolicies.hpp>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastdds/rtps/transport/shared_mem/SharedMemTransportDescriptor.h>
#include <fastrtps/config.h>
#include <fastrtps/utils/IPLocator.h>

#include <memory>
#include <vector>

using namespace eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastdds::rtps::SharedMemTransportDescriptor;
using eprosima::fastdds::rtps::UDPv4TransportDescriptor;
using eprosima::fastrtps::Duration_t;

namespace {

using Bytes = std::vector<uint8_t>; // a payload with its encapsulation header

// The type of every topic: its samples are bytes on the wire, keyless.
class Raw : public TopicDataType {
 public:
  Raw(const char* name, uint32_t size) {
    setName(name);
    m_typeSize = size;
    m_isGetKeyDefined = false;
    auto_fill_type_object(false);
    auto_fill_type_information(false);
  }
  bool serialize(void* data, rtps::SerializedPayload_t* p) override {
    auto& b = *static_cast<Bytes*>(data);
    memcpy(p->data, b.data(), b.size());
    p->length = static_cast<uint32_t>(b.size());
    p->encapsulation = CDR_LE;
    return true;
  }
  bool deserialize(rtps::SerializedPayload_t* p, void* data) override {
    static_cast<Bytes*>(data)->assign(p->data, p->data + p->length);
    return true;
  }
  std::function<uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data] { return static_cast<uint32_t>(static_cast<Bytes*>(data)->size()); };
  }
  void* createData() override { return new Bytes; }
  void deleteData(void* data) override { delete static_cast<Bytes*>(data); }
  bool getKey(void*, rtps::InstanceHandle_t*, bool) override { return false; }
};

void put32(uint8_t* b, uint32_t v) {
  for (int i = 0; i < 4; i++) b[i] = static_cast<uint8_t>(v >> (8 * i));
}

// Reads what either byte order of the encapsulation header says.
uint32_t get32(const Bytes& b, size_t at) {
  uint32_t v = 0;
  for (size_t i = 0; i < 4; i++) v |= uint32_t{b[at + i]} << (8 * (b[1] & 1 ? i : 3 - i));
  return v;
}

Bytes sample(const options& o, uint32_t seq) {
  Bytes b = {0, 1, 0, 0}; // plain CDR, little-endian
  switch (o.form) {
    case CLOCK:
      b.resize(12);
      put32(&b[4], static_cast<uint32_t>(clock_sec(seq)));
      put32(&b[8], clock_nanosec(seq));
      break;
    case TEXT: {
      char text[32];
      auto n = static_cast<uint32_t>(snprintf(text, sizeof text, TEXT_FORMAT, seq)) + 1;
      b.resize(8 + n);
      put32(&b[4], n);
      memcpy(&b[8], text, n);
      break;
    }
    case BLOB:
      b.resize(blob_size(&o, seq));
      put32(&b[4], seq);
      put32(&b[8], static_cast<uint32_t>(b.size()) - 12);
      blob_fill(b.data() + 12, static_cast<uint32_t>(b.size()) - 12, seq);
      break;
  }
  return b;
}

void read_sample(const options& o, const Bytes& b) {
  auto size = static_cast<uint32_t>(b.size());
  if (size < 12) return received(&o, 0, size, false);
  uint32_t first = get32(b, 4), second = get32(b, 8), seq = first;
  bool right = false;
  switch (o.form) {
    case CLOCK:
      seq = clock_seq(static_cast<int32_t>(first), second);
      right = clock_sec(seq) == static_cast<int32_t>(first) && clock_nanosec(seq) == second;
      break;
    case TEXT:
      size = 8 + first; // without the padding that some writers add
      right = size <= b.size() && b[size - 1] == 0 &&
              sscanf(reinterpret_cast<const char*>(&b[8]), TEXT_PARSE, &seq) == 1;
      break;
    case BLOB:
      size = 12 + second;
      right = size <= b.size() && blob_right(b.data() + 12, second, seq);
      break;
  }
  received(&o, seq, size, right);
}

struct WriterEvents : DataWriterListener {
  void on_publication_matched(DataWriter*, const PublicationMatchedStatus& s) override {
    matched_now(s.current_count, s.current_count_change);
  }
  void on_offered_deadline_missed(DataWriter*, const OfferedDeadlineMissedStatus& s) override {
    say("deadline %" PRIu32, s.total_count);
  }
  void on_offered_incompatible_qos(DataWriter*, const OfferedIncompatibleQosStatus& s) override {
    say("incompatible %" PRIu32, s.last_policy_id);
  }
  void on_liveliness_lost(DataWriter*, const LivelinessLostStatus& s) override {
    say("liveliness-lost %" PRIu32, s.total_count);
  }
};

struct ReaderEvents : DataReaderListener {
  explicit ReaderEvents(const options& o) : o(o) {}
  void on_data_available(DataReader* r) override {
    SampleInfo info;
    while (r->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK)
      if (info.valid_data) read_sample(o, bytes);
  }
  void on_subscription_matched(DataReader*, const SubscriptionMatchedStatus& s) override {
    matched_now(s.current_count, s.current_count_change);
  }
  void on_requested_deadline_missed(DataReader*, const RequestedDeadlineMissedStatus& s) override {
    say("deadline %" PRIu32, s.total_count);
  }
  void on_requested_incompatible_qos(DataReader*, const RequestedIncompatibleQosStatus& s) override {
    say("incompatible %" PRIu32, s.last_policy_id);
  }
  void on_liveliness_changed(DataReader*, const LivelinessChangedStatus& s) override {
    say("liveliness %d %d", s.alive_count, s.not_alive_count);
  }
  void on_sample_lost(DataReader*, const SampleLostStatus& s) override { say("lost %d", s.total_count); }
  void on_sample_rejected(DataReader*, const SampleRejectedStatus& s) override { say("rejected %" PRIu32, s.total_count); }

  const options& o;
  Bytes bytes;
};

Duration_t duration(int ms) {
  return ms ? Duration_t(ms / 1000, static_cast<uint32_t>(ms % 1000) * 1000000) : eprosima::fastrtps::c_TimeInfinite;
}

LivelinessQosPolicyKind liveliness(const char* kind) {
  if (strcmp(kind, "participant") == 0) return MANUAL_BY_PARTICIPANT_LIVELINESS_QOS;
  if (strcmp(kind, "topic") == 0) return MANUAL_BY_TOPIC_LIVELINESS_QOS;
  return AUTOMATIC_LIVELINESS_QOS;
}

// Sets the policies that writers and readers share.
template <typename Qos>
void set(Qos& q, const options& o) {
  q.reliability().kind = o.reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
  q.reliability().max_blocking_time = {30, 0};
  q.durability().kind = o.transient_local ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
  q.history().kind = o.depth ? KEEP_LAST_HISTORY_QOS : KEEP_ALL_HISTORY_QOS;
  if (o.depth) q.history().depth = o.depth;
  q.deadline().period = duration(o.deadline_ms);
  q.liveliness().kind = liveliness(o.liveliness);
  q.liveliness().lease_duration = duration(o.lease_ms);
  if (o.lease_ms) q.liveliness().announcement_period = duration(o.lease_ms / 2);
  q.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  q.user_data().setValue(std::vector<rtps::octet>(o.user_data, o.user_data + strlen(o.user_data)));
}

// A participant that knows no address but 127.0.0.1, and on request shared
// memory beside it, as by default.
DomainParticipantQos loopback(const options& o) {
  DomainParticipantQos q = PARTICIPANT_QOS_DEFAULT;
  auto udp = std::make_shared<UDPv4TransportDescriptor>();
  udp->interfaceWhiteList.push_back("127.0.0.1");
  udp->receiveBufferSize = o.receive_buffer;
  q.transport().use_builtin_transports = false;
  q.transport().user_transports.push_back(udp);
  if (o.shared_memory) q.transport().user_transports.push_back(std::make_shared<SharedMemTransportDescriptor>());
  rtps::Locator_t here;
  rtps::IPLocator::setIPv4(here, "127.0.0.1");
  q.wire_protocol().builtin.initialPeersList.push_back(here);
  if (int ms = o.participant_lease_ms) {
    q.wire_protocol().builtin.discovery_config.leaseDuration = duration(ms);
    q.wire_protocol().builtin.discovery_config.leaseDuration_announcementperiod = duration(ms / 4);
  }
  return q;
}

template <typename T>
T* check(const char* what, T* entity) {
  if (!entity) fail(what, "not created");
  return entity;
}

struct Publishing {
  const options& o;
  DataWriter* writer;
};

const char* write_one(void* arg, uint32_t seq) {
  auto& p = *static_cast<Publishing*>(arg);
  Bytes b = sample(p.o, seq);
  return p.writer->write(&b) ? nullptr : "refused";
}

bool all_acked(void* arg) {
  return static_cast<Publishing*>(arg)->writer->wait_for_acknowledgments({30, 0}) == ReturnCode_t::RETCODE_OK;
}

void run_pub(const options& o, DomainParticipant* participant, Topic* topic, WriterEvents* events) {
  DataWriterQos q = DATAWRITER_QOS_DEFAULT;
  set(q, o);
  q.reliable_writer_qos().times.heartbeatPeriod = {0, 200000000}; // not 3 s: what is lost is asked for soon
  Publisher* publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
  Publishing p{o, check("writer", publisher->create_datawriter(topic, q, events))};
  say("ready");
  publish(&o, write_one, all_acked, &p);
  wait_stopped();
}

void run_sub(const options& o, DomainParticipant* participant, Topic* topic, ReaderEvents* events) {
  DataReaderQos q = DATAREADER_QOS_DEFAULT;
  set(q, o);
  Subscriber* subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
  check("reader", subscriber->create_datareader(topic, q, events));
  say("ready");
  wait_stopped();
}

} // namespace

int main(int argc, char** argv) {
  options o = parse(argc, argv);
  if (strcmp(o.role, "version") == 0) {
    say(FASTRTPS_VERSION_STR);
    return 0;
  }
  auto* factory = DomainParticipantFactory::get_instance();
  auto* participant = check("participant", factory->create_participant(static_cast<uint32_t>(o.domain), loopback(o)));
  begin(&o);
  TypeSupport type(new Raw(o.type, o.size));
  type.register_type(participant);
  auto* topic = check("topic", participant->create_topic(o.topic, o.type, TOPIC_QOS_DEFAULT));
  WriterEvents writer_events; // outlive the participant
  ReaderEvents reader_events(o);
  if (strcmp(o.role, "pub") == 0) run_pub(o, participant, topic, &writer_events);
  else if (strcmp(o.role, "sub") == 0) run_sub(o, participant, topic, &reader_events);
  else fail(o.role, "this peer is pub or sub");
  participant->delete_contained_entities();
  factory->delete_participant(participant);
  return 0;
}
