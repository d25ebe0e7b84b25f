package pcap

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/timeline"
)

// A collector is a sink that keeps everything, and checks what every timeline
// must keep.
type collector struct {
	t        testing.TB
	entities map[timeline.EntityID]timeline.Entity
	events   []timeline.Event
	last     timeline.Instant
	hostile  bool // the capture may break the order, and lack names
}

func (c *collector) Start(o timeline.Origin) {
	if c.entities != nil || o.Base.Clock != timeline.WallClock {
		c.t.Errorf("started twice, or not on the wall clock: %+v", o)
	}
	c.entities = map[timeline.EntityID]timeline.Entity{}
}

func (c *collector) Describe(e timeline.Entity) {
	if e.ID == 0 || e.Kind == 0 || e.Name == "" && !c.hostile {
		c.t.Errorf("described without id, kind or name: %+v", e)
	}
	if e.Parent != 0 && c.entities[e.Parent].ID == 0 {
		c.t.Errorf("parent of %+v is not described", e)
	}
	c.entities[e.ID] = e
}

func (c *collector) Events(batch []timeline.Event) {
	for _, e := range batch {
		if c.entities[e.Entity].ID == 0 {
			c.t.Errorf("entity is not described: %+v", e)
		}
		if e.At < c.last && !c.hostile {
			c.t.Errorf("before the one before: %+v", e)
		}
		c.last = e.At
	}
	if !c.hostile {
		c.events = append(c.events, batch...)
	}
}

// of returns the events of one kind on the entity of a kind and name, or node.
func (c *collector) of(kind timeline.Kind, on timeline.EntityKind, name string) (out []timeline.Event) {
	for _, e := range c.events {
		about := c.entities[e.Entity]
		if e.Kind == kind && about.Kind == on && (about.Name == name || about.Node == name && c.entities[about.Parent].Name != "/rosout" && c.entities[about.Parent].Name != "/parameter_events") {
			out = append(out, e)
		}
	}
	return out
}

