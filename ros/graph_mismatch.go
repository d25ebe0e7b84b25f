package ros

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps/wire"
)

// A MismatchKind says in what endpoints of one topic differ.
type MismatchKind int

// The kinds of mismatches.
const (
	TypeMismatch MismatchKind = iota // the names of the types
	HashMismatch                     // the definitions of one type: they connect, and misread each other
	KeyMismatch                      // whether the type has a key
	NameMismatch                     // the topic's name, perhaps: one is only read, another like it only written
)

// A Mismatch is why endpoints do not exchange what they should, or may not, for
// what ROS makes of DDS. Their QoS is compared by package qos.
type Mismatch struct {
	Topic          Topic
	Kind           MismatchKind
	Writer, Reader wire.GUID // of KeyMismatch
	Words          string    // "/scan has endpoints of different types, which never connect: ..."
	Remedy         string
}

// Bounds of what Mismatches looks at, for graphs that nobody has built in earnest.
const (
	maxMismatches = 1000
	maxPairs      = 1_000_000
)

// Mismatches compares the endpoints of every topic, services included, and
// tells all that do not fit. Complete is false if it found 1000, or had
// compared a million pairs, and looked no further.
func (g *Graph) Mismatches(now clock.Mono) (list []Mismatch, complete bool) {
	s := mismatchSearch{}
	for kind := NotROS; kind <= Reply; kind++ {
		topics := g.Topics(now, kind)
		if kind == Message {
			s.nearMisses(topics)
		}
		for _, t := range topics {
			s.types(t)
			s.hashes(t)
			if !s.pairs(t) {
				return s.found, false
			}
		}
	}
	return s.found, true
}

type mismatchSearch struct {
	found    []Mismatch
	compared int
}

// pairs compares each writer of a topic with each reader; false says that a
// bound was reached.
func (s *mismatchSearch) pairs(t GraphTopic) bool {
	for _, w := range t.Writers {
		for _, r := range t.Readers {
			s.compared++
			if s.compared > maxPairs || len(s.found) >= maxMismatches {
				return false
			}
			if w.Type == r.Type && w.GUID.Entity.Keyed() != r.GUID.Entity.Keyed() {
				s.keys(t.Topic, w, r)
			}
		}
	}
	return true
}

func (s *mismatchSearch) keys(t Topic, w, r Endpoint) {
	s.found = append(s.found, Mismatch{t, KeyMismatch, w.GUID, r.GUID,
		fmt.Sprintf("%s and %s differ in whether %s has a key: they never connect", who(r), who(w), shown(w.Type)),
		"run both on the same release of ROS and the same middleware"})
}

func (s *mismatchSearch) types(t GraphTopic) {
	if len(t.Types) < 2 || len(t.Writers) == 0 || len(t.Readers) == 0 {
		return
	}
	users := map[string][]Endpoint{}
	for _, e := range slices.Concat(t.Writers, t.Readers) {
		users[e.Type] = append(users[e.Type], e)
	}
	s.found = append(s.found, Mismatch{Topic: t.Topic, Kind: TypeMismatch,
		Words:  fmt.Sprintf("%s has endpoints of different types, which never connect: %s", shown(t.Topic.Name), usersWords(users)),
		Remedy: "use one type, or give one of them another topic"})
}

// hashes looks for one type with several definitions.
func (s *mismatchSearch) hashes(t GraphTopic) {
	byType := map[string]map[string][]Endpoint{}
	for _, e := range slices.Concat(t.Writers, t.Readers) {
		if e.Hash.IsZero() {
			continue
		}
		if byType[e.Type] == nil {
			byType[e.Type] = map[string][]Endpoint{}
		}
		hash := e.Hash.String()[:len(hashPrefix)+8] + "..."
		byType[e.Type][hash] = append(byType[e.Type][hash], e)
	}
	for _, name := range slices.Sorted(maps.Keys(byType)) {
		if len(byType[name]) < 2 {
			continue
		}
		s.found = append(s.found, Mismatch{Topic: t.Topic, Kind: HashMismatch,
			Words: fmt.Sprintf("%s: %s is defined differently by its users, who connect and may misread each other: %s",
				shown(t.Topic.Name), shown(name), usersWords(byType[name])),
			Remedy: "build all of them with one version of the package that defines it"})
	}
}

// usersWords lists what is used by whom, at most three of each and of what.
func usersWords(users map[string][]Endpoint) string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(users)) {
		var names []string
		for _, e := range users[what] {
			names = append(names, who(e))
		}
		slices.Sort(names)
		parts = append(parts, shown(what)+" by "+few(slices.Compact(names)))
	}
	return few(parts)
}

// few joins the first three and counts the rest.
func few(all []string) string {
	const most = 3
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}

// who names an endpoint by its node, or else by its GUID.
func who(e Endpoint) string {
	if e.Node != "" && e.Node != UnknownNode && e.Node != BareDDS {
		return shown(e.Node)
	}
	if e.IsWriter() {
		return fmt.Sprintf("writer %v", e.GUID)
	}
	return fmt.Sprintf("reader %v", e.GUID)
}

// shown returns a foreign name fit for a terminal: cut to what names of ROS
// have, and without control characters.
func shown(name string) string {
	if len(name) > maxNodeName {
		name = name[:maxNodeName] + "..."
	}
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, name)
}
