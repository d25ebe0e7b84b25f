// Package bench makes the recordings that takt's benchmarks read: fixed mixes
// of topics, of any size, the same bytes for the same seed.
//
//	go run ./internal/bench/gen -mix robot -size 2GB -o /tmp/robot.mcap
package bench

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/internal/synth"
	"github.com/takt-rt/takt/timeline"
)

// A Mix names what a recording is made of.
type Mix string

// The mixes. All run in simulation at RTF 1, with stamps in simulated time.
const (
	// Small is messages of 100 bytes at 100 Hz on each topic, and no clock: the
	// cost per message shows.
	Small Mix = "small"
	// Robot is what a robot in simulation publishes: /clock 100 Hz, /imu 200 Hz
	// (324 bytes), /joint_states 100 Hz (12 joints), /tf 50 Hz, /scan 10 Hz
	// (2000 ranges, 8 kB), and on each topic of the parameter a camera of 30 Hz
	// with images of 1 MB: the cost per byte shows. One camera is 99 % of the bytes.
	Robot Mix = "robot"
)

// A Config says what to make.
type Config struct {
	Mix    Mix
	Size   int64  // bytes of message payload; the recording ends with the first message that reaches it
	Topics int    // how many topics (Small) or cameras (Robot); 0 means 10 or 1
	Seed   uint64 //
}

// Topics returns the topics of the recording.
func Topics(c Config) (topics []synth.Topic, err error) {
	streams, err := c.streams()
	for _, s := range streams {
		topics = append(topics, s.topic)
	}
	return topics, err
}

// Messages returns the messages of the recording. Each is valid until the next.
// The receive time is 50 to 250 µs behind the publish time.
func Messages(c Config) (iter.Seq[synth.Message], error) {
	streams, err := c.streams()
	if err != nil {
		return nil, err
	}
	return func(yield func(synth.Message) bool) {
		random := rand.New(rand.NewPCG(c.Seed, 1))
		var seed [32]byte
		binary.LittleEndian.PutUint64(seed[:], c.Seed)
		noise := rand.NewChaCha8(seed)
		next := make([]time.Duration, len(streams))
		for i, s := range streams {
			next[i] = s.phase
		}
		var received clock.Wall
		for left := c.Size; left > 0; {
			i := earliest(next)
			s, due := streams[i], next[i]
			next[i] += s.period
			s.refresh(s.data, simStart+timeline.Stamp(due), noise)
			published := wallStart.Add(due)
			received = max(received+1, published.Add(50*time.Microsecond+time.Duration(random.Int64N(200_000))))
			left -= int64(len(s.data))
			if !yield(synth.Message{Topic: s.topic.Name, Publish: published, Receive: received, Data: s.data}) {
				return
			}
		}
	}, nil
}

const (
	wallStart clock.Wall     = 1_750_000_000e9
	simStart  timeline.Stamp = 10e9
)

// earliest returns the index of the smallest; the first of equal ones.
func earliest(next []time.Duration) (first int) {
	for i, at := range next {
		if at < next[first] {
			first = i
		}
	}
	return first
}

func (c Config) streams() ([]*stream, error) {
	switch c.Mix {
	case Small:
		return small(cmp.Or(c.Topics, 10)), nil
	case Robot:
		return robot(cmp.Or(c.Topics, 1)), nil
	}
	return nil, fmt.Errorf("unknown mix %q; there are %s and %s", c.Mix, Small, Robot)
}
