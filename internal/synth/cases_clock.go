package synth

import (
	"math"
	"time"

	"github.com/takt-rt/takt/clock"
)

// Cases about simulated time.

// UnevenSteps has steps of 1 ms of simulated time of which every 33rd takes
// 21 ms of wall time and the others 1 ms, 660 steps in all.
//
//	RTF                     33 ms / (32 x 1 ms + 21 ms) = 33/53 = 0.6226
//	mean of per-step ratios (32 x 1 + 1/21) / 33 = 0.9711; their median is 1
//
// The last two are what displays show, and wrong as an RTF.
func UnevenSteps() Case {
	at, messages := time.Duration(0), []Message{tick(0, 1e9)}
	for step := 1; step <= 660; step++ {
		at += ms
		if step%33 == 0 {
			at += 20 * ms
		}
		messages = append(messages, tick(at, clock.Sim(1e9).Add(time.Duration(step)*ms)))
	}
	return Case{
		Name:     "uneven-steps",
		Topics:   []Topic{clockTopic},
		Messages: messages,
		Want: []Want{
			{Path: "clock.rtf", Value: 33.0 / 53},
			{Path: "clock.ticks", Value: 661.0},
			{Path: "clock.span_sim_s", Value: 0.660},
			{Path: "clock.span_wall_s", Value: 20 * 0.053},
			{Path: "clock.interval_s.max", Value: 0.021},
			{Path: "clock.step_sim_s.max", Value: 0.001},
			{Path: "clock.segments.#", Value: 1.0},
			{Path: "clock.displays.per_frame.mean", Value: (32 + 1.0/21) / 33},
			{Path: "clock.displays.per_frame.p50", Value: 1.0},
		},
	}
}

// HalfSpeed has a topic of 10 Hz in simulated time at RTF 0.5, for 10 s of
// simulated time, and a /clock of 10 ms steps. Each message comes 1 ms of wall
// time after the tick that it is stamped with.
//
//	rate in simulated time  100 intervals / 10 s = 10 Hz
//	rate on the wall        100 intervals / 20 s = 5 Hz
//	age by /clock           0: the tick of the stamp is the last that came
func HalfSpeed() Case {
	var messages []Message
	for i := range 1001 {
		at, sim := time.Duration(i)*20*ms, clock.Sim(5e9).Add(time.Duration(i)*10*ms)
		messages = append(messages, tick(at, sim))
		if i%10 == 0 {
			messages = append(messages, imu("/imu", at+ms, sim))
		}
	}
	return Case{
		Name:     "half-speed",
		Topics:   []Topic{clockTopic, imuTopic("/imu")},
		Messages: messages,
		Want: []Want{
			{Path: "clock.rtf", Value: 0.5},
			{Path: "clock.tick_hz", Value: 50.0},
			{Path: "clock.tick_sim_s", Value: 0.010},
			{Path: "topics[/imu].count", Value: 101.0},
			{Path: "topics[/imu].rate_hz", Value: 5.0},
			{Path: "topics[/imu].rate_sim_hz", Value: 10.0},
			{Path: "topics[/imu].interval_s.mean", Value: 0.2},
			{Path: "topics[/imu].stamp_interval_s.mean", Value: 0.1},
			{Path: "topics[/imu].stamps.domain", Value: "simulated"},
			{Path: "topics[/imu].age_s.clock", Value: "sim"},
			{Path: "topics[/imu].age_s.max", Value: 0.0},
		},
	}
}

// ClockWentBack has /clock values of 9.9, 10.0, 10.1, 3.0 and 3.1 s, 100 ms of
// wall time apart: two segments at RTF 1 and one jump of 3.0 - 10.1 = -7.1 s.
// Over all segments RTF = (0.2 + 0.1) s / (0.2 + 0.1) s = 1; the jump is no
// part of any, and nothing is negative.
func ClockWentBack() Case {
	c := Case{
		Name:   "clock-went-back",
		Topics: []Topic{clockTopic},
		Want: []Want{
			{Path: "clock.segments.#", Value: 2.0},
			{Path: "clock.segments[0].rtf", Value: 1.0},
			{Path: "clock.segments[1].rtf", Value: 1.0},
			{Path: "clock.segments[1].jump_s", Value: -7.1},
			{Path: "clock.backward", Value: 1.0},
			{Path: "clock.rtf", Value: 1.0},
			{Path: "clock.first_sim_s", Value: 9.9},
			{Path: "clock.last_sim_s", Value: 3.1},
		},
	}
	for i, sim := range []clock.Sim{9.9e9, 10e9, 10.1e9, 3e9, 3.1e9} {
		c.Messages = append(c.Messages, tick(time.Duration(i)*100*ms, sim))
	}
	return c
}

