package qos

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// written is the form of Policies in JSON. Reliability, durability and history
// are always there, since they are what people look for; of the rest, what is
// absent has its default.
type written struct {
	Reliability      string               `json:"reliability"`
	Durability       string               `json:"durability"`
	History          string               `json:"history"`
	Depth            int                  `json:"depth,omitempty"` // absent: 1
	Deadline         *nanoseconds         `json:"deadline_ns,omitempty"`
	Lifespan         *nanoseconds         `json:"lifespan_ns,omitempty"`
	Liveliness       string               `json:"liveliness,omitempty"`
	Lease            *nanoseconds         `json:"lease_ns,omitempty"`
	Ownership        string               `json:"ownership,omitempty"`
	Strength         int32                `json:"strength,omitempty"`
	Partition        []string             `json:"partition,omitempty"`
	Presentation     *writtenPresentation `json:"presentation,omitempty"`
	DestinationOrder string               `json:"destination_order,omitempty"`
	LatencyBudget    nanoseconds          `json:"latency_budget_ns,omitempty"`
	MinSeparation    nanoseconds          `json:"min_separation_ns,omitempty"`
	Representation   []string             `json:"representation,omitempty"`
}

type writtenPresentation struct {
	Scope    string `json:"scope"`
	Coherent bool   `json:"coherent,omitempty"`
	Ordered  bool   `json:"ordered,omitempty"`
}

var histories = []string{"keep_last", "keep_all", "unknown"}

// MarshalJSON writes the policies by name, such as "transient_local", and
// durations in nanoseconds or as "infinite". A kind that is not of DDS is
// written as its number in a string.
func (p Policies) MarshalJSON() ([]byte, error) {
	w := written{
		Reliability: writeKind(p.Reliability, reliabilities),
		Durability:  writeKind(p.Durability, durabilities),
		History:     writeHistory(p.History),
		Deadline:    writeLimit(p.Deadline), Lifespan: writeLimit(p.Lifespan), Lease: writeLimit(p.Lease),
		Liveliness:       unlessZero(p.Liveliness, livelinesses),
		Ownership:        unlessZero(p.Ownership, ownerships),
		Strength:         p.Strength,
		Partition:        p.Partition,
		DestinationOrder: unlessZero(p.DestinationOrder, destinationOrder),
		LatencyBudget:    nanoseconds(p.LatencyBudget),
		MinSeparation:    nanoseconds(p.MinSeparation),
	}
	if h := p.History; !h.KeepAll && !h.Unknown {
		w.Depth = h.Depth
	}
	if s := p.Presentation; s != (Presentation{}) {
		w.Presentation = &writtenPresentation{writeKind(s.Scope, scopes), s.Coherent, s.Ordered}
	}
	for _, r := range p.Representation {
		w.Representation = append(w.Representation, writeKind(r, representations))
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON writes. A policy that is absent gets its
// default, a key that is not known is ignored.
func (p *Policies) UnmarshalJSON(data []byte) error {
	var w written
	if err := json.Unmarshal(data, &w); err != nil {
		return fmt.Errorf("qos: %w", err)
	}
	var r kindReader
	q := Policies{
		Reliability: readKind[Reliability](&r, "reliability", w.Reliability, reliabilities),
		Durability:  readKind[Durability](&r, "durability", w.Durability, durabilities),
		History:     readHistory(&r, w.History, w.Depth),
		Deadline:    w.Deadline.limit(), Lifespan: w.Lifespan.limit(), Lease: w.Lease.limit(),
		Liveliness:       readKind[Liveliness](&r, "liveliness", w.Liveliness, livelinesses),
		Ownership:        readKind[Ownership](&r, "ownership", w.Ownership, ownerships),
		Strength:         w.Strength,
		Partition:        w.Partition,
		DestinationOrder: readKind[DestinationOrder](&r, "destination_order", w.DestinationOrder, destinationOrder),
		LatencyBudget:    time.Duration(w.LatencyBudget),
		MinSeparation:    time.Duration(w.MinSeparation),
	}
	if s := w.Presentation; s != nil {
		q.Presentation = Presentation{readKind[Scope](&r, "presentation", s.Scope, scopes), s.Coherent, s.Ordered}
	}
	for _, name := range w.Representation {
		q.Representation = append(q.Representation, readKind[Representation](&r, "representation", name, representations))
	}
	if r.err != nil {
		return r.err
	}
	*p = q
	return nil
}

func writeHistory(h History) string {
	switch {
	case h.Unknown:
		return "unknown"
	case h.KeepAll:
		return "keep_all"
	}
	return "keep_last"
}

func readHistory(r *kindReader, name string, depth int) History {
	switch readKind[int](r, "history", name, histories) {
	case 1:
		return KeepAll()
	case 2:
		return History{Unknown: true}
	}
	return KeepLast(depth)
}

// writeKind names a kind with underscores; one that is not of DDS by its number.
func writeKind[K ~int | ~int16](k K, names []string) string {
	if !isKind(k, names) {
		return strconv.Itoa(int(k))
	}
	return strings.ReplaceAll(names[k], " ", "_")
}

func unlessZero[K ~int](k K, names []string) string {
	if k == 0 {
		return ""
	}
	return writeKind(k, names)
}

// A kindReader remembers the first name that no kind has.
type kindReader struct{ err error }

// readKind finds a kind by its name or its number; no name is the default, 0.
func readKind[K ~int | ~int16](r *kindReader, policy, name string, names []string) K {
	if name == "" {
		return 0
	}
	if i := slices.Index(names, strings.ReplaceAll(name, "_", " ")); i >= 0 {
		return K(i)
	}
	if i := slices.Index(names, name); i >= 0 {
		return K(i)
	}
	n, err := strconv.ParseInt(name, 10, 16)
	if err != nil && r.err == nil {
		known := strings.ReplaceAll(strings.Join(names, ","), " ", "_")
		r.err = fmt.Errorf("qos: %q is no %s; takt writes one of %s", name, policy, known)
	}
	return K(n)
}

// nanoseconds is a duration in JSON: a whole number, or "infinite" for the
// greatest, which readers that compute in floating point could not tell.
type nanoseconds time.Duration

func (n nanoseconds) MarshalJSON() ([]byte, error) {
	if n == math.MaxInt64 {
		return []byte(`"infinite"`), nil
	}
	return strconv.AppendInt(nil, int64(n), 10), nil
}

func (n *nanoseconds) UnmarshalJSON(data []byte) error {
	if string(data) == `"infinite"` {
		*n = math.MaxInt64
		return nil
	}
	if err := json.Unmarshal(data, (*int64)(n)); err != nil {
		return fmt.Errorf(`a duration is %s; write whole nanoseconds or "infinite"`, data)
	}
	return nil
}

func writeLimit(l Limit) *nanoseconds {
	d, finite := l.Duration()
	if !finite {
		return nil
	}
	n := nanoseconds(d)
	return &n
}

func (n *nanoseconds) limit() Limit {
	if n == nil {
		return Limit{}
	}
	return Within(time.Duration(*n))
}
