package analysis

import (
	"slices"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/timeline"
)

// endpoint describes a writer or a reader of a topic, named by its GUID.
func (p *tape) endpoint(kind timeline.EntityKind, topic, node, guid string, q qos.Policies) timeline.EntityID {
	parent := p.id(topic)
	id := timeline.EntityID(len(p.ids) + 1)
	p.ids[guid] = id
	p.a.Describe(timeline.Entity{ID: id, Kind: kind, Name: guid, Parent: parent, Node: node, QoS: &q, Own: node == "takt"})
	return id
}

func (p *tape) writer(topic, node, guid string, q qos.Policies) timeline.EntityID {
	return p.endpoint(timeline.WriterEntity, topic, node, guid, q)
}

func (p *tape) reader(topic, node, guid string, q qos.Policies) timeline.EntityID {
	return p.endpoint(timeline.ReaderEntity, topic, node, guid, q)
}

// sample brings one of a writer to a topic or a reader.
func (p *tape) sample(to string, writer timeline.EntityID, number uint64, at, sent time.Duration) {
	p.add(timeline.Event{Kind: timeline.SampleArrived, Flags: timeline.HasSent, At: epoch + timeline.Instant(at), Entity: p.id(to),
		Number: number, Cause: timeline.Cause{Entity: writer, Number: number}, Sent: epoch + timeline.Instant(sent), Size: 100})
}

func (p *tape) drop(to string, writer timeline.EntityID, number uint64, reason timeline.DropReason) {
	p.add(timeline.Event{Kind: timeline.SampleDropped, At: epoch, Entity: p.id(to), Number: number,
		Cause: timeline.Cause{Entity: writer, Number: number}, Value: int64(reason)})
}

var reliable = qos.Policies{Reliability: qos.Reliable}

// A writer sends numbers 1 to 101 at 100 Hz, of which every second arrives,
// 2 ms after it was sent.
func TestSentRateIsIndependentOfLosses(t *testing.T) {
	p := newTape(t, Options{})
	w := p.writer("/scan", "/driver", "01", reliable)
	for n := uint64(1); n <= 101; n += 2 {
		sent := time.Duration(n) * 10 * ms
		p.sample("/scan", w, n, sent+2*ms, sent)
	}
	_, topics, _ := p.end()
	scan := topics["/scan"]
	got := scan.Writers[0]
	if got.Count != 51 || got.Node != "/driver" || got.QoS.Reliability != qos.Reliable {
		t.Errorf("%+v", got)
	}
	p.want("sent rate", got.SentRateHz, 100)
	p.want("rate", scan.RateHz, 50)
	p.want("age by source timestamp", &got.PathS.Mean, 0.002)
	p.want("size", &scan.SizeBytes.Mean, 100)
	p.want("bytes per second", scan.BytesPerS, 5000)
	if scan.SizeBytes.Max != 100 {
		t.Errorf("largest %d bytes", scan.SizeBytes.Max)
	}
}

func TestTwoWritersAreToldApart(t *testing.T) {
	p := newTape(t, Options{})
	a, b := p.writer("/tf", "/b", "01", reliable), p.writer("/tf", "/a", "02", reliable)
	for n := range uint64(11) {
		at := time.Duration(n) * 100 * ms
		p.sample("/tf", a, n+1, at, at)
		p.sample("/tf", b, 5*(n+1), at+50*ms, at+20*ms)
	}
	_, topics, _ := p.end()
	w := topics["/tf"].Writers
	if len(w) != 2 || w[0].Node != "/a" {
		t.Fatalf("writers not by node: %+v", w)
	}
	p.want("rate of /a", w[0].SentRateHz, 50)
	p.want("rate of /b", w[1].SentRateHz, 10)
	p.want("path of /a", &w[0].PathS.Max, 0.030)
	p.want("path of /b", &w[1].PathS.Max, 0)
}

// Of one writer /lidar misses three samples, for two reasons, and takt's own reader two.
func TestWhoseLosses(t *testing.T) {
	p := newTape(t, Options{})
	w := p.writer("/scan", "/driver", "01", reliable)
	p.reader("/scan", "/lidar", "02", reliable)
	p.reader("/scan", "takt", "03", reliable)
	p.sample("/scan", w, 1, 0, 0)
	p.sample("02", w, 1, 0, 0)
	p.drop("02", w, 2, timeline.LostOnWire)
	p.drop("02", w, 3, timeline.LostOnWire)
	p.drop("02", w, 4, timeline.OverwrittenAtWriter)
	p.drop("03", w, 2, timeline.Rejected)
	p.drop("03", w, 3, timeline.OverwrittenAtReader)
	f, topics, found := p.end()
	app, own := Losses{LostOnWire: 2, OverwrittenAtWriter: 1}, Losses{Rejected: 1, OverwrittenAtReader: 1}
	scan := topics["/scan"]
	if *scan.Losses != app || *scan.OwnLosses != own || *scan.Writers[0].Losses != app || *scan.Writers[0].OwnLosses != own {
		t.Errorf("of the topic %+v and %+v, of the writer %+v and %+v", scan.Losses, scan.OwnLosses, scan.Writers[0].Losses, scan.Writers[0].OwnLosses)
	}
	if r := scan.Readers[0]; r.Node != "/lidar" || *r.Received != 1 || *r.Losses != app {
		t.Errorf("%+v", r)
	}
	if f.Messages != 1 || scan.Count != 1 {
		t.Errorf("%d messages, %d of the topic, want the topic's one", f.Messages, scan.Count)
	}
	p.wantFinding(found, "/scan samples-lost")
	p.wantFinding(found, "/scan own-samples-lost")
}

