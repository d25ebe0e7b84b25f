package sim

// A second simulator, to compare the product with. It was written from the
// rules in testdata/scenarios/README.md alone, whose numbers the comments
// cite. It is simple and slow on purpose: time goes on by one nanosecond, and
// at every instant all threads, callbacks and queues are looked at. There is
// no agenda of events, and nothing is remembered that could be worked out anew.

// never is an absolute deadline that no callback misses.
const never = int64(1) << 62

// A tickSim is one run.
type tickSim struct {
	now, end  int64 // the run is [0, end)
	cpus      int
	inherit   bool // rule 7
	threads   []*tickThread
	callbacks []*tickCallback // by registration
	contexts  []*tickContext
	topics    map[string]*tickTopic
	sources   []*tickSource
	locks     map[string]*tickLock
	inFlight  []*tickMessage // published and not arrived, by publication
	jobs      []*tickJob     // all that started
}

type tickThread struct {
	index     int
	name      string
	priority  int
	cpu       int    // where it is pinned; -1: anywhere
	executor  string // level, wait_set, events
	greedy    bool
	cap       int   // most callbacks of a greedy cycle; 0: no limit
	spin      int64 // period of the grid of cycles; 0: none
	budget    int64 // of a cycle; 0: none
	callbacks []*tickCallback

	job      *tickJob // in progress, perhaps waiting for a lock
	runnable bool
	since    int64 // when it became runnable
	running  bool  // holds a CPU

	inCycle   bool
	list      []*tickCallback // what is left of the cycle
	start     int64           // clock of the cycle's scan
	started   int             // callbacks of this cycle
	cycles    int64           // that started a callback
	nextCycle int64           // with a spin period: the grid instant not used yet

	entries []tickEntry // events
	pushed  int64

	reservation tickReservation
}

// A tickEntry is what the queue of an events executor holds.
type tickEntry struct {
	callback *tickCallback
	release  int64 // of a timer
}

type tickCallback struct {
	registration int
	name, kind   string
	thread       *tickThread
	context      *tickContext // nil: the implicit one
	costs        []int64
	publishes    []string
	lock         *tickLock

	period, next int64 // timer: the grid instant not served yet
	phase        int64
	catchUp      bool

	inputs  []tickInput
	takeAll bool
	any     bool // fused

	rolled bool // rule 18
	figure callbackFigures
}

// A tickInput is one queue of a callback, with its ready bit (rule 11).
type tickInput struct {
	topic   *tickTopic
	depth   int
	samples []*tickMessage
	bit     bool
	base    int64 // the arrival that set the bit
}

type tickContext struct {
	edf, sporadic    bool
	bucket           int // 0 is the most urgent
	deadline         int64
	amount, period   int64
	remaining        int64
	offset, duration int64
	frame            int64
	fit              bool
	trigger          string
	triggers         []*tickCallback
}

type tickTopic struct {
	latency   int64
	published int64
}

type tickSource struct {
	topic         *tickTopic
	phase, period int64
	times         []int64 // instead of a period
}

// A tickMessage is one message on its way to, or in, one or more queues.
type tickMessage struct {
	topic            *tickTopic
	source           *tickSource // nil: a callback published it
	number           int64       // within its topic
	origin           int64
	arrives, arrived int64
}

type tickLock struct{ holder *tickJob }

type tickJob struct {
	callback       *tickCallback
	release, start int64
	ended          int64 // -1: not yet
	deadline       int64
	origin         int64
	cycle, sample  int64
	cost, left     int64
	waiting        bool // for its lock
}

// run steps through every instant in the order of rule 1.
func (s *tickSim) run() {
	for s.now = 0; s.now < s.end; s.now++ {
		s.publishSources()
		s.endCallbacks()
		s.refill()
		s.arrivals()
		s.dispatch()
		s.useCPUs()
	}
}

