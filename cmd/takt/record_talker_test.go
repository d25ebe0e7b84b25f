package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps/udp"
)

// recordDomain is joined by the tests of record, check --live and init --live
// alone, and the other by nobody.
const (
	recordDomain    = 45
	onRecordDomain  = "--domain=45"
	onNobodysDomain = "--domain=145"
)

// A talker publishes on loopback at a rate, and knows what it has published.
type talker struct {
	topic   string
	writer  *udp.Writer
	stop    context.CancelFunc
	running sync.WaitGroup

	mu      sync.Mutex
	written []clock.Mono // when the sample of number i+1 was handed over
	late    time.Duration
}

// newTalker publishes messages of a type on a topic of its own, so that tests
// that run at the same time do not meet.
func newTalker(t *testing.T, typeName string, period time.Duration, payload func(i int) []byte) *talker {
	t.Helper()
	t.Setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
	p, err := udp.Join(udp.Config{Domain: recordDomain, Localhost: true, UserData: ros.ParticipantUserData("/")})
	if err != nil {
		t.Fatal(err)
	}
	k := &talker{topic: fmt.Sprintf("/takt_%d/%s", os.Getpid(), strings.ReplaceAll(strings.ToLower(t.Name()), "/", "_"))}
	c, err := ros.MessageEndpoint(k.topic, typeName, ros.TypeHash{}, ros.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	if k.writer, err = p.NewWriter(c); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	k.stop = stop
	k.running.Go(func() { k.talk(ctx, t, period, payload) })
	t.Cleanup(func() {
		k.end()
		p.Close()
	})
	return k
}

// talk keeps to a grid: after a delay it catches up.
func (k *talker) talk(ctx context.Context, t *testing.T, period time.Duration, payload func(i int) []byte) {
	begin := time.Now()
	for i := 0; ctx.Err() == nil; i++ {
		due := begin.Add(time.Duration(i) * period)
		time.Sleep(time.Until(due))
		k.mu.Lock()
		k.written = append(k.written, kernel.Now())
		k.late = max(k.late, time.Since(due))
		k.mu.Unlock()
		if err := k.writer.Write(context.Background(), payload(i)); err != nil {
			t.Error(err)
			return
		}
	}
}

// end ends the talk.
func (k *talker) end() {
	k.stop()
	k.running.Wait()
}

// until returns the number of the last sample that was written by an instant,
// and how late the talker itself was at worst since it was asked before.
func (k *talker) until(at clock.Mono) (number uint64, late time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, w := range k.written {
		if w > at {
			break
		}
		number++
	}
	late, k.late = k.late, 0
	return number, late
}

// float64Message is a std_msgs/msg/Float64.
func float64Message(i int) []byte { return []byte{0, 1, 0, 0, 0, 0, 0, 0, byte(i), 0, 0, 0} }
