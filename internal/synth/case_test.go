package synth

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
)

// The wants are worked out by hand; here each is computed from the messages
// themselves, in the plainest way, so that a slip in either shows.
func TestCasesAreWhatTheirWantsSay(t *testing.T) {
	for _, c := range Cases() {
		if c.Name == "two-clocks" {
			continue // see TestTwoClocksInterleave
		}
		for _, err := range c.Check(plainFigures(c)) {
			t.Error(err)
		}
	}
}

func TestCasesAreInOrder(t *testing.T) {
	names := map[string]bool{}
	for _, c := range Cases() {
		if names[c.Name] {
			t.Errorf("%s: second case of this name", c.Name)
		}
		names[c.Name] = true
		if !slices.IsSortedFunc(c.Messages, func(a, b Message) int { return int(a.Receive - b.Receive) }) {
			t.Errorf("%s: messages are not in the order of receive times", c.Name)
		}
	}
}

func TestTwoClocksInterleave(t *testing.T) {
	c := TwoClocks()
	if len(c.Messages) != 400 {
		t.Errorf("%d ticks, want 400", len(c.Messages))
	}
	for i, m := range c.Messages {
		if sec, high := m.Data[4], i%2 == 0; high && sec < 50 || !high && sec > 11 {
			t.Fatalf("tick %d says %d s", i, sec)
		}
	}
}

func TestCheckSaysWhatDiffers(t *testing.T) {
	c := Case{Name: "case", Want: []Want{
		{Path: "a.b", Value: 1.0},
		{Path: "list[/x].n", Value: 2.0, Within: 0.5},
		{Path: "list.#", Value: 1.0},
		{Path: "text", Value: "yes"},
		{Path: "absent", Value: nil},
	}}
	type tree = map[string]any
	right := tree{"a": tree{"b": 1}, "list": []any{tree{"name": "/x", "n": 2.4}}, "text": "yes"}
	if errs := c.Check(right); errs != nil {
		t.Errorf("right figures: %v", errs)
	}
	wrong := tree{"a": 1, "list": []any{tree{"name": "/y"}, 1}, "text": 1, "absent": 0}
	if errs := c.Check(wrong); len(errs) != len(c.Want) {
		t.Errorf("wrong figures: %d errors, want %d: %v", len(errs), len(c.Want), errs)
	}
}

// A track is the messages of one topic or transform as three series, in seconds after start.
type track struct {
	receive, publish, stamp []float64 // stamp: nil if the type has none
	clock                   []float64 // the last tick at or before each message; NaN before the first
}

type object = map[string]any

func plainFigures(c Case) object {
	ticks := track{}
	tracks := map[string]*track{}
	for _, m := range c.Messages {
		name, at := m.Topic, 4
		if strings.HasPrefix(name, "/tf") {
			name, at = "odom -> base_link", 8
		}
		if tracks[name] == nil {
			tracks[name] = &track{}
		}
		tr := tracks[name]
		tr.receive = append(tr.receive, float64(m.Receive-start)/1e9)
		if m.Publish != 0 {
			tr.publish = append(tr.publish, float64(m.Publish-start)/1e9)
		}
		if name != "/status" {
			sec := binary.LittleEndian.Uint32(m.Data[at:])
			ns := int64(sec)*1e9 + int64(binary.LittleEndian.Uint32(m.Data[at+4:]))
			if ns >= int64(start) {
				ns -= int64(start)
			} else {
				ns %= 1e15 // the bag of TenfoldPlayback: whole nanoseconds in a float64
			}
			tr.stamp = append(tr.stamp, float64(ns)/1e9)
		}
		if name == "/clock" {
			ticks = *tr
		}
		last := math.NaN()
		if n := len(ticks.stamp); n > 0 {
			last = ticks.stamp[n-1]
		}
		tr.clock = append(tr.clock, last)
	}
	f := object{}
	if ticks.stamp != nil {
		f["clock"] = plainClock(ticks)
	}
	var topics []object
	for name, tr := range tracks {
		topic := plainTopic(name, *tr)
		if name == "odom -> base_link" {
			topic = object{"name": "/tf", "transforms": []object{topic}}
		}
		topics = append(topics, topic)
	}
	f["topics"] = topics
	return f
}