// LateFirstTick has a sensor from the start, and a /clock of 100 Hz that begins
// after 500 ms with 687.785 s: a clock that starts, one segment, RTF 1. Nothing
// jumped and nobody overran.
func LateFirstTick() Case {
	var messages []Message
	for i := range 101 {
		at := time.Duration(i) * 25 * ms
		messages = append(messages, Message{Topic: "/status", Receive: start.Add(at), Data: String("ready")})
	}
	for i := range 201 {
		d := time.Duration(i) * 10 * ms
		messages = append(messages, tick(500*ms+d, clock.Sim(687.785e9).Add(d)))
	}
	return Case{
		Name:     "late-first-tick",
		Topics:   []Topic{clockTopic, NewTopic("/status", "std_msgs/msg/String", QoS{Reliable: true})},
		Messages: inOrder(messages),
		Want: []Want{
			{Path: "clock.segments.#", Value: 1.0},
			{Path: "clock.backward", Value: 0.0},
			{Path: "clock.first_sim_s", Value: 687.785},
			{Path: "clock.step_sim_s.max", Value: 0.010},
			{Path: "clock.rtf", Value: 1.0},
			{Path: "clock.span_wall_s", Value: 2.0},
			{Path: "topics[/status].rate_hz", Value: 40.0},
		},
	}
}

// CoarseClock has two perfect 200 Hz topics and a /clock of 10 Hz, at RTF 1 for
// 10 s. /imu is stamped by the simulator, /odom by a node that reads its time
// from /clock. The messages come halfway between multiples of 5 ms, so no tick
// coincides with one.
//
// By ticks, 19 of 20 intervals are 0 and one is 100 ms: mean 5 ms, deviation
// sqrt(100²/20 - 5²) = sqrt(475) = 21.794 ms. The deviation is the clock's:
// on the wall, and by the stamps of /imu, it is 0.
func CoarseClock() Case {
	const sim clock.Sim = 20e9
	deviation := math.Sqrt(475) / 1000
	var messages []Message
	for i := range 101 {
		d := time.Duration(i) * 100 * ms
		messages = append(messages, tick(d, sim.Add(d)))
	}
	for i := range 2001 {
		d := time.Duration(i)*5*ms + 2500*us
		messages = append(messages,
			imu("/imu", d, sim.Add(d)),
			imu("/odom", d, sim.Add(d.Truncate(100*ms))))
	}
	return Case{
		Name:     "coarse-clock",
		Topics:   []Topic{clockTopic, imuTopic("/imu"), imuTopic("/odom")},
		Messages: inOrder(messages),
		Want: []Want{
			{Path: "clock.rtf", Value: 1.0},
			{Path: "clock.tick_hz", Value: 10.0},
			{Path: "clock.error.mean_s", Value: 0.050}, // RTF / (2 f)
			{Path: "clock.error.bound_s", Value: 0.100},
			{Path: "topics[/imu].rate_hz", Value: 200.0},
			{Path: "topics[/imu].interval_s.stddev", Value: 0.0},
			{Path: "topics[/imu].interval_sim_s.mean", Value: 0.005},
			{Path: "topics[/imu].interval_sim_s.stddev", Value: deviation},
			{Path: "topics[/imu].stamp_interval_s.stddev", Value: 0.0},
			{Path: "topics[/odom].interval_s.stddev", Value: 0.0},
			{Path: "topics[/odom].stamp_interval_s.stddev", Value: deviation},
			{Path: "topics[/odom].stamps.equal", Value: 1900.0}, // 2000 intervals, 100 ticks after the first
		},
	}
}

