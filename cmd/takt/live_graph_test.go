package main

import (
	"context"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/ros"
)

// joinGraph has ROS's environment restrict this process to loopback and a
// domain, and joins it as a node.
func joinGraph(t *testing.T, domain int, name string) *ros.Node {
	t.Helper()
	t.Setenv("ROS_DOMAIN_ID", strconv.Itoa(domain))
	t.Setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
	environment, err := ros.ReadEnvironment(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	n, err := ros.Join(ros.Config{Environment: environment, Name: name, Form: ros.ShortForm})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

// publishEvery publishes messages on a topic until the test ends or stop is
// called, which returns how many there were.
func publishEvery[T ros.Typed](t *testing.T, n *ros.Node, topic string, p qos.Policies, period time.Duration, message func(i int) *T) (stop func() int) {
	t.Helper()
	pub, err := ros.Publish[T](n, topic, p)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	count := 0
	running.Go(func() {
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for ; ctx.Err() == nil; count++ {
			if err := pub.Publish(context.Background(), message(count)); err != nil {
				t.Error(err)
				return
			}
			select {
			case <-ctx.Done():
			case <-ticker.C:
			}
		}
	})
	stop = func() int {
		cancel()
		running.Wait()
		return count
	}
	t.Cleanup(func() { stop() })
	return stop
}

// halfSpeed is simulated time that passes at half the pace of the wall clock,
// in ticks every 10 ms of the latter.
func halfSpeed(i int) *ros.Clock {
	return &ros.Clock{Clock: ros.Time{Sec: int32(i / 200), Nanosec: uint32(i%200) * 5_000_000}}
}
