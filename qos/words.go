package qos

import (
	"fmt"
	"strconv"
	"strings"
)

// String tells reliability, durability and history, and of the rest what is not
// the default: "reliable, transient local, keep last 1000, lifespan 10s".
func (p Policies) String() string {
	words := []string{p.Reliability.String(), p.Durability.String(), p.History.String()}
	add := func(unusual bool, word string) {
		if unusual {
			words = append(words, word)
		}
	}
	add(p.Deadline.finite, "deadline "+p.Deadline.String())
	add(p.Lifespan.finite, "lifespan "+p.Lifespan.String())
	add(p.Liveliness != Automatic || p.Lease.finite, livelinessWords(p))
	add(p.Ownership != Shared, fmt.Sprintf("%s of strength %d", ownershipWords(p), p.Strength))
	add(len(p.Partition) > 0, partitionWords(p.Partition))
	add(p.Presentation != Presentation{}, p.Presentation.words())
	add(p.DestinationOrder != ByReception, orderWords(p))
	add(p.LatencyBudget != 0, latencyWords(p))
	add(p.MinSeparation != 0, "a sample every "+p.MinSeparation.String()+" at most")
	add(len(p.Representation) > 0, representationWords(p))
	return strings.Join(words, ", ")
}

func (p Presentation) words() string {
	words := p.Scope.String() + " presentation"
	if p.Coherent {
		words += ", coherent"
	}
	if p.Ordered {
		words += ", ordered"
	}
	return words
}

func deadlineWords(l Limit) string {
	if d, finite := l.Duration(); finite {
		return "a sample every " + d.String()
	}
	return "no deadline"
}

func latencyWords(p Policies) string {
	return "a latency budget of " + Within(p.LatencyBudget).String()
}

func ownershipWords(p Policies) string { return p.Ownership.String() + " ownership" }

func livelinessWords(p Policies) string {
	if d, finite := p.Lease.Duration(); finite {
		return fmt.Sprintf("%v liveliness within %v", p.Liveliness, d)
	}
	return fmt.Sprintf("%v liveliness without a lease", p.Liveliness)
}

func orderWords(p Policies) string { return "order " + p.DestinationOrder.String() }

func representationWords(p Policies) string {
	var names []string
	for _, r := range p.representations() {
		names = append(names, r.String())
	}
	return strings.Join(names, " or ")
}

func partitionWords(names []string) string {
	if len(names) == 0 {
		names = []string{""}
	}
	var quoted []string
	for _, n := range names {
		quoted = append(quoted, strconv.Quote(n))
	}
	return "partition " + strings.Join(quoted, " or ")
}
