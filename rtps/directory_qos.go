package rtps

import (
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// policiesOf returns the policies that were announced, with the defaults of
// DDS for what was not said and for the history what its vendor means.
func policiesOf(q *wire.EndpointQoS, writer bool, vendor wire.VendorID) qos.Policies {
	p := qos.DefaultReader()
	if writer {
		p = qos.DefaultWriter()
	}
	if q.Reliability.Set {
		p.Reliability = qos.Reliability(q.Reliability.Value.Kind - wire.BestEffort)
	}
	p.Durability = qos.Durability(q.Durability.Value)
	p.History = historyOf(q.History, vendor)
	p.Deadline = limitOf(q.Deadline)
	p.Lifespan = limitOf(q.Lifespan)
	p.Liveliness = qos.Liveliness(q.Liveliness.Value.Kind)
	if q.Liveliness.Set {
		p.Lease = qos.Within(q.Liveliness.Value.Lease.Std())
	}
	p.Ownership = qos.Ownership(q.Ownership.Value)
	p.Strength = q.OwnershipStrength.Value
	p.Partition = q.Partition
	pr := q.Presentation.Value
	p.Presentation = qos.Presentation{Scope: qos.Scope(pr.Scope), Coherent: pr.Coherent, Ordered: pr.Ordered}
	p.DestinationOrder = qos.DestinationOrder(q.DestinationOrder.Value)
	p.LatencyBudget = q.LatencyBudget.Value.Std()
	p.MinSeparation = q.TimeBasedFilter.Value.Std()
	for _, r := range q.DataRepresentations {
		p.Representation = append(p.Representation, qos.Representation(r))
	}
	return p
}

// historyOf returns the default for what is not told, except of Fast DDS 2,
// which never tells it.
func historyOf(h wire.Optional[wire.History], vendor wire.VendorID) qos.History {
	switch {
	case !h.Set && vendor == wire.FastDDS:
		return qos.History{Unknown: true}
	case !h.Set:
		return qos.KeepLast(1)
	case h.Value.Kind == wire.KeepAll:
		return qos.KeepAll()
	}
	return qos.KeepLast(int(h.Value.Depth))
}

func limitOf(d wire.Optional[wire.Duration]) qos.Limit {
	if !d.Set {
		return qos.Limit{}
	}
	return qos.Within(d.Value.Std())
}

// blocking is the maximum blocking time that is announced, the default of DDS
// (2.2.3): nobody compares it.
const blocking = 100 * time.Millisecond

// announced returns policies as they go into an announcement. Reliability,
// durability and history are always said, the rest where it is not the default.
func announced(p qos.Policies) wire.EndpointQoS {
	q := wire.EndpointQoS{
		Reliability: wire.Some(wire.Reliability{
			Kind: wire.BestEffort + wire.ReliabilityKind(p.Reliability), MaxBlocking: wire.DurationOf(blocking),
		}),
		Durability: wire.Some(wire.DurabilityKind(p.Durability)),
		History:    wire.Some(announcedHistory(p.History)),
		Deadline:   announcedLimit(p.Deadline),
		Lifespan:   announcedLimit(p.Lifespan),
		Partition:  p.Partition,
	}
	lease := announcedLimit(p.Lease)
	q.Liveliness = unlessZero(p.Liveliness != 0 || lease.Set, wire.Liveliness{Kind: wire.LivelinessKind(p.Liveliness), Lease: lease.Or(wire.Infinite)})
	q.Ownership = unlessZero(p.Ownership != 0, wire.OwnershipKind(p.Ownership))
	q.OwnershipStrength = unlessZero(p.Strength != 0, p.Strength)
	q.Presentation = unlessZero(p.Presentation != qos.Presentation{}, wire.Presentation{
		Scope: wire.PresentationScope(p.Presentation.Scope), Coherent: p.Presentation.Coherent, Ordered: p.Presentation.Ordered,
	})
	q.DestinationOrder = unlessZero(p.DestinationOrder != 0, wire.DestinationOrderKind(p.DestinationOrder))
	q.LatencyBudget = unlessZero(p.LatencyBudget != 0, wire.DurationOf(p.LatencyBudget))
	q.TimeBasedFilter = unlessZero(p.MinSeparation != 0, wire.DurationOf(p.MinSeparation))
	for _, r := range p.Representation {
		q.DataRepresentations = append(q.DataRepresentations, wire.DataRepresentation(r))
	}
	return q
}

func announcedHistory(h qos.History) wire.History {
	if h.KeepAll {
		return wire.History{Kind: wire.KeepAll}
	}
	return wire.History{Kind: wire.KeepLast, Depth: int32(max(h.Depth, 1))}
}

func announcedLimit(l qos.Limit) wire.Optional[wire.Duration] {
	d, finite := l.Duration()
	return unlessZero(finite, wire.DurationOf(d))
}

func unlessZero[T any](said bool, v T) wire.Optional[T] {
	if !said {
		return wire.Optional[T]{}
	}
	return wire.Some(v)
}