// publishSources comes first so that at one instant the sources' messages have
// the lower numbers: they also arrive before those of callbacks (rule 2).
func (s *tickSim) publishSources() {
	for _, source := range s.sources {
		for range source.messages(s.now) {
			m := s.publish(source.topic, s.now)
			m.source = source
			s.inFlight = append(s.inFlight, m)
		}
	}
}

// endCallbacks is rule 1 (a).
func (s *tickSim) endCallbacks() {
	for _, t := range s.threads {
		if t.job != nil && t.job.left == 0 {
			s.endCallback(t)
		}
	}
}

func (s *tickSim) endCallback(t *tickThread) {
	j := t.job
	c := j.callback
	t.job = nil
	j.ended = s.now
	s.count(j)
	if c.context != nil {
		c.context.remaining -= j.cost // rule 16: debt without limit
	}
	if c.lock != nil {
		s.free(c.lock)
	}
	for _, name := range c.publishes {
		s.inFlight = append(s.inFlight, s.publish(s.topics[name], j.origin))
	}
	s.endOfCycle(t)
}

func (s *tickSim) count(j *tickJob) {
	f := &j.callback.figure
	f.Finished++
	if s.now > j.deadline {
		f.Missed++
	}
	response := duration(s.now - j.release)
	f.SumResponse += response
	f.MaxResponse = largest(f.MaxResponse, response)
	f.MaxEndToEnd = largest(f.MaxEndToEnd, duration(s.now-j.origin))
}

// refill is rule 1 (b): budgets of contexts (rule 16), and reservations that
// were used up (rule 21).
func (s *tickSim) refill() {
	for _, x := range s.contexts {
		if x.period > 0 && s.now > 0 && s.now%x.period == 0 {
			x.remaining = min(x.amount, x.remaining+x.amount)
		}
	}
	for _, t := range s.threads {
		t.reservation.refill(s.now)
	}
}

// arrivals is rule 1 (c), in the order of rule 2.
func (s *tickSim) arrivals() {
	for _, c := range s.callbacks {
		if c.kind == "timer" && c.thread.executor == "events" && c.next == s.now {
			c.thread.push(tickEntry{c, s.now})
			c.next += c.period
		}
	}
	for _, source := range s.sources {
		s.deliverFrom(source)
	}
	s.deliverFrom(nil)
}

// deliverFrom delivers what a source published, or callbacks did, and arrives now.
func (s *tickSim) deliverFrom(source *tickSource) {
	var later []*tickMessage
	for _, m := range s.inFlight {
		if m.source == source && m.arrives == s.now {
			s.deliver(m)
		} else {
			later = append(later, m)
		}
	}
	s.inFlight = later
}

// messages is how many a source publishes at an instant.
func (x *tickSource) messages(now int64) int {
	n := 0
	for _, t := range x.times {
		if t == now {
			n++
		}
	}
	if x.period > 0 && now >= x.phase && (now-x.phase)%x.period == 0 {
		n++
	}
	return n
}

func (s *tickSim) publish(topic *tickTopic, origin int64) *tickMessage {
	m := &tickMessage{topic: topic, number: topic.published, origin: origin, arrives: s.now + topic.latency}
	topic.published++
	return m
}

// deliver puts a message into every queue of its topic.
func (s *tickSim) deliver(m *tickMessage) {
	m.arrived = s.now
	for _, c := range s.callbacks {
		for i := range c.inputs {
			if c.inputs[i].topic == m.topic {
				c.arrive(&c.inputs[i], m)
			}
		}
	}
}

func (c *tickCallback) arrive(in *tickInput, m *tickMessage) {
	c.figure.Released++
	if in.depth > 0 && len(in.samples) == in.depth {
		in.samples = in.samples[1:]
		c.figure.Lost++
	}
	in.samples = append(in.samples, m)
	if !in.bit { // rule 10: later arrivals do not move the base
		in.bit, in.base = true, m.arrived
	}
	if c.thread.executor == "events" {
		c.thread.push(tickEntry{callback: c})
	}
}

func (t *tickThread) push(e tickEntry) {
	t.entries = append(t.entries, e)
	t.pushed++
}
