package sched

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// wantOrigins checks when the data came to be that each job took, such as
// "1@2ms" for callback 1.
func (d *driver) wantOrigins(want string) {
	d.t.Helper()
	var got []string
	for _, r := range d.jobs {
		got = append(got, fmt.Sprintf("%d@%v", r.Callback, time.Duration(r.Origin)))
	}
	if s := strings.Join(got, " "); s != want {
		d.t.Errorf("took %s, want %s", s, want)
	}
}

// At 0 a sample waits for a subscription of depth 1 behind a timer of 5 ms; at 2
// ms another comes. The subscription finds the second, the first is lost. With
// LET it has the first, and the second in the next cycle. A service is not
// sampled: it has the second either way.
func TestLET(t *testing.T) {
	service := Callback{Kind: Service, Inputs: []Input{{1}}}
	fused := Callback{Kind: Fused, Inputs: []Input{{1}, {1}}}
	for _, c := range []struct {
		name    string
		let     bool
		second  Callback
		origins string
		lost    int
	}{
		{"interleaved", false, subscription(1, nil), "0@0s 1@2ms", 1},
		{"let", true, subscription(1, nil), "0@0s 1@0s 1@2ms", 0},
		{"service", true, service, "0@0s 1@2ms", 1},
		{"fused, interleaved", false, fused, "0@0s 1@2ms", 2},
		{"fused, let", true, fused, "0@0s 1@0s 1@2ms", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newLevelDriver(t, LevelConfig{LET: c.let, Callbacks: []Callback{once(0, nil), c.second}}, 5*ms, ms)
			for input := range c.second.Inputs {
				d.arrivals = append(d.arrivals, fact{0, 1, input}, fact{2 * ms, 1, input})
			}
			d.sort()
			d.run(time.Minute)
			d.wantOrigins(c.origins)
			if len(d.lost) != c.lost {
				t.Errorf("%d lost, want %d", len(d.lost), c.lost)
			}
		})
	}
}

// A sample that was taken for a job that a window then holds back stays with the
// job: it starts at 20 ms, with its deadline from the arrival at 0.
func TestLETBehindAGate(t *testing.T) {
	gated := &Context{Deadline: 30 * ms, Window: Window{Offset: 20 * ms, Duration: 10 * ms, Frame: 100 * ms}}
	d := newLevelDriver(t, LevelConfig{LET: true, Callbacks: []Callback{once(0, nil), subscription(1, gated)}}, 5*ms, 15*ms)
	d.arrive(1, 0, 2*ms)
	d.run(time.Second)
	d.want("0@0s 1@20ms 1@120ms")
	d.wantOrigins("0@0s 1@0s 1@2ms")
	d.wantMissed(1, 2)
}
