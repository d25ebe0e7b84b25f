package qos

import (
	"fmt"
	"slices"
)

// A Mismatch is one policy for which a writer and a reader never connect.
type Mismatch struct {
	Policy             Policy
	Offered, Requested string // in words that complete "offers ..." and "wants ..."
}

// Words tells the mismatch, given what to call the two: "/lidar wants
// reliable, /driver offers best effort: they never connect".
func (m Mismatch) Words(reader, writer string) string {
	return fmt.Sprintf("%s wants %s, %s offers %s: they never connect", reader, m.Requested, writer, m.Offered)
}

// Remedy says what to change, in either of the two places.
func (m Mismatch) Remedy(reader, writer string) string {
	return fmt.Sprintf("let %s offer %s, or %s want %s", writer, m.Requested, reader, m.Offered)
}

func (m Mismatch) String() string { return m.Words("the reader", "the writer") }

// Match returns every reason in their QoS for which a writer and a reader of
// one topic never connect, by ascending policy id: none if they do.
//
// A PartitionPolicy among them is special: endpoints without a common partition
// are strangers to DDS, and no status tells of them, see Incompatible.
func Match(offered, requested Policies) []Mismatch {
	bad := Incompatible(offered, requested)
	if !PartitionsMeet(offered.Partition, requested.Partition) {
		bad = append(bad, Mismatch{PartitionPolicy, partitionWords(offered.Partition), partitionWords(requested.Partition)})
		slices.SortStableFunc(bad, func(a, b Mismatch) int { return int(a.Policy - b.Policy) })
	}
	return bad
}

// Incompatible returns the policies of which less is offered than requested
// (DDS 1.4, 2.2.3, the column RxO), by ascending id: none if the two are
// compatible. Only a pair whose partitions meet raises the statuses
// OFFERED_INCOMPATIBLE_QOS and REQUESTED_INCOMPATIBLE_QOS for them.
func Incompatible(offered, requested Policies) (bad []Mismatch) {
	o, r := offered, requested
	differ := func(p Policy, offer, request string) { bad = append(bad, Mismatch{p, offer, request}) }
	if o.Durability < r.Durability {
		differ(DurabilityPolicy, o.Durability.String(), r.Durability.String())
	}
	if !o.Presentation.serves(r.Presentation) {
		differ(PresentationPolicy, o.Presentation.words(), r.Presentation.words())
	}
	if !o.Deadline.AtMost(r.Deadline) {
		differ(DeadlinePolicy, deadlineWords(o.Deadline), deadlineWords(r.Deadline))
	}
	if o.LatencyBudget > r.LatencyBudget {
		differ(LatencyBudgetPolicy, latencyWords(o), latencyWords(r))
	}
	if o.Ownership != r.Ownership {
		differ(OwnershipPolicy, ownershipWords(o), ownershipWords(r))
	}
	if o.Liveliness < r.Liveliness || !o.Lease.AtMost(r.Lease) {
		differ(LivelinessPolicy, livelinessWords(o), livelinessWords(r))
	}
	if o.Reliability < r.Reliability {
		differ(ReliabilityPolicy, o.Reliability.String(), r.Reliability.String())
	}
	if o.DestinationOrder < r.DestinationOrder {
		differ(DestinationOrderPolicy, orderWords(o), orderWords(r))
	}
	if first := o.representations()[0]; !slices.Contains(r.representations(), first) {
		differ(RepresentationPolicy, first.String(), representationWords(r))
	}
	return bad
}

// serves reports whether an offered presentation does for a requested one (DDS 1.4, 2.2.3.6).
func (p Presentation) serves(requested Presentation) bool {
	return p.Scope >= requested.Scope &&
		(p.Coherent || !requested.Coherent) &&
		(p.Ordered || !requested.Ordered)
}

// representations returns the list with its default filled in.
func (p Policies) representations() []Representation {
	if len(p.Representation) == 0 {
		return []Representation{XCDR1}
	}
	return p.Representation
}
