package synth

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

// A Case is a schedule and what is right to say of it. The wants are worked
// out by hand from the schedule; each case's doc shows the arithmetic.
type Case struct {
	Name     string
	Topics   []Topic
	Messages []Message // in the order of receive times
	Want     []Want
}

// Cases returns all of them.
func Cases() []Case {
	return []Case{
		UnevenSteps(), HalfSpeed(), ClockWentBack(), LateFirstTick(), CoarseClock(),
		Paused(), PausedBetween(), TenfoldPlayback(), TwoClocks(),
		SlowResult(), TransformBehind(), CameraDropsFrames(), PublisherLate(), PathLate(),
	}
}

// All returns the messages as the writers take them.
func (c Case) All() iter.Seq[Message] { return slices.Values(c.Messages) }

// A Want is the right value of one figure.
type Want struct {
	// Path leads to the figure through the JSON of the figures: keys parted by
	// dots, [name] for the element of an array that has this name, [0] for the
	// first, # for the length of an array. Such as topics[/imu].interval_s.mean.
	Path  string
	Value any // a float64 or a string; nil if the figure must be absent
	// Within is how far a number may be off; 0 allows for rounding alone.
	Within float64
}

// Check compares figures with the wants of the case and returns what differs.
// Figures are anything whose JSON has the keys of analysis.Figures.
func (c Case) Check(figures any) []error {
	text, err := json.Marshal(figures)
	if err != nil {
		return []error{err}
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return []error{err}
	}
	var differ []error
	for _, w := range c.Want {
		if got := lookup(tree, w.Path); !w.holds(got) {
			differ = append(differ, fmt.Errorf("%s: %s is %v, want %v (within %v)", c.Name, w.Path, got, w.Value, w.Within))
		}
	}
	return differ
}

func (w Want) holds(got any) bool {
	want, isNumber := w.Value.(float64)
	if !isNumber {
		return got == w.Value
	}
	f, ok := got.(float64)
	return ok && math.Abs(f-want) <= cmp.Or(w.Within, 1e-9*max(1, math.Abs(want)))
}

// lookup returns what path leads to, or nil.
func lookup(tree any, path string) any {
	for path != "" {
		switch {
		case strings.HasPrefix(path, "["):
			name, rest, _ := strings.Cut(path[1:], "]")
			tree, path = element(tree, name), strings.TrimPrefix(rest, ".")
		case path == "#":
			list, ok := tree.([]any)
			if !ok {
				return nil
			}
			return float64(len(list))
		default:
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			object, _ := tree.(map[string]any)
			tree, path = object[path[:end]], strings.TrimPrefix(path[end:], ".")
		}
	}
	return tree
}

// element returns the element of a list that is called name, or has it for its index.
func element(list any, name string) any {
	elements, _ := list.([]any)
	for i, e := range elements {
		object, _ := e.(map[string]any)
		if object["name"] == name || strconv.Itoa(i) == name {
			return e
		}
	}
	return nil
}

// The cases are received from here on.
const start clock.Wall = 1_750_000_000e9

const (
	ms = time.Millisecond
	us = time.Microsecond
)

var clockTopic = NewTopic("/clock", "rosgraph_msgs/msg/Clock", QoS{Reliable: true})

func imuTopic(name string) Topic { return NewTopic(name, "sensor_msgs/msg/Imu", QoS{}) }

// tick returns a /clock message that says sim and is received at after start.
func tick(at time.Duration, sim clock.Sim) Message {
	return Message{Topic: "/clock", Receive: start.Add(at), Data: Clock(sim)}
}

// imu returns a message stamped with a simulated time.
func imu(topic string, at time.Duration, stamp clock.Sim) Message {
	return Message{Topic: topic, Receive: start.Add(at), Data: Imu(timeline.Stamp(stamp), "imu")}
}

// inOrder sorts messages by receive time; equal ones stay as they are.
func inOrder(messages []Message) []Message {
	slices.SortStableFunc(messages, func(a, b Message) int { return cmp.Compare(a.Receive, b.Receive) })
	return messages
}
