package analysis

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/timeline"
)

func TestAgeIsNotResultLatency(t *testing.T) {
	p := newTape(t, Options{}) // transport 0.6 ms, body 100 ms
	for i := range 50 {
		d := time.Duration(i) * 200 * ms
		p.dated("/image", d+600*us, d)
		p.dated("/detections", d+100*ms+600*us, d)
	}
	_, topics, _ := p.end()
	p.want("age", &topics["/image"].AgeS.Max, 0.0006)
	p.want("result latency", &topics["/detections"].AgeS.Max, 0.1006)
}

// Transforms come every 10 ms and are 100 ms old when they come, so just
// before the next one the newest is 110 ms behind.
func TestBehind(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 98 {
		at := time.Duration(i) * ms
		p.tick(at, 139603*ms+at)
		if i%10 == 0 {
			p.stamped("/tf", at, clock.Sim(139503*ms+at))
		}
	}
	_, topics, _ := p.end()
	p.want("behind", &topics["/tf"].BehindS.Max, 0.110)
}

// The asked time is 139.700 s, the newest transform 139.593 s: 107 ms behind.
func TestBehindAtTheEnd(t *testing.T) {
	p := newTape(t, Options{})
	p.tick(0, 139593*ms)
	p.stamped("/tf", 0, clock.Sim(139593*ms))
	p.tick(107*ms, 139700*ms)
	_, topics, _ := p.end()
	p.want("behind", &topics["/tf"].BehindS.Max, 0.107)
}

func TestMixedStampsHaveNoAge(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 100 {
		d := time.Duration(i) * 10 * ms
		p.tick(d, d+time.Second)
		if i%2 == 0 {
			p.dated("/odom", d, d)
		} else {
			p.stamped("/odom", d, clock.Sim(d+time.Second))
		}
	}
	_, topics, found := p.end()
	if o := topics["/odom"]; o.Stamps.Domain != "mixed" || o.AgeS != nil {
		t.Errorf("domain %s, age %v", o.Stamps.Domain, o.AgeS)
	}
	p.wantFinding(found, "/odom stamps-mixed")
}

func TestStampsBeforeTheFirstTickDoNotMix(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 100 {
		d := time.Duration(i) * 10 * ms
		p.stamped("/odom", d, clock.Sim(d+time.Second))
		if i >= 30 {
			p.tick(d, d+time.Second)
		}
	}
	_, topics, _ := p.end()
	if o := topics["/odom"]; o.Stamps.Domain != "simulated" || o.AgeS.Count != 69 {
		t.Errorf("domain %s, %d ages", o.Stamps.Domain, o.AgeS.Count)
	}
}

func TestStampOrder(t *testing.T) {
	p := newTape(t, Options{})
	for i, stamp := range []time.Duration{0, 10, 10, 30, 20, 40} {
		p.dated("/a", time.Duration(i)*10*ms, stamp*ms)
	}
	p.stamped("/a", 60*ms, 0)
	_, topics, _ := p.end()
	s := topics["/a"].Stamps
	if s.Nonzero != 6 || s.Zero != 1 || s.Equal != 1 || s.Backward != 1 {
		t.Errorf("%+v", s)
	}
}

func TestGapsOfAPeriodicTopic(t *testing.T) {
	p := newTape(t, Options{})
	at := time.Duration(0)
	for i := range 200 {
		at += 10 * ms
		switch i {
		case 100:
			at += 90 * ms // an interval of 100 ms
		case 150:
			at += 25 * ms // 35 ms
		case 160:
			at += 15 * ms // 25 ms is no gap at a factor of 3
		}
		p.msg("/scan", at)
	}
	_, topics, found := p.end()
	g := topics["/scan"].Gaps
	if g == nil || g.Count != 2 || len(g.Longest) != 2 {
		t.Fatalf("gaps %+v", g)
	}
	p.want("longest", &g.Longest[0].LengthS, 0.100)
	p.want("its start", &g.Longest[0].AtS, 0.990)
	p.want("total", &g.TotalS, 0.135)
	p.wantFinding(found, "/scan gaps")
}

func TestHoleIsNoGap(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 200 {
		if i == 100 {
			p.hole(1000*ms, 1490*ms)
		}
		if i < 100 || i >= 150 {
			p.tick(time.Duration(i)*10*ms, time.Duration(i)*10*ms)
			p.msg("/scan", time.Duration(i)*10*ms)
		}
	}
	f, topics, found := p.end()
	s := topics["/scan"]
	if s.Gaps != nil || s.Unreadable != 1 || s.IntervalS.Count != 148 {
		t.Errorf("gaps %v, %d unreadable, %d intervals", s.Gaps, s.Unreadable, s.IntervalS.Count)
	}
	p.want("rtf", f.Clock.RTF, 1)
	p.want("longest silence", &f.Clock.LongestGap.LengthS, 0.010)
	p.wantFinding(found, "/scan interval-unreadable")
}

