// Package qos holds the QoS policies of DDS as plain types, and the rules by
// which what a writer offers is matched against what a reader requests.
//
// Rules, orders and defaults are those of DDS 1.4, 2.2.3; the data
// representation is that of DDS-XTypes 1.3, 7.6.3.1. The zero Policies are the
// defaults of a reader; a writer's differ in one point, see DefaultWriter.
// Numbers of kinds are in the order that DDS compares them by, which is not
// always their number on the wire.
//
// Everything here is a value; any goroutine may call anything. Missing are
// policies that are not compared and that takt does not act upon: resource
// limits, the lifecycles, the durability service, the maximum blocking time.
package qos

import "time"

// Policies are those of one writer or reader, as far as discovery tells them
// or takt sets them. The zero Policies are the defaults of a reader.
type Policies struct {
	Reliability Reliability
	Durability  Durability
	History     History // not compared: each side keeps its own
	Deadline    Limit   // longest time between two samples of an instance
	Lifespan    Limit   // age at which a sample is dropped; not compared
	Liveliness  Liveliness
	Lease       Limit // longest time between two signs of life
	Ownership   Ownership
	Strength    int32 // of a writer of exclusive ownership; the highest is heard
	// Partition lists the names of the partitions; none is the same as one
	// name that is empty. Names may hold wildcards, see PartitionsMeet.
	Partition        []string
	Presentation     Presentation
	DestinationOrder DestinationOrder
	LatencyBudget    time.Duration // a hint, default 0; math.MaxInt64 is infinite
	MinSeparation    time.Duration // time based filter of a reader, default 0: takes every sample; not compared
	// Representation lists how a writer may encode its samples and a reader can
	// decode them, the preferred one first; none is the same as XCDR1 alone.
	Representation []Representation
}

// DefaultReader returns the defaults of a reader: best effort, volatile, keep last 1.
func DefaultReader() Policies { return Policies{} }

// DefaultWriter returns the defaults of a writer: those of a reader, but reliable.
func DefaultWriter() Policies { return Policies{Reliability: Reliable} }

// A Presentation says in which groups and order a reader gets the changes that
// a writer makes together.
type Presentation struct {
	Scope    Scope
	Coherent bool // sets of changes arrive whole
	Ordered  bool // changes arrive in the order in which they were made
}
