package sched

import "fmt"

// An Order is in which order an executor on a wait set serves what is ready.
// What is alike is served by registration.
type Order uint8

// The orders.
const (
	// RclcppOrder is timers, subscriptions, services, clients, waitables.
	RclcppOrder Order = iota
	// StaticOrder is subscriptions, timers, clients, services, waitables: the
	// static single-threaded executor of rclcpp.
	StaticOrder
	// RclpyOrder is all waitables, node by node; then of each node its timers,
	// subscriptions, clients, services.
	RclpyOrder
)

// orders are the places of the kinds. For those of rclpy see rank.
var orders = [...][Waitable + 1]int32{
	RclcppOrder: {TimerKind: 0, Subscription: 1, Service: 2, Client: 3, Waitable: 4},
	StaticOrder: {Subscription: 0, TimerKind: 1, Client: 2, Service: 3, Waitable: 4},
	RclpyOrder:  {TimerKind: 0, Subscription: 1, Client: 2, Service: 3},
}

// maxNode is far beyond the nodes of any executor.
const maxNode = 1_000_000

func (o Order) check() error {
	if int(o) >= len(orders) {
		return fmt.Errorf("unknown order %d; use one of the constants", o)
	}
	return nil
}

// rank is the place of a callback in the order: the lower goes first.
func (o Order) rank(c *Callback) int32 {
	place := orders[o][c.Kind]
	switch {
	case o != RclpyOrder:
		return place
	case c.Kind == Waitable:
		return int32(c.Node) - maxNode - 1
	}
	return int32(c.Node)*4 + place
}
