// What the peers of all vendors share: the command line, the lines they
// print, and the content of the samples. C and C++ include it alike.
//
// A peer prints one line for each event, flushed at once:
//
//   ready                     the endpoint exists
//   matched N, unmatched N    a remote endpoint came or went; N are matched now
//   greeting                  sample 0 received, which --greet wrote; it does not count
//   sample SEQ SIZE           received, its content right; SIZE in bytes with the encapsulation header
//   corrupt SEQ SIZE          received, its content wrong
//   done N                    --count samples are written or received
//   acked                     all that was written is acknowledged (reliable writers)
//   incompatible POLICY       a remote endpoint does not fit; the DDS policy id
//   deadline TOTAL            deadlines missed
//   lost TOTAL                samples that a reader knows to be lost
//   rejected TOTAL            samples that a reader had no room for
//   liveliness ALIVE GONE     writers that a reader takes for alive, or not
//   liveliness-lost TOTAL     a writer did not assert itself in time
//
// It ends, leaving the domain properly, when stdin closes or after --for.
//
// A match is said before the reader knows where the writer stands, and a
// volatile reader misses what is written until then. A publisher with --greet
// writes sample 0 over and over until stdin has a line, and only then samples 1,
// 2 and so on: whoever saw a greeting arrive may ask for all of these. A greeting
// has the least size there is.
#ifndef PEER_H
#define PEER_H

#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum form { CLOCK, BLOB, TEXT };

struct options {
  const char *role;          // pub, sub, graph, version
  int domain;                // 0 to 232
  const char *topic, *type;  // DDS names
  enum form form;            // what the samples are
  bool reliable, transient_local;
  int depth;                 // of the history; 0: keep all
  int deadline_ms, lease_ms; // 0: infinite
  const char *liveliness;    // automatic, participant, topic
  uint32_t count;            // samples; 0: without end
  double rate;               // samples per second; 0: as fast as possible
  uint32_t size;             // bytes of a sample with its encapsulation header, from 12
  const char *user_data;     // of the endpoint
  int participant_lease_ms;  // 0: the vendor's default
  uint32_t receive_buffer;   // bytes to ask for; 0: the vendor's default
  bool shared_memory;        // beside UDP
  bool greet;                // write sample 0 until stdin has a line
  double seconds;            // end after these; 0: when stdin closes
  int gid;                   // graph: bytes of a gid, 16 or 24
};

static pthread_mutex_t peer_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t peer_changed = PTHREAD_COND_INITIALIZER;
static bool peer_stopped, peer_told;

static inline void say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  flockfile(stdout);
  vprintf(format, args);
  putchar('\n');
  fflush(stdout);
  funlockfile(stdout);
  va_end(args);
}

static inline void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static inline enum form form_of(const char *name) {
  if (strcmp(name, "clock") == 0) return CLOCK;
  if (strcmp(name, "blob") == 0) return BLOB;
  if (strcmp(name, "text") == 0) return TEXT;
  fail("--form", "want clock, blob or text");
  return BLOB;
}

static inline struct options parse(int argc, char **argv) {
  struct options o;
  memset(&o, 0, sizeof o);
  o.topic = "rt/blob", o.type = "samples::Blob", o.form = BLOB;
  o.depth = 1, o.size = 12, o.gid = 16, o.liveliness = "automatic", o.user_data = "";
  static const struct option known[] = {
      {"domain", 1, 0, 'd'},      {"topic", 1, 0, 't'},     {"type", 1, 0, 'T'},      {"form", 1, 0, 'f'},
      {"reliable", 0, 0, 'r'},    {"transient-local", 0, 0, 'l'}, {"depth", 1, 0, 'k'}, {"deadline-ms", 1, 0, 'D'},
      {"liveliness", 1, 0, 'L'},  {"lease-ms", 1, 0, 'e'},  {"count", 1, 0, 'c'},     {"rate", 1, 0, 'R'},
      {"size", 1, 0, 's'},        {"user-data", 1, 0, 'u'}, {"greet", 0, 0, 'G'},     {"for", 1, 0, 'F'},
      {"gid", 1, 0, 'g'},         {"participant-lease-ms", 1, 0, 'p'}, {"receive-buffer", 1, 0, 'b'},
      {"shared-memory", 0, 0, 'm'}, {0, 0, 0, 0}};
  for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) switch (c) {
      case 'd': o.domain = atoi(optarg); break;
      case 't': o.topic = optarg; break;
      case 'T': o.type = optarg; break;
      case 'f': o.form = form_of(optarg); break;
      case 'r': o.reliable = true; break;
      case 'l': o.transient_local = true; break;
      case 'k': o.depth = atoi(optarg); break;
      case 'D': o.deadline_ms = atoi(optarg); break;
      case 'L': o.liveliness = optarg; break;
      case 'e': o.lease_ms = atoi(optarg); break;
      case 'c': o.count = (uint32_t)strtoul(optarg, NULL, 10); break;
      case 'R': o.rate = atof(optarg); break;
      case 's': o.size = (uint32_t)strtoul(optarg, NULL, 10); break;
      case 'u': o.user_data = optarg; break;
      case 'G': o.greet = true; break;
      case 'F': o.seconds = atof(optarg); break;
      case 'g': o.gid = atoi(optarg); break;
      case 'p': o.participant_lease_ms = atoi(optarg); break;
      case 'b': o.receive_buffer = (uint32_t)strtoul(optarg, NULL, 10); break;
      case 'm': o.shared_memory = true; break;
      default: exit(2);
    }
  if (optind != argc - 1) fail(argv[0], "want one role: pub, sub, graph or version");
  o.role = argv[optind];
  if (o.size < 12) fail("--size", "a blob has at least 12 bytes");
  return o;
}

