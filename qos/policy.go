package qos

import "fmt"

// A Policy names one policy by its DDS id (DDS 1.4, 2.3.3; DDS-XTypes for 23).
// Statuses of incompatible QoS carry these ids.
type Policy int32

const (
	DurabilityPolicy       Policy = 2
	PresentationPolicy     Policy = 3
	DeadlinePolicy         Policy = 4
	LatencyBudgetPolicy    Policy = 5
	OwnershipPolicy        Policy = 6
	LivelinessPolicy       Policy = 8
	PartitionPolicy        Policy = 10
	ReliabilityPolicy      Policy = 11
	DestinationOrderPolicy Policy = 12
	RepresentationPolicy   Policy = 23
)

var policyNames = map[Policy]string{
	DurabilityPolicy:       "durability",
	PresentationPolicy:     "presentation",
	DeadlinePolicy:         "deadline",
	LatencyBudgetPolicy:    "latency budget",
	OwnershipPolicy:        "ownership",
	LivelinessPolicy:       "liveliness",
	PartitionPolicy:        "partition",
	ReliabilityPolicy:      "reliability",
	DestinationOrderPolicy: "destination order",
	RepresentationPolicy:   "data representation",
}

func (p Policy) String() string {
	if name, ok := policyNames[p]; ok {
		return name
	}
	return fmt.Sprintf("policy %d", int32(p))
}

// ComparedByFastDDS reports whether Fast DDS (2.6 to 3.6) compares the policy.
// Two endpoints of Fast DDS connect in spite of one that it does not; of a pair
// with Cyclone DDS, which compares them all, only one side then connects.
func (p Policy) ComparedByFastDDS() bool {
	switch p {
	case PresentationPolicy, LatencyBudgetPolicy, DestinationOrderPolicy:
		return false
	}
	return true
}
