package synth

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// Cases about the ages and the regularity of topics.

// stamped returns a message stamped with wall time.
func stamped(topic string, publish, receive, stamp clock.Wall) Message {
	return Message{Topic: topic, Publish: publish, Receive: receive, Data: Imu(timeline.Stamp(stamp), "imu")}
}

// SlowResult has a 5 Hz camera whose images take 0.6 ms to the node, which
// works 100 ms on each and publishes a result that keeps the image's stamp;
// the way of the result is left out.
//
//	age of the image       0.6 ms
//	latency of the result  0.6 ms + 100 ms = 100.6 ms
func SlowResult() Case {
	var messages []Message
	for i := range 51 {
		shot := start.Add(time.Duration(i) * 200 * ms)
		arrived, done := shot.Add(600*us), shot.Add(100*ms+600*us)
		messages = append(messages,
			Message{Topic: "/camera", Publish: shot, Receive: arrived, Data: Image(timeline.Stamp(shot), make([]byte, 64))},
			stamped("/detections", done, done, shot))
	}
	return Case{
		Name:     "slow-result",
		Topics:   []Topic{NewTopic("/camera", "sensor_msgs/msg/Image", QoS{Reliable: true}), imuTopic("/detections")},
		Messages: messages,
		Want: []Want{
			{Path: "topics[/camera].age_s.clock", Value: "wall"},
			{Path: "topics[/camera].age_s.mean", Value: 0.0006},
			{Path: "topics[/camera].age_s.max", Value: 0.0006},
			{Path: "topics[/camera].rate_hz", Value: 5.0},
			{Path: "topics[/detections].age_s.mean", Value: 0.1006},
			{Path: "topics[/detections].age_s.max", Value: 0.1006},
		},
	}
}

// TransformBehind has a /clock of 1 ms steps at RTF 1 from 139 s on, and a
// transform every 20 ms, 100 µs after the tick it is stamped with, but none
// after 139.593 s until the one stamped 139.700 s. Whoever asks for 139.700 s
// before that one comes is 139.700 s - 139.593 s = 107 ms ahead of the newest;
// else it is 20 ms. A tolerance below 107 ms fails.
func TransformBehind() Case {
	const sim clock.Sim = 139e9
	transform := func(stamp clock.Sim) Message {
		return Message{
			Topic:   "/tf",
			Receive: start.Add(stamp.Sub(sim) + 100*us),
			Data:    TF(Transform{timeline.Stamp(stamp), "odom", "base_link"}),
		}
	}
	var messages []Message
	for i := range 1001 {
		d := time.Duration(i) * ms
		messages = append(messages, tick(d, sim.Add(d)))
	}
	for s := clock.Sim(139.013e9); s <= 139.593e9; s += 20e6 {
		messages = append(messages, transform(s))
	}
	for s := clock.Sim(139.700e9); s < 140e9; s += 20e6 {
		messages = append(messages, transform(s))
	}
	return Case{
		Name:     "transform-behind",
		Topics:   []Topic{clockTopic, NewTopic("/tf", "tf2_msgs/msg/TFMessage", QoS{Reliable: true})},
		Messages: inOrder(messages),
		Want: []Want{
			{Path: "topics[/tf].transforms[odom -> base_link].behind_s.max", Value: 0.107},
			{Path: "topics[/tf].transforms[odom -> base_link].behind_s.max_at_s", Value: 0.700, Within: 0.001},
			{Path: "topics[/tf].transforms[odom -> base_link].count", Value: 45.0}, // 30 to 139.593 s, 15 from 139.700 s
			{Path: "topics[/tf].transforms[odom -> base_link].age_s.max", Value: 0.0},
		},
	}
}