// The body of a blob: a byte depends on the sample and on its place, across
// the sizes of fragments in use, so that none can be misplaced unseen.
static inline uint8_t blob_byte(uint32_t seq, uint32_t i) {
  return (uint8_t)(seq + i + (i >> 8) + (i >> 16));
}

static inline uint32_t blob_size(const struct options *o, uint32_t seq) { return seq == 0 ? 12 : o->size; }

static inline void blob_fill(uint8_t *b, uint32_t n, uint32_t seq) {
  for (uint32_t i = 0; i < n; i++) b[i] = blob_byte(seq, i);
}

static inline bool blob_right(const uint8_t *b, uint32_t n, uint32_t seq) {
  for (uint32_t i = 0; i < n; i++)
    if (b[i] != blob_byte(seq, i)) return false;
  return true;
}

// A text is "Hello World: 1" and so on, as the ROS 2 talker says it.
#define TEXT_FORMAT "Hello World: %" PRIu32
#define TEXT_PARSE "Hello World: %" SCNu32

// A clock advances 1 ms with each sample.
static inline int32_t clock_sec(uint32_t seq) { return (int32_t)(seq / 1000); }
static inline uint32_t clock_nanosec(uint32_t seq) { return seq % 1000 * 1000000; }
static inline uint32_t clock_seq(int32_t sec, uint32_t nanosec) { return (uint32_t)sec * 1000 + nanosec / 1000000; }

// Counts what was received and says so.
static inline void received(const struct options *o, uint32_t seq, uint32_t size, bool right) {
  static uint32_t n; // readers have one listener, and it is called by one thread at a time
  if (seq == 0 && right) {
    say("greeting");
    return;
  }
  say("%s %" PRIu32 " %" PRIu32, right ? "sample" : "corrupt", seq, size);
  if (++n == o->count) say("done %" PRIu32, n);
}

static inline void matched_now(int n, int change) {
  say(change < 0 ? "unmatched %d" : "matched %d", n);
}

static inline void mark(bool *flag) {
  pthread_mutex_lock(&peer_lock);
  *flag = true;
  pthread_cond_broadcast(&peer_changed);
  pthread_mutex_unlock(&peer_lock);
}

static inline bool is_marked(const bool *flag) {
  pthread_mutex_lock(&peer_lock);
  bool marked = *flag;
  pthread_mutex_unlock(&peer_lock);
  return marked;
}

static inline void *read_stdin(void *unused) {
  (void)unused;
  char b[64];
  while (read(STDIN_FILENO, b, sizeof b) > 0) mark(&peer_told);
  mark(&peer_stopped);
  return NULL;
}

static inline void *wait_for_end(void *seconds) {
  usleep((useconds_t)(*(double *)seconds * 1e6));
  mark(&peer_stopped);
  return NULL;
}

static inline void begin(struct options *o) {
  pthread_t thread;
  pthread_create(&thread, NULL, read_stdin, NULL);
  if (o->seconds > 0) pthread_create(&thread, NULL, wait_for_end, &o->seconds);
}

static inline void wait_stopped(void) {
  pthread_mutex_lock(&peer_lock);
  while (!peer_stopped) pthread_cond_wait(&peer_changed, &peer_lock);
  pthread_mutex_unlock(&peer_lock);
}

// Sleeps until sample i is due on the grid that began at start; false when
// the end came first.
static inline bool wait_due(struct timespec start, uint32_t i, double rate) {
  if (rate > 0) {
    int64_t ns = (int64_t)(i * 1e9 / rate) + start.tv_nsec;
    struct timespec due = {start.tv_sec + (time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
  }
  return !is_marked(&peer_stopped);
}

// Writes a sample through write_one, which returns NULL or what went wrong.
typedef const char *(*write_one_t)(void *writer, uint32_t seq);

static inline void write_or_fail(write_one_t write_one, void *writer, uint32_t seq) {
  const char *problem = write_one(writer, seq);
  if (problem) fail("write", problem);
}

// Writes --count samples at --rate, after the greetings. What greeted a reliable
// reader is acknowledged before sample 1: without that a Cyclone DDS reader
// now and then missed the first samples of a Fast DDS writer, probably those
// that were not whole when the first heartbeat came. all_acked waits until nothing is unacknowledged.
static inline void publish(const struct options *o, write_one_t write_one, bool (*all_acked)(void *), void *writer) {
  while (o->greet && !is_marked(&peer_told) && !is_marked(&peer_stopped)) {
    write_or_fail(write_one, writer, 0);
    usleep(50000);
  }
  if (o->greet && o->reliable && !all_acked(writer)) fail("greeting", "not acknowledged");
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  uint32_t n = 0;
  while ((o->count == 0 || n < o->count) && wait_due(start, n, o->rate)) {
    write_or_fail(write_one, writer, ++n);
  }
  say("done %" PRIu32, n);
  if (o->reliable && all_acked(writer)) say("acked");
}

#endif
