package plan

import "math/big"

// A ClockSource is a program that publishes /clock, as its source code and its
// documentation have it.
type ClockSource struct {
	Name   string
	Basis  ClockBasis
	Every  *big.Rat // seconds from one tick to the next by default; nil if there is no default
	Does   string   // when it publishes
	Remedy string   // what to do at the default; empty if that is not worth a word
	More   string   // how to get more ticks; with a %s that stands for the rate, or the step if Steps
	Steps  bool     // what is set is a step
}

// A ClockBasis is the time in which ticks come at a constant interval.
type ClockBasis uint8

// The bases.
const (
	AnyTime ClockBasis = iota // wall or simulated, as settings have it
	WallTime
	SimTime
)

// ClockSources are the programs that are known.
var ClockSources = []ClockSource{
	{
		Name: "rosbag2", Basis: WallTime, Every: big.NewRat(1, 40),
		Does:   "ros2 bag play publishes no /clock at all without --clock. With it bare a wall timer ticks at 40 Hz, with a number at that rate.",
		Remedy: "Play with --clock and a number, such as --clock 100.",
		More:   "play with --clock %s",
	}, {
		Name: "gz-sim", Basis: SimTime, Every: big.NewRat(1, 1000),
		Does: "Gazebo publishes a tick in each simulation step, also while it is paused. A step is max_step_size, by default 1 ms.",
		More: "a max_step_size of %s", Steps: true,
	}, {
		Name: "gazebo-classic", Basis: SimTime, Every: big.NewRat(1, 10),
		Does: "gazebo_ros publishes by default 10 ticks per second of simulated time. Until October 2023 they were per second of wall time: that is --source gazebo-classic-wall.",
		More: "the parameter publish_rate at %s",
	}, {
		Name: "gazebo-classic-wall", Basis: WallTime, Every: big.NewRat(1, 10),
		Does: "gazebo_ros until October 2023 publishes by default 10 ticks per second of wall time. Since then they are per second of simulated time: that is --source gazebo-classic.",
		More: "the parameter publish_rate at %s",
	}, {
		Name: "isaac",
		Does: "Isaac Sim publishes a tick in each rendered frame, while anyone subscribes. The frame rate is that of the scene and the machine.",
		More: "a higher frame rate",
	}, {
		Name: "o3de",
		Does: "O3DE publishes a tick in each frame of its engine, also while it is paused. The frame rate is that of the scene and the machine.",
		More: "a higher frame rate",
	}, {
		Name: "webots", Basis: SimTime, Every: big.NewRat(32, 1000),
		Does: "Webots publishes a tick after each step. A step is basicTimeStep, by default 32 ms.",
		More: "a basicTimeStep of %s", Steps: true,
	}, {
		Name: "mujoco", Basis: SimTime,
		Does: "mujoco_ros2_control publishes a tick after each step of the model, typically 1 to 2 ms. Steps come in bursts in which ticks may be lost.",
		More: "a timestep of %s", Steps: true,
	},
}

// clockSource finds a source by its name.
func clockSource(name string) *ClockSource {
	for i := range ClockSources {
		if ClockSources[i].Name == name {
			return &ClockSources[i]
		}
	}
	return nil
}

// ClockSourceNames lists the sources.
func ClockSourceNames() (names []string) {
	for _, s := range ClockSources {
		names = append(names, s.Name)
	}
	return names
}
