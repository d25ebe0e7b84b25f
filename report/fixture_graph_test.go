package report

import (
	"time"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/timeline"
)

// graphEpoch is 2026-01-02 03:04:05 UTC.
const graphEpoch = timeline.Instant(1767323045_000_000_000)

// The entities of a small graph.
const (
	clockTopic timeline.EntityID = iota + 1
	scanTopic
	odomTopic
	commandTopic
	gazeboClock
	driverScan
	lidarScan
	taktScan
	baseOdom
	navigationOdom
	baseCommand
)

var (
	bestEffort = qos.Policies{History: qos.KeepLast(5)}
	reliable   = qos.Policies{Reliability: qos.Reliable, History: qos.KeepLast(10)}
)

// describeGraph has a simulator, a driver whose subscriber wants more than it
// offers, an odometry with one subscriber, and commands that nobody gives.
func describeGraph(s timeline.Sink) {
	s.Start(timeline.Origin{Kind: "tap", Path: "domain 0", Base: timeline.Base{Clock: timeline.WallClock}})
	for _, e := range []timeline.Entity{
		{ID: clockTopic, Kind: timeline.ClockEntity, Name: "/clock", Type: "rosgraph_msgs/msg/Clock"},
		{ID: scanTopic, Kind: timeline.TopicEntity, Name: "/scan", Type: "sensor_msgs/msg/LaserScan"},
		{ID: odomTopic, Kind: timeline.TopicEntity, Name: "/odom", Type: "nav_msgs/msg/Odometry"},
		{ID: commandTopic, Kind: timeline.TopicEntity, Name: "/cmd_vel", Type: "geometry_msgs/msg/Twist"},
		{ID: gazeboClock, Kind: timeline.WriterEntity, Parent: clockTopic, Name: "01", Node: "/gazebo", QoS: &bestEffort},
		{ID: driverScan, Kind: timeline.WriterEntity, Parent: scanTopic, Name: "02", Node: "/driver", QoS: &bestEffort},
		{ID: lidarScan, Kind: timeline.ReaderEntity, Parent: scanTopic, Name: "03", Node: "/lidar", QoS: &reliable},
		{ID: taktScan, Kind: timeline.ReaderEntity, Parent: scanTopic, Name: "04", QoS: &bestEffort, Own: true},
		{ID: baseOdom, Kind: timeline.WriterEntity, Parent: odomTopic, Name: "05", Node: "/base", QoS: &reliable},
		{ID: navigationOdom, Kind: timeline.ReaderEntity, Parent: odomTopic, Name: "06", Node: "/navigation", QoS: &reliable},
		{ID: baseCommand, Kind: timeline.ReaderEntity, Parent: commandTopic, Name: "07", Node: "/base", QoS: &reliable},
	} {
		s.Describe(e)
	}
}

// runGraph lets two seconds pass at a real time factor of a half. /clock ticks
// at 100 Hz and takes 0.2 ms. /scan comes at 50 Hz in 1000 bytes, and takt
// misses every tenth; /odom comes at 20 Hz, 3 ms after it was sent, and
// /navigation loses number 11 on the wire.
func runGraph(s timeline.Sink) {
	for tick := range 201 {
		at := time.Duration(tick) * 10 * time.Millisecond
		s.Events([]timeline.Event{{Kind: timeline.TickArrived, Flags: timeline.HasSent, At: graphEpoch + timeline.Instant(at), Entity: clockTopic,
			Sent: graphEpoch + timeline.Instant(at-200*time.Microsecond), Value: int64(10*time.Second + at/2),
			Number: uint64(tick + 1), Cause: timeline.Cause{Entity: gazeboClock, Number: uint64(tick + 1)}}})
		if tick%2 == 0 {
			scan(s, uint64(tick/2+1), at)
		}
		if tick%5 == 0 {
			odom(s, uint64(tick/5+1), at)
		}
	}
}

func scan(s timeline.Sink, n uint64, at time.Duration) {
	e := timeline.Event{Kind: timeline.SampleArrived, Flags: timeline.HasSent, At: graphEpoch + timeline.Instant(at), Entity: scanTopic, Size: 1000,
		Sent: graphEpoch + timeline.Instant(at-time.Millisecond), Number: n, Cause: timeline.Cause{Entity: driverScan, Number: n}}
	if n%10 == 0 {
		e.Kind, e.Entity, e.Value, e.Size = timeline.SampleDropped, taktScan, int64(timeline.LostOnWire), 0
	}
	s.Events([]timeline.Event{e})
}

func odom(s timeline.Sink, n uint64, at time.Duration) {
	e := timeline.Event{Kind: timeline.SampleArrived, Flags: timeline.HasSent | timeline.HasStamp, At: graphEpoch + timeline.Instant(at), Entity: odomTopic, Size: 720,
		Sent: graphEpoch + timeline.Instant(at-3*time.Millisecond), Stamp: timeline.Stamp(graphEpoch) + timeline.Stamp(at-4*time.Millisecond),
		Number: n, Cause: timeline.Cause{Entity: baseOdom, Number: n}}
	r := e
	r.Entity = navigationOdom
	if n == 11 {
		r.Kind, r.Value = timeline.SampleDropped, int64(timeline.LostOnWire)
	}
	s.Events([]timeline.Event{e, r})
}

func graphFigures() (*analysis.Figures, []timeline.Finding) {
	a := analysis.New(analysis.Options{})
	describeGraph(a)
	runGraph(a)
	return a.Figures()
}

func graphReport() *Report {
	f, found := graphFigures()
	return New(timeline.Origin{Kind: "tap", Path: "domain 0"}, timeline.Outcome{}, f, found, nil)
}