func analyze(t testing.TB, name string, opt Options) (*collector, timeline.Outcome) {
	t.Helper()
	s, err := Open(name, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := &collector{t: t}
	outcome, err := s.Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return c, outcome
}

// What the timeline of each capture says of topics and readers is what was
// counted in the dissection.
func TestTimelineHoldsTheSamples(t *testing.T) {
	for name, want := range allExpected(t) {
		t.Run(name, func(t *testing.T) {
			c, outcome := analyze(t, filepath.Join(captures, name), Options{})
			if outcome.Partial {
				t.Errorf("partial: %+v", outcome.Findings)
			}
			for _, s := range want.Streams {
				topic, ok := strings.CutPrefix(s.Topic, "rt")
				if !ok {
					continue // a service
				}
				kind, on := timeline.SampleArrived, timeline.TopicEntity
				if topic == "/clock" {
					kind, on = timeline.TickArrived, timeline.ClockEntity
				}
				whole := s.Seen
				if r := s.Readers[0]; r.Fragments != nil {
					whole = uint64(len(r.Complete))
				}
				got := c.of(kind, on, topic)
				if uint64(len(got)) != whole {
					t.Errorf("%s: %d samples, want %d", topic, len(got), whole)
				}
				for _, e := range got {
					if !e.Has(timeline.HasSent) || e.At.Sub(e.Sent) < 0 || c.entities[e.Cause.Entity].Name != guid(t, s.Writer).String() {
						t.Errorf("%s: %+v by %+v", topic, e, c.entities[e.Cause.Entity])
					}
				}
				for _, r := range s.Readers {
					checkReader(t, c, r)
				}
			}
		})
	}
}

func checkReader(t *testing.T, c *collector, r expectedReception) {
	t.Helper()
	name := guid(t, r.Reader).String()
	arrived := c.of(timeline.SampleArrived, timeline.ReaderEntity, name)
	dropped := c.of(timeline.SampleDropped, timeline.ReaderEntity, name)
	missing := 0
	for _, m := range r.Missing {
		missing += int(m[1] - m[0] + 1)
	}
	if r.Fragments != nil {
		// Every incomplete one is followed by a complete one.
		missing = len(r.Incomplete)
	}
	if len(dropped) != missing {
		t.Errorf("reader %s: %d dropped, want %d", name, len(dropped), missing)
	}
	if r.Delivered != nil && uint64(len(arrived)) < *r.Delivered {
		t.Errorf("reader %s: %d arrived, %d were delivered", name, len(arrived), *r.Delivered)
	}
	asked := 0
	for _, e := range arrived {
		if e.Value > 0 {
			asked++
		}
	}
	repaired := 0
	for _, p := range r.Repaired {
		repaired += int(p[1] - p[0] + 1)
	}
	if asked != repaired {
		t.Errorf("reader %s: %d samples came after they were asked for, want %d", name, asked, repaired)
	}
}

// Losses are named for what the reader could know: a best-effort one misses the
// sample, a reliable one is told that the writer has it no more.
func TestReasonsOfLosses(t *testing.T) {
	for _, c := range []struct {
		capture, node string
		lost, over    int
	}{
		{"best_effort_loss20.pcap", "/sub_a", 172, 0},
		{"best_effort_loss20.pcap", "/sub_b", 143, 0},
		{"reliable_loss20.pcap", "/sub_d10", 0, 10},
		{"reliable_loss20.pcap", "/sub_d1", 0, 75},
		{"image_fragments_loss10.pcap", "/viewer_best_effort", 5, 0},
		{"multicast_join_leave_kill.pcap", "/listener", 0, 0},
	} {
		got, _ := analyze(t, filepath.Join(captures, c.capture), Options{})
		reasons := map[timeline.DropReason]int{}
		for _, e := range got.of(timeline.SampleDropped, timeline.ReaderEntity, c.node) {
			reasons[timeline.DropReason(e.Value)]++
		}
		if reasons[timeline.LostOnWire] != c.lost || reasons[timeline.OverwrittenAtWriter] != c.over || len(reasons) > 2 {
			t.Errorf("%s: %v, want %d lost and %d overwritten", c.node, reasons, c.lost, c.over)
		}
	}
}

// Simulated time ran from 0.055 s to 6.46 s at half speed.
func TestClockOfACapture(t *testing.T) {
	const name = "half_speed_clock_and_topics.pcap"
	c, _ := analyze(t, filepath.Join(captures, name), Options{})
	ticks := c.of(timeline.TickArrived, timeline.ClockEntity, "/clock")
	first, last := ticks[0], ticks[len(ticks)-1]
	for _, s := range allExpected(t)[name].Streams {
		if s.Topic != "rt/clock" {
			continue
		}
		if first.Value != *s.SimFirst || last.Value != *s.SimLast {
			t.Errorf("from %d to %d, want %d to %d", first.Value, last.Value, *s.SimFirst, *s.SimLast)
		}
		rtf := float64(last.Value-first.Value) / float64(last.Sent.Sub(first.Sent))
		if math.Abs(rtf-*s.RTF) > 1e-6 {
			t.Errorf("real time factor %v, want %v", rtf, *s.RTF)
		}
	}
}

// Header stamps are those of the publishers, who stamp before they send; these take
// 7 ms to fill in 900 kB.
func TestStampsOfACapture(t *testing.T) {
	c, _ := analyze(t, filepath.Join(captures, "image_640x480.pcap"), Options{})
	for _, e := range c.of(timeline.SampleArrived, timeline.TopicEntity, "/image_raw") {
		early := e.Sent.Sub(timeline.Instant(e.Stamp))
		if !e.Has(timeline.HasStamp|timeline.HasSent) || early < 0 || early > 10*time.Millisecond {
			t.Fatalf("stamped %v before it was sent: %+v", early, e)
		}
	}
}

func TestServiceCalls(t *testing.T) {
	const name = "service_calls.pcap"
	c, _ := analyze(t, filepath.Join(captures, name), Options{})
	want := allExpected(t)[name]
	steps := map[[2]uint64]map[timeline.ServiceStep]timeline.Event{}
	for _, e := range c.of(timeline.ServiceEvent, timeline.TopicEntity, "/reset") {
		key := [2]uint64{e.Cause.Number, e.Number}
		if steps[key] == nil {
			steps[key] = map[timeline.ServiceStep]timeline.Event{}
		}
		steps[key][timeline.ServiceStep(e.Value)] = e
	}
	if len(steps) != 12 || len(want.Calls) != 12 {
		t.Fatalf("%d calls, want 12", len(steps))
	}
	for _, w := range want.Calls {
		client, err := hex.DecodeString(w.Client)
		if err != nil {
			t.Fatal(err)
		}
		call := steps[[2]uint64{binary.LittleEndian.Uint64(client), uint64(w.Sequence)}]
		trip := call[timeline.ResponseReceived].At.Sub(call[timeline.RequestReceived].At)
		server := call[timeline.ResponseSent].Stamp - call[timeline.RequestSent].Stamp
		if len(call) != 4 || math.Abs(trip.Seconds()*1e3-w.RoundTrip) > 1e-6 || math.Abs(float64(server)/1e6-w.Server) > 1e-5 {
			t.Errorf("call %d: %v, server %d ns, want %+v", w.Sequence, trip, server, w)
		}
	}
}

func TestEndpointsOfACapture(t *testing.T) {
	c, _ := analyze(t, filepath.Join(captures, "multicast_join_leave_kill.pcap"), Options{})
	got := map[string]bool{}
	for _, e := range c.entities {
		if e.Kind == timeline.ReaderEntity && c.entities[e.Parent].Name == "/chatter" {
			got[e.Node] = e.Left
			if e.QoS == nil || e.Type != "std_msgs/msg/String" {
				t.Errorf("%+v", e)
			}
		}
	}
	// The listener leaves after the last sample. The victim's lease runs out.
	same(t, "readers, and whether they left", got, map[string]bool{"/listener": false, "/guest/visitor": true, "/victim": true})
}

func TestFindingsOfCaptures(t *testing.T) {
	for _, c := range []struct{ capture, id, subject, text string }{
		{"multicast_join_leave_kill.pcap", "participant-lost", "/victim", "longer than its lease of 10 s"},
		{"stopped_readers.pcap", "reader-silent", "/stopped_consumer_10hz of /rel_10hz", "2.114 s"},
		{"reliable_loss20.pcap", "repaired", "/sub_d10 of /rel_d10", "asked for 70 samples again that /pub_d10 had sent; 63 of them came, 7 never did, 0.250 ms after the hole was seen in the median, 160.177 ms at most"},
		{"image_fragments_loss10.pcap", "incomplete", "/viewer_best_effort of /thumb_be", "of 5 fragmented samples only parts came"},
	} {
		_, o := analyze(t, filepath.Join(captures, c.capture), Options{})
		found := false
		for _, f := range o.Findings {
			found = found || f.ID == c.id && f.Subject == c.subject && strings.Contains(f.Text, c.text)
		}
		if !found {
			t.Errorf("%s: no %s of %s in %+v", c.capture, c.id, c.subject, o.Findings)
		}
		for _, f := range o.Findings {
			if f.ID == "reader-silent" && f.Subject != c.subject {
				t.Errorf("%s: healthy readers are not silent: %+v", c.capture, f)
			}
		}
	}
}

// A capture that ends anywhere gives what came before, and says so.
func TestCutCaptures(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join(captures, "reliable_loss20.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "cut.pcap")
	for n := 24; n < len(whole); n += 9973 {
		if err := os.WriteFile(name, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		c, o := analyze(t, name, Options{})
		if n > 24 && !o.Partial {
			t.Errorf("of %d bytes: not partial", n)
		}
		if n > 300_000 && len(c.of(timeline.SampleArrived, timeline.TopicEntity, "/rel_d10")) == 0 {
			t.Errorf("of %d bytes: no sample", n)
		}
	}
}

// A capture that begins after the nodes announced themselves still has rates
// and ages, under the writers' names.
func TestCaptureBegunLate(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join(captures, "best_effort_loss20.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	late, seconds := append([]byte(nil), whole[:24]...), uint32(0)
	for at := 24; at < len(whole); {
		size := 16 + int(binary.LittleEndian.Uint32(whole[at+8:]))
		second := binary.LittleEndian.Uint32(whole[at:])
		if seconds == 0 {
			seconds = second
		}
		if second > seconds+5 {
			late = append(late, whole[at:at+size]...)
		}
		at += size
	}
	name := filepath.Join(t.TempDir(), "late.pcap")
	if err := os.WriteFile(name, late, 0o600); err != nil {
		t.Fatal(err)
	}
	c, o := analyze(t, name, Options{})
	writer := guid(t, "01100c128a140fb85827968c00001603").String()
	if n := len(c.of(timeline.SampleArrived, timeline.TopicEntity, writer)); n < 550 || n > 700 {
		t.Errorf("%d samples", n)
	}
	for _, f := range o.Findings {
		if f.ID == "not-announced" {
			return
		}
	}
	t.Errorf("findings: %+v", o.Findings)
}

func TestTopicsOfACapture(t *testing.T) {
	c, _ := analyze(t, filepath.Join(captures, "half_speed_clock_and_topics.pcap"),
		Options{Topics: func(name string) bool { return name == "/chatter" }, TimesOnly: true})
	for _, e := range c.entities {
		if e.Name != "/chatter" && c.entities[e.Parent].Name != "/chatter" {
			t.Errorf("%+v was not asked for", e)
		}
	}
	if n := len(c.of(timeline.SampleArrived, timeline.TopicEntity, "/chatter")); n != 129 {
		t.Errorf("%d samples, want 129", n)
	}
}