func plainTopic(name string, tr track) object {
	n := len(tr.receive)
	interval := series(diff(tr.receive))
	f := object{"name": name, "count": n, "interval_s": interval,
		"rate_hz": float64(n-1) / (tr.receive[n-1] - tr.receive[0])}
	if tr.stamp == nil || name == "/clock" {
		return f
	}
	simulated := !math.IsNaN(tr.clock[0])
	steps, equal, missing := diff(tr.stamp), 0, 0.0
	nominal := slices.Sorted(slices.Values(steps))[len(steps)/2]
	for _, d := range steps {
		if d == 0 {
			equal++
		} else if nominal > 0 {
			missing += math.Round(d/nominal) - 1
		}
	}
	judge, domain := tr.receive, "wall"
	if simulated {
		judge, domain = tr.clock, "simulated"
		f["rate_sim_hz"] = float64(n-1) / (tr.stamp[n-1] - tr.stamp[0])
		f["interval_sim_s"] = series(diff(tr.clock))
	}
	ages, negative := make([]float64, n), 0
	behind, behindAt := 0.0, 0.0
	for i := range n {
		ages[i] = judge[i] - tr.stamp[i]
		if ages[i] < -1e-9 {
			negative++
		}
		if i > 0 && judge[i]-tr.stamp[i-1] > behind {
			behind, behindAt = judge[i]-tr.stamp[i-1], tr.receive[i]
		}
	}
	age := series(ages)
	age["clock"], age["negative"] = map[bool]string{true: "sim", false: "wall"}[simulated], negative
	f["age_s"] = age
	f["stamp_interval_s"] = series(steps)
	f["stamps"] = object{"domain": domain, "equal": equal, "missing": missing, "backward": 0}
	f["behind_s"] = object{"max": behind, "max_at_s": behindAt}
	if tr.publish != nil {
		published, path := diff(tr.publish), make([]float64, n)
		for i := range path {
			path[i] = tr.receive[i] - tr.publish[i]
		}
		worst := slices.Index(diff(tr.receive), interval["max"].(float64))
		by := "path"
		if series(path)["stddev"].(float64) < series(published)["stddev"].(float64) {
			by = "publisher"
		}
		f["late"] = object{"by": by, "worst_interval_s": interval["max"], "worst_publisher_interval_s": published[worst],
			"publisher_stddev_s": series(published)["stddev"], "path_stddev_s": series(path)["stddev"]}
	}
	return f
}

func plainClock(tr track) object {
	n := len(tr.receive)
	var sim, wall, paused, largest float64 // over all segments
	repeated, pauses, ratios, steps := 0, 0, []float64{}, []float64{}
	segments := []object{{"rtf": 1.0}} // all cases with a jump run at 1
	for i, d := range diff(tr.stamp) {
		w := tr.receive[i+1] - tr.receive[i]
		if d < 0 {
			segments = append(segments, object{"rtf": 1.0, "jump_s": d})
			continue
		}
		sim, wall, largest = sim+d, wall+w, max(largest, d)
		ratios, steps = append(ratios, d/w), append(steps, d)
		if d == 0 {
			repeated++
			paused += w
			if i == 0 || tr.stamp[i] != tr.stamp[i-1] {
				pauses++
			}
		}
	}
	frames := series(ratios)
	frames["p50"] = slices.Sorted(slices.Values(ratios))[len(ratios)/2]
	hz, rtf := float64(n-1)/(tr.receive[n-1]-tr.receive[0]), sim/wall
	f := object{
		"ticks": n, "rtf": rtf, "tick_hz": hz, "span_sim_s": sim, "span_wall_s": wall,
		"first_sim_s": tr.stamp[0], "last_sim_s": tr.stamp[n-1], "backward": len(segments) - 1, "repeated": repeated,
		"segments": segments, "interval_s": series(diff(tr.receive)), "step_sim_s": series(steps),
		"tick_sim_s": slices.Sorted(slices.Values(steps))[len(steps)/2],
		"displays":   object{"per_frame": frames},
		"error":      object{"mean_s": rtf / (2 * hz), "bound_s": rtf / hz, "worst_s": largest},
		"pauses":     object{"count": pauses, "total_s": paused},
	}
	if sim > 0 {
		f["rtf_running"] = sim / (wall - paused)
	}
	return f
}

func diff(v []float64) []float64 {
	d := make([]float64, len(v)-1)
	for i := range d {
		d[i] = v[i+1] - v[i]
	}
	return d
}

func series(v []float64) object {
	var sum, squares float64
	for _, x := range v {
		sum += x
	}
	mean := sum / float64(len(v))
	for _, x := range v {
		squares += (x - mean) * (x - mean)
	}
	return object{"mean": mean, "stddev": math.Sqrt(squares / float64(len(v))), "max": slices.Max(v)}
}
