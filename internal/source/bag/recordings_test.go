package bag

import (
	"math"
	"strings"
	"testing"

	"github.com/takt-rt/takt/timeline"
)

// Every recording gives the counts and times in expected.json, which were
// worked out independently of takt.
func TestRecordings(t *testing.T) {
	all, _ := readExpected(t)
	for id, want := range all {
		t.Run(id, func(t *testing.T) {
			c, out := read(t, want.Path, Options{})
			checkTotals(t, c, want)
			outOfOrder := 0
			for name, topic := range want.Topics {
				checkTopic(t, c, name, topic)
				outOfOrder += topic.OutOfOrder
			}
			checkClock(t, c, want)
			for name, service := range want.Services {
				if _, n := c.topic(name); n.kinds[timeline.ServiceEvent] != service.Events {
					t.Errorf("%s: %d service events, want %d", name, n.kinds[timeline.ServiceEvent], service.Events)
				}
			}
			found := ids(out)
			if out.Partial || len(c.holes) > 0 {
				t.Errorf("partial: %+v, holes %+v", out, c.holes)
			}
			if disagrees := want.Metadata != nil && len(want.Metadata.Disagreements) > 0; disagrees != (found[contradiction] > 0) {
				t.Errorf("findings %+v, want %+v", out.Findings, want.Metadata)
			}
			if found["out-of-order"] != outOfOrder || found["not-in-order"] > 0 || found["undecodable"] > 0 {
				t.Errorf("findings %+v", out.Findings)
			}
		})
	}
}

func checkTotals(t *testing.T, c *collector, want expected) {
	t.Helper()
	if c.messages != want.Messages {
		t.Errorf("%d messages, want %d", c.messages, want.Messages)
	}
	if want.Messages > 0 && (c.first != want.Start || c.last != want.End) {
		t.Errorf("from %d to %d, want %d to %d", c.first, c.last, want.Start, want.End)
	}
	topics := 0
	for _, e := range c.entities {
		if e.Kind != timeline.TransformEntity {
			topics++
		}
	}
	if topics != len(want.Topics) {
		t.Errorf("%d topics, want %d", topics, len(want.Topics))
	}
}

func checkTopic(t *testing.T, c *collector, name string, want expectedTopic) {
	t.Helper()
	e, n := c.topic(name)
	if e.Type != want.Type {
		t.Errorf("%s: type %s, want %s", name, e.Type, want.Type)
	}
	if n.count != want.Count || n.first != want.First || n.last != want.Last {
		t.Errorf("%s: %d from %d to %d, want %d from %d to %d", name, n.count, n.first, n.last, want.Count, want.First, want.Last)
	}
	zero, nonzero := 0, 0
	if want.Stamp != nil {
		zero, nonzero = want.Stamp.Zero, want.Stamp.Nonzero
	}
	if n.zero != zero || n.stamps != nonzero {
		t.Errorf("%s: %d zero stamps and %d others, want %d and %d", name, n.zero, n.stamps, zero, nonzero)
	}
	if n.sent > 0 && n.sent < n.count-1 {
		t.Errorf("%s: %d of %d messages have a publish time", name, n.sent, n.count)
	}
}

func checkClock(t *testing.T, c *collector, want expected) {
	t.Helper()
	if k := want.Clock; k != nil {
		e, n := c.topic(k.Topic)
		if e.Kind != timeline.ClockEntity || n.kinds[timeline.TickArrived] != k.Messages {
			t.Errorf("%+v with %d ticks, want %d", e, n.kinds[timeline.TickArrived], k.Messages)
		}
		if first, last := float64(n.values[0])/1e9, float64(n.values[len(n.values)-1])/1e9; first != k.SimStart || last != k.SimEnd {
			t.Errorf("simulated time from %v to %v s, want %v to %v", first, last, k.SimStart, k.SimEnd)
		}
	}
	if r := want.Reported; r != nil {
		_, n := c.topic(r.Topic)
		sum := 0.0
		for _, v := range n.values {
			sum += math.Float64frombits(uint64(v))
		}
		if mean := sum / float64(len(n.values)); len(n.values) != r.Samples || math.Abs(mean-r.Mean) > 2e-9 {
			t.Errorf("%d reported factors of mean %v, want %d of %v", len(n.values), mean, r.Samples, r.Mean)
		}
	}
}

// Times alone are the same times, with nothing else.
func TestTimesOnly(t *testing.T) {
	all, _ := readExpected(t)
	for id, want := range all {
		t.Run(id, func(t *testing.T) {
			c, out := read(t, want.Path, Options{TimesOnly: true})
			checkTotals(t, c, want)
			for name, topic := range want.Topics {
				topic.Stamp = nil
				checkTopic(t, c, name, topic)
				if e, n := c.topic(name); e.Kind != timeline.TopicEntity || n.bytes > 0 {
					t.Errorf("%+v with %d bytes", e, n.bytes)
				}
			}
			if found := ids(out); found["times-only"] != 1 || found["times-only-full-read"] > 0 {
				t.Errorf("findings %+v", out.Findings)
			}
		})
	}
}

// The same messages in other chunks give the same timeline.
func TestRepackedChunks(t *testing.T) {
	all, made := readExpected(t)
	for _, id := range []string{"mcap-lz4-chunks", "mcap-zstd-chunks"} {
		t.Run(id, func(t *testing.T) {
			c, out := read(t, made[id].Path, Options{})
			want := all["mcap-jazzy-simstamps"]
			checkTotals(t, c, want)
			for name, topic := range want.Topics {
				checkTopic(t, c, name, topic)
			}
			if out.Partial || len(out.Findings) > 0 {
				t.Errorf("%+v", out)
			}
		})
	}
}

func TestBrokenMCAP(t *testing.T) {
	_, made := readExpected(t)
	for id, finding := range map[string]string{
		"cut-in-chunk":     "truncated",
		"no-footer":        "not-closed",
		"flipped-byte-lz4": "damaged-chunk",
	} {
		t.Run(id, func(t *testing.T) {
			want := made[id]
			c, out := read(t, want.Path, Options{})
			if c.messages != want.Recoverable || c.last != want.Last {
				t.Errorf("%d messages until %d, want %d until %d", c.messages, c.last, want.Recoverable, want.Last)
			}
			for name, count := range want.PerTopic {
				if _, n := c.topic(name); n.count != count {
					t.Errorf("%s: %d messages, want %d", name, n.count, count)
				}
			}
			if !out.Partial || ids(out)[finding] != 1 || len(out.Findings) != 1 || len(c.holes) != 1 {
				t.Errorf("%+v, holes %+v", out, c.holes)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for path, want := range map[string]string{
		"edge-cases/corrupt-gz-log/state.tlog": "SQLite database without the tables of rosbag2",
		"derived/broken/cut.db3.zstd":          "truncated zstd file",
		"expected.json":                        "begins with",
		"rosbag2":                              "holds no .db3 or .mcap file",
	} {
		s, err := Open(recordings+"/"+path, Options{})
		if err == nil {
			_, err = s.Run(t.Context(), newCollector(t))
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
