package ros

import (
	"fmt"
	"strings"
)

// nearMisses looks for topics that are only read beside topics that are only
// written, of one type and with the same last part of the name: a namespace or
// a remapping may be missing. Hidden topics are left out.
func (s *mismatchSearch) nearMisses(topics []GraphTopic) {
	type key struct{ last, typ string }
	unread := map[key][]GraphTopic{}
	for _, t := range topics {
		if len(t.Readers) == 0 && len(t.Types) == 1 && !t.Topic.Hidden() {
			k := key{lastPart(t.Topic.Name), t.Types[0]}
			unread[k] = append(unread[k], t)
		}
	}
	for _, t := range topics {
		if len(t.Writers) > 0 || len(t.Types) != 1 || t.Topic.Hidden() {
			continue
		}
		if near := unread[key{lastPart(t.Topic.Name), t.Types[0]}]; len(near) > 0 && len(s.found) < maxMismatches {
			s.found = append(s.found, nearMiss(t, near))
		}
	}
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func nearMiss(read GraphTopic, written []GraphTopic) Mismatch {
	var writers []string
	for _, t := range written {
		writers = append(writers, fmt.Sprintf("%s writes %s", who(t.Writers[0]), shown(t.Topic.Name)))
	}
	return Mismatch{Topic: read.Topic, Kind: NameMismatch,
		Words: fmt.Sprintf("%s reads %s, which nobody writes; of the same type, but read by nobody: %s",
			who(read.Readers[0]), shown(read.Topic.Name), few(writers)),
		Remedy: "if they are meant for each other, give one of the nodes the other's namespace, or remap the topic"}
}