// Paused has a /clock of 100 Hz that says 42 s for 2 s: RTF 0, a pause of 2 s,
// 200 repeats. Of the time that it ran there is none, so no RTF of it.
func Paused() Case {
	var messages []Message
	for i := range 201 {
		messages = append(messages, tick(time.Duration(i)*10*ms, 42e9))
	}
	return Case{
		Name:     "paused",
		Topics:   []Topic{clockTopic},
		Messages: messages,
		Want: []Want{
			{Path: "clock.rtf", Value: 0.0},
			{Path: "clock.rtf_running", Value: nil},
			{Path: "clock.repeated", Value: 200.0},
			{Path: "clock.pauses.count", Value: 1.0},
			{Path: "clock.pauses.total_s", Value: 2.0},
			{Path: "clock.segments.#", Value: 1.0},
		},
	}
}

// PausedBetween has a /clock of 100 Hz that runs for 1 s, stands for 1 s and
// runs for 1 s: RTF = 2 s / 3 s, and 2 s / (3 s - 1 s) = 1 while it ran.
func PausedBetween() Case {
	var messages []Message
	for i := range 301 {
		running := min(i, 100) + max(i-200, 0)
		messages = append(messages, tick(time.Duration(i)*10*ms, clock.Sim(42e9).Add(time.Duration(running)*10*ms)))
	}
	return Case{
		Name:     "paused-between",
		Topics:   []Topic{clockTopic},
		Messages: messages,
		Want: []Want{
			{Path: "clock.rtf", Value: 2.0 / 3},
			{Path: "clock.rtf_running", Value: 1.0},
			{Path: "clock.repeated", Value: 100.0},
			{Path: "clock.pauses.count", Value: 1.0},
			{Path: "clock.pauses.total_s", Value: 1.0},
			{Path: "clock.segments.#", Value: 1.0},
		},
	}
}

// TenfoldPlayback is what a recorder takes of `ros2 bag play --rate 10 --clock`:
// a /clock of 40 Hz on the wall, so in steps of 10/40 Hz = 250 ms, and a sensor
// of 100 Hz in simulated time that arrives at 1000 Hz, for 5 s. The bag is two
// years old, its stamps are its own.
//
//	error of a node's now   mean 10 / (2 x 40 Hz) = 125 ms, at most 10/40 Hz = 250 ms
//	age by /clock           stamps are ahead of the last tick by 5, 15, ... 245 ms: mean -125 ms
func TenfoldPlayback() Case {
	const bag clock.Sim = 1_690_000_000e9
	var messages []Message
	for i := range 201 {
		at := time.Duration(i) * 25 * ms
		messages = append(messages, tick(at, bag.Add(10*at)))
	}
	for i := range 5000 {
		at := time.Duration(i)*ms + 500*us
		messages = append(messages, imu("/imu", at, bag.Add(10*at)))
	}
	return Case{
		Name:     "tenfold-playback",
		Topics:   []Topic{clockTopic, imuTopic("/imu")},
		Messages: inOrder(messages),
		Want: []Want{
			{Path: "clock.rtf", Value: 10.0},
			{Path: "clock.tick_hz", Value: 40.0},
			{Path: "clock.tick_sim_s", Value: 0.250},
			{Path: "clock.error.mean_s", Value: 0.125},
			{Path: "clock.error.bound_s", Value: 0.250},
			{Path: "clock.error.worst_s", Value: 0.250},
			{Path: "topics[/imu].rate_hz", Value: 1000.0},
			{Path: "topics[/imu].rate_sim_hz", Value: 100.0},
			{Path: "topics[/imu].stamps.domain", Value: "simulated"},
			{Path: "topics[/imu].age_s.mean", Value: -0.125},
			{Path: "topics[/imu].age_s.negative", Value: 5000.0},
		},
	}
}

// TwoClocks has two publishers that both drive /clock at 100 Hz, one at 50 s
// and one at 10 s, 5 ms apart, for 2 s. The recorder noted no publisher: that
// there are two, the interleaved values tell.
func TwoClocks() Case {
	var messages []Message
	for i := range 200 {
		d := time.Duration(i) * 10 * ms
		messages = append(messages,
			tick(d, clock.Sim(50e9).Add(d)),
			tick(d+5*ms, clock.Sim(10e9).Add(d)))
	}
	return Case{
		Name:     "two-clocks",
		Topics:   []Topic{NewTopic("/clock", "rosgraph_msgs/msg/Clock")},
		Messages: messages,
		Want: []Want{
			{Path: "clock.ticks", Value: 400.0},
			{Path: "clock.publishers", Value: 2.0},
		},
	}
}
