package bench

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/takt-rt/takt/internal/synth"
	"github.com/takt-rt/takt/timeline"
)

// A stream is one topic with the message that it repeats.
type stream struct {
	topic         synth.Topic
	period, phase time.Duration // phase: of the first message
	data          []byte
	// refresh makes the next message of data.
	refresh func(data []byte, stamp timeline.Stamp, noise *rand.ChaCha8)
}

func newStream(name, typ string, hz int, data []byte) *stream {
	return &stream{
		topic:   synth.NewTopic(name, typ, synth.QoS{Reliable: true}),
		period:  time.Second / time.Duration(hz),
		data:    data,
		refresh: func(data []byte, stamp timeline.Stamp, _ *rand.ChaCha8) { synth.Restamp(data, stamp) },
	}
}

// small returns n topics whose messages come one after the other.
func small(n int) (streams []*stream) {
	for i := range n {
		// A frame of 17 letters makes the message 100 bytes long.
		s := newStream(fmt.Sprintf("/joint_%d", i), "sensor_msgs/msg/JointState", 100, synth.JointState(0, "base_link/arm/tip", 1))
		s.phase = s.period * time.Duration(i) / time.Duration(n)
		streams = append(streams, s)
	}
	return streams
}

const imageSize = 1 << 20

func robot(cameras int) []*stream {
	tf := newStream("/tf", "tf2_msgs/msg/TFMessage", 50, synth.TF(synth.Transform{Parent: "odom", Child: "base_link"}))
	tf.refresh = func(data []byte, stamp timeline.Stamp, _ *rand.ChaCha8) { synth.RestampTF(data, stamp) }
	streams := []*stream{
		newStream("/clock", "rosgraph_msgs/msg/Clock", 100, synth.Clock(0)),
		newStream("/imu", "sensor_msgs/msg/Imu", 200, synth.Imu(0, "imu_link")),
		newStream("/joint_states", "sensor_msgs/msg/JointState", 100, synth.JointState(0, "base_link", 12)),
		tf,
		newStream("/scan", "sensor_msgs/msg/LaserScan", 10, synth.LaserScan(0, 2000)),
	}
	for i := range cameras {
		camera := newStream(fmt.Sprintf("/camera_%d/image", i), "sensor_msgs/msg/Image", 30, synth.Image(0, make([]byte, imageSize)))
		camera.refresh = shoot
		streams = append(streams, camera)
	}
	return streams
}

// shoot fills the first half of an image with new noise, which no compression
// shortens; the second half is black, which any does. Real images are between.
func shoot(data []byte, stamp timeline.Stamp, noise *rand.ChaCha8) {
	synth.Restamp(data, stamp)
	pixels := data[len(data)-imageSize:]
	noise.Read(pixels[:imageSize/2]) // never fails
}