func TestLossesUnknown(t *testing.T) {
	p := newTape(t, Options{})
	w := p.writer("/scan", "/driver", "01", reliable)
	p.reader("/scan", "/lidar", "02", reliable)
	p.sample("/scan", w, 1, 0, 0)
	_, topics, _ := p.end()
	if s := topics["/scan"]; s.Losses != nil || s.OwnLosses != nil || s.Readers[0].Received != nil {
		t.Errorf("nothing was said of a reader, but losses are %+v and %+v", s.Losses, s.OwnLosses)
	}
}

// What was lost leaves a long interval, and nobody was late.
func TestLostIsNotLate(t *testing.T) {
	p := newTape(t, Options{})
	w := p.writer("/scan", "/driver", "01", reliable)
	for n := range uint64(50) {
		if n < 20 || n > 24 {
			at := time.Duration(n) * 10 * ms
			p.sample("/scan", w, n+1, at, at)
		}
	}
	_, topics, _ := p.end()
	scan := topics["/scan"]
	p.want("longest interval", &scan.IntervalS.Max, 0.060)
	p.want("longest publish interval", &scan.PublishIntervalS.Max, 0.010)
	if scan.Late != nil {
		t.Errorf("%+v", scan.Late)
	}
}

// Number 2 was asked for twice and comes 30 ms after number 3.
func TestRepaired(t *testing.T) {
	p := newTape(t, Options{})
	w := p.writer("/scan", "/driver", "01", reliable)
	p.reader("/scan", "/lidar", "02", reliable)
	for _, to := range []string{"/scan", "02"} {
		p.sample(to, w, 1, 0, 0)
		p.sample(to, w, 3, 20*ms, 20*ms)
		p.add(timeline.Event{Kind: timeline.SampleArrived, At: epoch + timeline.Instant(50*ms), Entity: p.id(to),
			Number: 2, Cause: timeline.Cause{Entity: w, Number: 2}, Value: 2})
	}
	_, topics, _ := p.end()
	writer, reader := topics["/scan"].Writers[0], topics["/scan"].Readers[0]
	if writer.Repaired != 1 || reader.Repaired != 1 || *reader.Received != 3 {
		t.Errorf("repaired %d and %d, received %d", writer.Repaired, reader.Repaired, *reader.Received)
	}
	p.want("late at the topic", &writer.LateS.Max, 0.030)
	p.want("late at the reader", &reader.LateS.Max, 0.030)
}

func TestMismatchInWords(t *testing.T) {
	p := newTape(t, Options{})
	p.writer("/scan", "/driver", "01", qos.Policies{})
	p.reader("/scan", "/lidar", "02", reliable)
	p.reader("/scan", "/rviz", "03", qos.Policies{})
	p.reader("/scan", "takt", "04", reliable)
	f, found := p.a.Figures()
	scan := f.Topics[0]
	if len(scan.Mismatches) != 2 || scan.Mismatches[0].Own == scan.Mismatches[1].Own {
		t.Fatalf("%+v", scan.Mismatches)
	}
	i := slices.IndexFunc(found, func(n timeline.Finding) bool { return n.ID == "qos-mismatch" && n.Severity == timeline.Warning })
	if i < 0 {
		t.Fatalf("no warning in %+v", found)
	}
	if got, want := found[i].Text, "/lidar wants reliable, /driver offers best effort: they never connect"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := found[i].Remedy, "let /driver offer reliable, or /lidar want best effort"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What a later description says is matched anew: here the reader leaves.
func TestMismatchEnds(t *testing.T) {
	p := newTape(t, Options{})
	p.writer("/scan", "/driver", "01", qos.Policies{})
	id := p.reader("/scan", "/lidar", "02", reliable)
	_, topics, _ := p.end()
	if n := len(topics["/scan"].Mismatches); n != 1 {
		t.Fatalf("%d mismatches", n)
	}
	p.a.Describe(timeline.Entity{ID: id, Kind: timeline.ReaderEntity, Name: "02", Parent: p.id("/scan"), QoS: &reliable, Left: true})
	_, topics, found := p.end()
	if n := len(topics["/scan"].Mismatches); n != 0 {
		t.Errorf("%d mismatches with who has left", n)
	}
	p.wantFinding(found, "graph no-subscriber")
}

// Endpoints of different types are strangers, whatever their QoS.
func TestDifferentTypesAreNoMismatchOfQoS(t *testing.T) {
	p := newTape(t, Options{})
	p.writer("/scan", "/driver", "01", qos.Policies{})
	id := p.reader("/scan", "/lidar", "02", reliable)
	p.a.Describe(timeline.Entity{ID: id, Kind: timeline.ReaderEntity, Name: "02", Type: "std_msgs/msg/String", Parent: p.id("/scan"), QoS: &reliable})
	if _, topics, _ := p.end(); len(topics["/scan"].Mismatches) != 0 {
		t.Errorf("%+v", topics["/scan"].Mismatches)
	}
}

func TestTopicsWithOneSide(t *testing.T) {
	p := newTape(t, Options{})
	p.writer("/scan", "/driver", "01", reliable)
	p.reader("/scan", "takt", "02", reliable) // does not count
	p.writer("/rosout", "/driver", "03", reliable)
	p.reader("/cmd_vel", "/base", "04", reliable)
	_, found := p.a.Figures()
	var texts []string
	for _, n := range found {
		texts = append(texts, n.Text)
	}
	for _, want := range []string{"1 topic published with no subscriber: /scan", "1 topic subscribed to with no publisher: /cmd_vel"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no finding %q in %q", want, texts)
		}
	}
}

