package wire

// The QoS policies as they are announced (9.6.2.2.2; DDS-XTypes 7.6.3): numbers
// are those of the wire, and a kind that is not defined is refused.

// A ReliabilityKind says whether lost samples are sent again.
type ReliabilityKind uint32

// The kinds of reliability.
const (
	BestEffort ReliabilityKind = 1
	Reliable   ReliabilityKind = 2
)

// A Reliability is 12 bytes: kind 4 | max blocking time 8.
type Reliability struct {
	Kind        ReliabilityKind
	MaxBlocking Duration // how long a write may wait for room
}

// A DurabilityKind says what a late reader can still get.
type DurabilityKind uint32

// The kinds of durability.
const (
	Volatile DurabilityKind = iota
	TransientLocal
	Transient
	Persistent
)

// A HistoryKind says whether old samples give way to new ones.
type HistoryKind uint32

// The kinds of history.
const (
	KeepLast HistoryKind = iota
	KeepAll
)

// A History is 8 bytes: kind 4 | depth 4.
type History struct {
	Kind  HistoryKind
	Depth int32 // samples of each instance; of KeepLast only
}

// A ResourceLimits is 12 bytes: three times 4. -1 is no limit.
type ResourceLimits struct{ Samples, Instances, SamplesPerInstance int32 }

// A DurabilityService is 28 bytes: cleanup delay 8 | history 8 | limits 12.
type DurabilityService struct {
	Cleanup Duration
	History History
	Limits  ResourceLimits
}

// A LivelinessKind says how a writer shows that it is alive.
type LivelinessKind uint32

// The kinds of liveliness.
const (
	Automatic LivelinessKind = iota
	ManualByParticipant
	ManualByTopic
)

// A Liveliness is 12 bytes: kind 4 | lease 8.
type Liveliness struct {
	Kind  LivelinessKind
	Lease Duration
}

// An OwnershipKind says whether several writers may update an instance.
type OwnershipKind uint32

// The kinds of ownership.
const (
	Shared OwnershipKind = iota
	Exclusive
)

// A DestinationOrderKind says by whose clock samples are ordered.
type DestinationOrderKind uint32

// The kinds of destination order.
const (
	ByReception DestinationOrderKind = iota
	BySourceTimestamp
)

// A PresentationScope says over what changes are ordered and coherent.
type PresentationScope uint32

// The scopes of presentation.
const (
	InstanceScope PresentationScope = iota
	TopicScope
	GroupScope
)

// A Presentation is 8 bytes: scope 4 | coherent 1 | ordered 1 | padding 2.
type Presentation struct {
	Scope             PresentationScope
	Coherent, Ordered bool
}

// A DataRepresentation says how samples are encoded.
type DataRepresentation int16

// The data representations.
const (
	XCDR1 DataRepresentation = 0
	XML   DataRepresentation = 1
	XCDR2 DataRepresentation = 2
)

// A TypeConsistency is 8 bytes: kind 2 | five booleans | padding 1. Some send
// the kind alone.
type TypeConsistency struct {
	Kind                 int16 // 0 disallow, 1 allow type coercion
	IgnoreSequenceBounds bool
	IgnoreStringBounds   bool
	IgnoreMemberNames    bool
	PreventWidening      bool
	ForceValidation      bool
}

func (v *value) reliability() Reliability {
	return Reliability{ReliabilityKind(v.enum(uint32(BestEffort), uint32(Reliable))), v.duration()}
}

func (l *list) reliability(r Reliability) {
	l.uint32(uint32(r.Kind))
	l.duration(r.MaxBlocking)
}

func (v *value) durability() DurabilityKind { return DurabilityKind(v.enum(0, uint32(Persistent))) }

func (l *list) durability(k DurabilityKind) { l.uint32(uint32(k)) }

func (v *value) history() History {
	return History{HistoryKind(v.enum(0, uint32(KeepAll))), v.int32()}
}

func (l *list) history(h History) {
	l.uint32(uint32(h.Kind))
	l.int32(h.Depth)
}

func (v *value) limits() ResourceLimits { return ResourceLimits{v.int32(), v.int32(), v.int32()} }

func (l *list) limits(r ResourceLimits) {
	l.int32(r.Samples)
	l.int32(r.Instances)
	l.int32(r.SamplesPerInstance)
}

func (v *value) durabilityService() DurabilityService {
	return DurabilityService{v.duration(), v.history(), v.limits()}
}

func (l *list) durabilityService(s DurabilityService) {
	l.duration(s.Cleanup)
	l.history(s.History)
	l.limits(s.Limits)
}

func (v *value) liveliness() Liveliness {
	return Liveliness{LivelinessKind(v.enum(0, uint32(ManualByTopic))), v.duration()}
}

func (l *list) liveliness(p Liveliness) {
	l.uint32(uint32(p.Kind))
	l.duration(p.Lease)
}

func (v *value) ownership() OwnershipKind { return OwnershipKind(v.enum(0, uint32(Exclusive))) }

func (l *list) ownership(k OwnershipKind) { l.uint32(uint32(k)) }

func (v *value) destinationOrder() DestinationOrderKind {
	return DestinationOrderKind(v.enum(0, uint32(BySourceTimestamp)))
}

func (l *list) destinationOrder(k DestinationOrderKind) { l.uint32(uint32(k)) }

func (v *value) presentation() Presentation {
	return Presentation{PresentationScope(v.enum(0, uint32(GroupScope))), v.bool(), v.bool()}
}

func (l *list) presentation(p Presentation) {
	l.uint32(uint32(p.Scope))
	l.bool(p.Coherent)
	l.bool(p.Ordered)
}

// representations reads a sequence of representations, those not known too.
func (v *value) representations() (all []DataRepresentation) {
	for range v.length() {
		all = append(all, DataRepresentation(v.int16()))
		if v.problem != noProblem {
			return nil
		}
	}
	return all
}

func (l *list) representations(all []DataRepresentation) {
	l.uint32(uint32(len(all)))
	for _, r := range all {
		l.int16(int16(r))
	}
}

func (v *value) typeConsistency() TypeConsistency {
	t := TypeConsistency{Kind: v.int16()}
	if v.left() < 5 {
		return t
	}
	t.IgnoreSequenceBounds, t.IgnoreStringBounds, t.IgnoreMemberNames = v.bool(), v.bool(), v.bool()
	t.PreventWidening, t.ForceValidation = v.bool(), v.bool()
	return t
}

func (l *list) typeConsistency(t TypeConsistency) {
	l.int16(t.Kind)
	l.bool(t.IgnoreSequenceBounds)
	l.bool(t.IgnoreStringBounds)
	l.bool(t.IgnoreMemberNames)
	l.bool(t.PreventWidening)
	l.bool(t.ForceValidation)
}
