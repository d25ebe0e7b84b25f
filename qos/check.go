package qos

import (
	"errors"
	"fmt"
)

// MaxPartitionBytes bounds the names of one endpoint's partitions, each counted
// with one byte more: whether two endpoints meet takes at most the product of
// their sizes.
const MaxPartitionBytes = 4096

// Check says what in the policies contradicts itself or is no value of DDS, all
// of it joined in one error.
func (p Policies) Check() error {
	return errors.Join(p.checkKinds(), p.checkTimes(), p.checkSizes())
}

func (p Policies) checkKinds() error {
	errs := []error{
		checkKind("reliability", p.Reliability, reliabilities),
		checkKind("durability", p.Durability, durabilities),
		checkKind("liveliness", p.Liveliness, livelinesses),
		checkKind("ownership", p.Ownership, ownerships),
		checkKind("destination order", p.DestinationOrder, destinationOrder),
		checkKind("presentation scope", p.Presentation.Scope, scopes),
	}
	return errors.Join(errs...) // representations beyond those of DDS are legal and match by number
}

func checkKind[K ~int](policy string, k K, names []string) error {
	if isKind(k, names) {
		return nil
	}
	return fmt.Errorf("qos: %s has the value %d; DDS knows 0 to %d", policy, k, len(names)-1)
}

func (p Policies) checkTimes() (err error) {
	for _, t := range []struct {
		name  string
		limit Limit
	}{
		{"deadline", p.Deadline}, {"lifespan", p.Lifespan}, {"lease", p.Lease},
		{"latency budget", Within(p.LatencyBudget)}, {"time based filter", Within(p.MinSeparation)},
	} {
		if d, _ := t.limit.Duration(); d < 0 {
			err = errors.Join(err, fmt.Errorf("qos: the %s of %v is negative; write 0 or more", t.name, d))
		}
	}
	if !Within(p.MinSeparation).AtMost(p.Deadline) {
		// DDS 1.4, 2.2.3.7 and 2.2.3.12: the two must be consistent.
		err = errors.Join(err, fmt.Errorf("qos: a time based filter of %v passes no sample within the deadline of %v; shorten the filter or lengthen the deadline", p.MinSeparation, p.Deadline))
	}
	return err
}

func (p Policies) checkSizes() (err error) {
	if p.History.Depth < 0 {
		err = fmt.Errorf("qos: the history depth of %d is negative; write 1 or more, or keep all", p.History.Depth)
	}
	bytes := 0
	for _, name := range p.Partition {
		bytes += len(name) + 1
	}
	if bytes > MaxPartitionBytes {
		err = errors.Join(err, fmt.Errorf("qos: the partition names take %d bytes, more than the %d that takt compares; use fewer or shorter names", bytes, MaxPartitionBytes))
	}
	return err
}