// A deadline of 100 ms, samples at 0 and 1.05 s: ten misses, which DDS counts.
// Without any sample it counts none, and that is said.
func TestDeadlines(t *testing.T) {
	p := newTape(t, Options{})
	wants := qos.Policies{Deadline: qos.Within(100 * ms)}
	w := p.writer("/scan", "/driver", "01", wants)
	p.reader("/scan", "/lidar", "02", wants)
	p.reader("/imu", "/filter", "03", wants)
	p.sample("/scan", w, 1, 0, 0)
	for i := range 10 {
		p.add(timeline.Event{Kind: timeline.DeadlineEvent, At: epoch + timeline.Instant(i+1)*timeline.Instant(100*ms), Entity: p.id("02"), Value: 1})
	}
	p.sample("/scan", w, 2, 1050*ms, 1050*ms)
	_, topics, found := p.end()
	if n := topics["/scan"].Readers[0].DeadlinesMissed; n == nil || *n != 10 {
		t.Errorf("missed %v, want 10", n)
	}
	if n := topics["/imu"].Readers[0].DeadlinesMissed; n != nil {
		t.Errorf("missed %d without a deadline event", *n)
	}
	p.wantFinding(found, "/imu never-received")
	p.wantNoFinding(found, "/scan never-received")
}

func TestReaderDescribedLate(t *testing.T) {
	p := newTape(t, Options{})
	p.id("/scan")
	const id = 9
	p.add(timeline.Event{Kind: timeline.SampleArrived, At: epoch, Entity: id})
	p.add(timeline.Event{Kind: timeline.SampleDropped, At: epoch, Entity: id, Value: int64(timeline.LostOnWire)})
	p.a.Describe(timeline.Entity{ID: id, Kind: timeline.ReaderEntity, Name: "02", Parent: p.id("/scan"), Node: "/lidar"})
	p.add(timeline.Event{Kind: timeline.SampleArrived, At: epoch, Entity: id})
	f, topics, _ := p.end()
	if len(f.Topics) != 1 || *topics["/scan"].Readers[0].Received != 2 || topics["/scan"].Readers[0].Losses.LostOnWire != 1 || f.Messages != 0 {
		t.Errorf("%d topics, %+v, %d messages", len(f.Topics), topics["/scan"].Readers, f.Messages)
	}
}

// On a monotonic axis, a stamp of the wall clock has an age where the offset is known.
func TestAgeOnAMonotonicAxis(t *testing.T) {
	a := New(Options{})
	offset := int64(epoch) - int64(5*time.Second)
	a.Start(timeline.Origin{Base: timeline.Base{Clock: timeline.MonoClock, WallOffset: offset}})
	a.Describe(timeline.Entity{ID: 1, Kind: timeline.TopicEntity, Name: "/scan"})
	a.Describe(timeline.Entity{ID: 2, Kind: timeline.WriterEntity, Name: "01", Parent: 1})
	for i := range 3 {
		at := 5*time.Second + time.Duration(i)*10*ms
		a.Events([]timeline.Event{{Kind: timeline.SampleArrived, Flags: timeline.HasStamp, At: timeline.Instant(at), Entity: 1,
			Cause: timeline.Cause{Entity: 2, Number: uint64(i) + 1}, Stamp: timeline.Stamp(epoch) + timeline.Stamp(i)*timeline.Stamp(10*ms) - timeline.Stamp(4*ms)}})
	}
	f, _ := a.Figures()
	scan := f.Topics[0]
	if scan.AgeS == nil || scan.AgeS.Clock != "wall" || scan.Writers[0].AgeS == nil {
		t.Fatalf("age %+v", scan.AgeS)
	}
	if !near9(scan.AgeS.Max, 0.004) || !near9(scan.Writers[0].AgeS.Max, 0.004) {
		t.Errorf("ages %v and %v, want 4 ms", scan.AgeS.Max, scan.Writers[0].AgeS.Max)
	}
}
