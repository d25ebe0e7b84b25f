package file

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// robotEvents returns n events as a recording of a robot in simulation gives
// them: ticks, an IMU, joints, a camera and a control loop, with jitter.
func robotEvents(n int) []timeline.Event {
	random := rand.New(rand.NewPCG(7, 7))
	jitter := func() timeline.Instant { return timeline.Instant(random.Int64N(300_000)) }
	const arrived = timeline.SampleArrived
	var events []timeline.Event
	for i := int64(0); len(events) < n+16; i++ { // steps of 2.5 ms; 16: what sorting may move across the end
		at, sim := timeline.Instant(1_750_000_000e9+i*2_500_000), 1e9+i*2_500_000
		sample := func(entity timeline.EntityID, number int64, size uint32) {
			sent := at + jitter()
			events = append(events, timeline.Event{At: sent + jitter(), Kind: arrived, Entity: entity, Number: uint64(number),
				Flags: timeline.HasStamp | timeline.HasSent, Stamp: timeline.Stamp(sim), Sent: sent, Size: size})
		}
		if i%4 == 0 {
			events = append(events, timeline.Event{At: at + jitter(), Kind: timeline.TickArrived, Entity: 1, Value: sim})
			job := timeline.Event{At: at + jitter(), Kind: timeline.JobStarted, Entity: 9, Number: uint64(i / 4), ROS: clock.Sim(sim),
				Flags: timeline.HasROS | timeline.HasThread | timeline.HasCPU, Thread: 4711, CPU: 3}
			events = append(events, job)
			job.Kind, job.At, job.Value = timeline.JobEnded, job.At+jitter(), int64(jitter())
			events = append(events, job)
			sample(3, i/4, 1200)
		}
		if i%2 == 0 {
			sample(2, i/2, 324)
		}
		if i%13 == 0 {
			sample(4, i/13, 921_000)
		}
	}
	slices.SortStableFunc(events, func(a, b timeline.Event) int { return cmp.Compare(a.At, b.At) })
	return events[:n]
}
