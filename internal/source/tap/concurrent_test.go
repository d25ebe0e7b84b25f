package tap

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// A laggingSink takes 300 ms for each batch.
type laggingSink struct{ log }

func (s *laggingSink) Events(batch []timeline.Event) {
	time.Sleep(300 * time.Millisecond)
	s.log.Events(batch)
}

// Four receiving goroutines, discovery and a sink that lags: each sample is in
// the timeline or counted as lost, none twice.
func TestEachSampleIsHandedOnOrCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const each = 3000
		tt := newTapTest(t, Options{Waiting: 500})
		sink := &laggingSink{log{now: tt.now}}
		tt.start(sink)
		tt.found(1, imuTopic)
		take := tt.graph.take(imuTopic)
		var senders sync.WaitGroup
		for n := range byte(4) {
			senders.Go(func() {
				for i := range wire.SequenceNumber(each) {
					take(sample(n, i+1, tt.now(), stamped(0, 0)))
					time.Sleep(time.Millisecond)
				}
			})
		}
		senders.Go(func() {
			for i := range byte(200) {
				tt.tap.Found(Endpoint{GUID: guid(i, wire.KindReader), Topic: imuTopic, Node: "/filter"})
				tt.tap.Gone(guid(i/2, wire.KindReader))
				time.Sleep(10 * time.Millisecond)
			}
		})
		senders.Wait()
		tt.end()
		seen, holes := map[timeline.Cause]bool{}, 0
		for _, e := range sink.events {
			if e.Kind == timeline.Hole {
				holes++
				continue
			}
			if seen[e.Cause] {
				t.Fatalf("%+v came twice", e)
			}
			seen[e.Cause] = true
		}
		lost := int(tt.tap.queue.overflow)
		if len(seen)+lost != 4*each || lost == 0 || holes == 0 {
			t.Errorf("%d samples came and %d were lost, in %d holes, of %d", len(seen), lost, holes, 4*each)
		}
	})
}