// CameraDropsFrames has a 30 Hz camera for 900 frames, of which it never
// publishes one in 30, nor three in a row once, and a path that takes 2 to
// 20 ms. The receive times scatter by more than half a period; the stamps show
// what is missing: 900/30 + 3 = 33 frames, the longest hole 4/30 s.
func CameraDropsFrames() Case {
	random := rand.New(rand.NewPCG(1, 30))
	var messages []Message
	for frame := range time.Duration(900) {
		if frame%30 == 17 || frame >= 400 && frame <= 402 {
			continue
		}
		shot := start.Add(frame * time.Second / 30)
		path := 2*ms + time.Duration(random.Int64N(int64(18*ms)))
		messages = append(messages, Message{
			Topic:   "/camera",
			Receive: shot.Add(path),
			Data:    Image(timeline.Stamp(shot), make([]byte, 64)),
		})
	}
	return Case{
		Name:     "camera-drops-frames",
		Topics:   []Topic{NewTopic("/camera", "sensor_msgs/msg/Image", QoS{})},
		Messages: messages,
		Want: []Want{
			{Path: "topics[/camera].count", Value: 867.0},
			{Path: "topics[/camera].stamps.missing", Value: 33.0},
			{Path: "topics[/camera].stamps.backward", Value: 0.0},
			{Path: "topics[/camera].stamp_interval_s.max", Value: 4.0 / 30, Within: 2e-9}, // stamps are whole ns
			{Path: "topics[/camera].age_s.mean", Value: 0.011, Within: 0.009},
		},
	}
}

// irregular is a 50 Hz topic of which every tenth message comes 12 ms late: of
// ten intervals one is 32 ms, one 8 ms, eight 20 ms. Mean 20 ms, deviation
// sqrt(2 x 12² / 10) = sqrt(28.8) = 5.367 ms. The regular delay of the path is
// 1 ms. publish says when message i, late by late, was published, counted from
// its regular instant.
func irregular(name string, publish func(late time.Duration) time.Duration, want ...Want) Case {
	var messages []Message
	for i := range 1001 {
		regular, late := start.Add(time.Duration(i)*20*ms), time.Duration(0)
		if i%10 == 5 {
			late = 12 * ms
		}
		sent := regular.Add(publish(late))
		messages = append(messages, stamped("/imu", sent, regular.Add(late+ms), sent))
	}
	return Case{
		Name:     name,
		Topics:   []Topic{imuTopic("/imu")},
		Messages: messages,
		Want: append(want,
			Want{Path: "topics[/imu].interval_s.mean", Value: 0.020},
			Want{Path: "topics[/imu].interval_s.stddev", Value: math.Sqrt(28.8) / 1000},
			Want{Path: "topics[/imu].interval_s.max", Value: 0.032},
			Want{Path: "topics[/imu].late.worst_interval_s", Value: 0.032}),
	}
}

// PublisherLate has an irregular 50 Hz topic whose publisher is late: the path
// takes 1 ms always, and between the two messages of the worst interval the
// publisher took 32 ms too.
func PublisherLate() Case {
	return irregular("publisher-late", func(late time.Duration) time.Duration { return late },
		Want{Path: "topics[/imu].late.by", Value: "publisher"},
		Want{Path: "topics[/imu].late.publisher_stddev_s", Value: math.Sqrt(28.8) / 1000},
		Want{Path: "topics[/imu].late.path_stddev_s", Value: 0.0},
		Want{Path: "topics[/imu].late.worst_publisher_interval_s", Value: 0.032},
		Want{Path: "topics[/imu].age_s.max", Value: 0.001})
}

// PathLate has the same receive times as PublisherLate, but its publisher keeps
// to 20 ms and the path takes 13 ms for every tenth message.
func PathLate() Case {
	return irregular("path-late", func(time.Duration) time.Duration { return 0 },
		Want{Path: "topics[/imu].late.by", Value: "path"},
		Want{Path: "topics[/imu].late.publisher_stddev_s", Value: 0.0},
		Want{Path: "topics[/imu].late.worst_publisher_interval_s", Value: 0.020},
		Want{Path: "topics[/imu].age_s.max", Value: 0.013})
}