func TestBursts(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 300 { // ten at once, 10 times a second
		p.msg("/points", time.Duration(i/10)*100*ms+time.Duration(i%10)*100*us)
	}
	_, topics, found := p.end()
	b := topics["/points"].Bursts
	if b == nil || b.Count != 29 || b.MaxSize != 10 || b.MeanSize != 10 { // the first ten messages make the mean known
		t.Fatalf("bursts %+v", b)
	}
	p.want("spacing", &b.MeanSpacing, 0.1)
	if topics["/points"].Gaps != nil {
		t.Errorf("gaps %+v between bursts", topics["/points"].Gaps)
	}
	p.wantFinding(found, "/points bursts")
}

// 30 Hz, and every tenth message is not there.
func TestMissingByStamps(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 301 {
		d := time.Duration(i) * 33333333
		if i%10 != 5 {
			p.dated("/camera", d+2*ms, d)
		}
	}
	_, topics, found := p.end()
	if s := topics["/camera"].Stamps; s.Missing != 30 {
		t.Errorf("%d missing, want 30", s.Missing)
	}
	p.wantFinding(found, "/camera messages-missing")
}

func TestWhoIsLate(t *testing.T) {
	for name, c := range map[string]struct{ sent, path time.Duration }{
		"publisher": {90 * ms, 0},
		"path":      {0, 90 * ms},
		"both":      {45 * ms, 45 * ms},
	} {
		p := newTape(t, Options{})
		for i := range 100 {
			sent := time.Duration(i) * 20 * ms
			at := sent + ms
			if i == 50 {
				sent += c.sent
				at = sent + ms + c.path
			}
			if i > 50 && i < 56 {
				continue
			}
			p.add(timeline.Event{Kind: timeline.SampleArrived, Flags: timeline.HasSent, At: epoch + timeline.Instant(at), Sent: epoch + timeline.Instant(sent), Entity: p.id("/a")})
		}
		_, topics, _ := p.end()
		if l := topics["/a"].Late; l == nil || l.By != name || l.Evidence != "publish time" {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

func TestRateNowIsNotTheMean(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 1000 {
		p.msg("/fast", time.Duration(i)*10*ms)
	}
	for i := range 100 {
		p.msg("/fast", 10*time.Second+time.Duration(i)*100*ms)
	}
	p.msg("/stopped", 0)
	_, topics, _ := p.end()
	p.want("rate now", topics["/fast"].RateLastHz, 10)
	p.want("rate", topics["/fast"].RateHz, 1099/19.9)
}

func TestStoppedTopicHasARateThatFalls(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 101 {
		p.msg("/a", time.Duration(i)*10*ms)
	}
	p.msg("/b", 2*time.Second)
	_, topics, _ := p.end()
	p.want("rate now", topics["/a"].RateLastHz, 63/1.63) // 64 messages in 0.63 s, then 1 s of silence
	p.want("silence", topics["/a"].EndSilenceS, 1)
}

func TestLimitsCountExcesses(t *testing.T) {
	p := newTape(t, Options{Limits: map[string]Limits{"/a": {Interval: 10 * ms, Age: 2 * ms}}})
	for i, at := range []time.Duration{0, 10, 21, 30, 50} {
		p.dated("/a", at*ms, at*ms-time.Duration(i)*ms)
	}
	_, topics, _ := p.end()
	a := topics["/a"]
	if o := a.OverInterval; o.Of != 4 || o.Count != 2 || !near9(o.FirstAtS, 0.010) {
		t.Errorf("intervals %+v", o)
	}
	if o := a.OverAge; o.Of != 5 || o.Count != 2 || !near9(o.FirstAtS, 0.030) {
		t.Errorf("ages %+v", o)
	}
}

func TestOneMessageHasNoRate(t *testing.T) {
	p := newTape(t, Options{})
	p.msg("/a", 0)
	_, topics, _ := p.end()
	if a := topics["/a"]; a.RateHz != nil || a.IntervalS != nil || a.Count != 1 {
		t.Errorf("%+v", a)
	}
}

func TestNothing(t *testing.T) {
	f, _, found := newTape(t, Options{}).end()
	if f.Messages != 0 || f.Clock != nil || len(f.Topics) != 0 || len(found) != 0 {
		t.Errorf("%+v %v", f, found)
	}
}
