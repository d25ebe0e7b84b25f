package model

import (
	"math"
	"slices"
	"time"
)

// topicDefaults are what a topic's contract says where the file is silent.
var topicDefaults = TopicContract{Kind: Hard, RateTolerance: 0.05}

var topicFields = []field[TopicContract]{
	choice("kind", func(c *TopicContract) *Kind { return &c.Kind }, Hard, Firm, Soft),
	quantity("rate", rate, func(c *TopicContract) *float64 { return &c.Rate }),
	quantity("rate_tolerance", share, func(c *TopicContract) *float64 { return &c.RateTolerance }),
	rateClock,
	quantity("max_interval", duration, func(c *TopicContract) *time.Duration { return &c.MaxInterval }),
	quantity("max_age", duration, func(c *TopicContract) *time.Duration { return &c.MaxAge }),
	quantity("max_gap", duration, func(c *TopicContract) *time.Duration { return &c.MaxGap }),
	quantity("max_behind", duration, func(c *TopicContract) *time.Duration { return &c.MaxBehind }),
	quantity("allowed", share, func(c *TopicContract) *float64 { return &c.Allowed }),
}

// rateClock is the field that says by which clock the rate is judged.
var rateClock = field[TopicContract]{
	key:  "rate_clock",
	read: func(v value, c *TopicContract) { c.SimRate = oneWord(v, "wall", "sim") == "sim" },
	write: func(c *TopicContract) string {
		if c.SimRate {
			return "sim"
		}
		return "wall"
	},
}

// linkFields are what the section says of how messages travel.
var linkFields = []field[Topic]{
	amount("latency", func(t *Topic) *time.Duration { return &t.Latency }),
	amount("jitter", func(t *Topic) *time.Duration { return &t.Jitter }),
	seed(func(t *Topic) *uint64 { return &t.Seed }),
}

// A topicSection is all that the file says of one topic.
type topicSection struct {
	contract TopicContract
	link     Topic

	promised, travels bool // whether the file says something of either
}

var topicSectionFields = slices.Concat(
	within(linkFields, func(t *topicSection) *Topic { return &t.link }),
	within(topicFields, func(t *topicSection) *TopicContract { return &t.contract }),
)

// topicLimits are the keys that promise something.
var topicLimits = []string{"rate", "max_interval", "max_age", "max_gap", "max_behind"}

// topics are the section of that name.
var topics = named[topicSection]{
	noun: "a topic", example: "/imu: {max_age: 20ms}", one: "max_age: 20ms",
	fields: topicSectionFields, defaults: topicSection{contract: topicDefaults},
	head: func(t *topicSection) (*string, *int) { return &t.link.Name, &t.link.Line },
	check: func(s *section, t *topicSection) {
		s.together("seed", "jitter", "1ms")
		t.travels = s.has(keysOf(linkFields)...)
		t.promised = !t.travels || s.has(keysOf(topicFields)...)
		if t.promised {
			checkTopic(s, &t.contract)
		}
	},
}

// readTopics reads the contracts of the topics and how their messages travel,
// in the order of the file.
func readTopics(v value, s *System) {
	for _, t := range topics.read(v) {
		if t.travels {
			d := s.design()
			d.Topics = append(d.Topics, t.link)
		}
		if t.promised {
			t.contract.Name, t.contract.Line = t.link.Name, t.link.Line
			s.Topics = append(s.Topics, t.contract)
		}
	}
}

// topicSections returns all that is said of topics: first those of which
// something is promised.
func (s *System) topicSections() []topicSection {
	var all []topicSection
	at := map[string]int{}
	for _, c := range s.Topics {
		at[c.Name] = len(all)
		all = append(all, topicSection{contract: c, link: Topic{Name: c.Name}})
	}
	if s.Design == nil {
		return all
	}
	for _, link := range s.Design.Topics {
		if i, ok := at[link.Name]; ok {
			all[i].link = link
			continue
		}
		all = append(all, topicSection{contract: topicDefaults, link: link})
	}
	return all
}

// checkTopic reports keys of one contract that contradict or need each other.
func checkTopic(s *section, c *TopicContract) {
	s.needLimit(topicLimits)
	s.checkAllowed(c.Kind, "max_interval", "max_age")
	if c.Kind == Firm && s.lacks("rate") {
		s.given["kind"].fail("is firm without a rate", "write the rate that must hold without what is late, such as rate: 16Hz")
	}
	for _, key := range []string{"rate_tolerance", "rate_clock"} {
		if s.has(key) && s.lacks("rate") {
			s.given[key].fail("has no rate to say something of", "write a rate, or remove the line")
		}
	}
	s.checkPeriod(c, "max_interval", c.MaxInterval)
	s.checkPeriod(c, "max_gap", c.MaxGap)
}

// checkPeriod refuses a limit of every interval that is below the mean
// interval at the highest rate in tolerance: no run could keep both.
func (s *section) checkPeriod(c *TopicContract, key string, limit time.Duration) {
	if c.Kind != Hard || c.SimRate || c.Rate == 0 || c.RateTolerance == 0 || limit == 0 {
		return
	}
	if limit.Seconds() < 1/(c.Rate*(1+c.RateTolerance)) {
		period := time.Duration(min(math.Ceil(1e9/c.Rate), math.MaxInt64/2))
		s.given[key].fail("is shorter than one period at "+FormatRate(c.Rate), "write more than "+FormatDuration(period)+", or raise the rate")
	}
}
