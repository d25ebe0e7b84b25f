package pcap

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

const captures = "../../../testdata/captures"

// expected is what came with a capture: see testdata/captures/README.md.
type expected struct {
	Frames       uint64            `json:"frames_rtps"`
	First        int64             `json:"first_packet_ns"`
	Duration     float64           `json:"duration_s"`
	Submessages  map[string]uint64 `json:"submessages"`
	EndpointsAll int               `json:"endpoints_in_all"`
	Participants []struct {
		Prefix    string   `json:"guid_prefix"`
		UserData  string   `json:"user_data"`
		Lease     float64  `json:"lease_s"`
		Nodes     []string `json:"nodes"`
		FirstSeen float64  `json:"first_seen_s"`
		Left      *float64 `json:"left_s"`
	} `json:"participants"`
	Endpoints []struct {
		GUID        string `json:"guid"`
		Kind        string `json:"kind"`
		Topic       string `json:"topic"`
		Type        string `json:"type"`
		Reliability string `json:"reliability"`
		Durability  string `json:"durability"`
		History     string `json:"history"`
		Node        string `json:"node"` // null: none
		UserData    string `json:"user_data"`
	} `json:"endpoints"`
	Streams []struct {
		Writer string  `json:"writer"`
		Topic  string  `json:"topic"`
		First  int64   `json:"sn_first"`
		Last   int64   `json:"sn_last"`
		Seen   uint64  `json:"sn_seen"`
		Rate   float64 `json:"rate_hz_by_source_time"`

		SimFirst *int64              `json:"sim_first_ns"` // of /clock
		SimLast  *int64              `json:"sim_last_ns"`
		RTF      *float64            `json:"real_time_factor"`
		Readers  []expectedReception `json:"readers"`
	} `json:"streams"`
	Calls []expectedCall `json:"service_calls"`
}

// allExpected returns what came with each capture, by file.
func allExpected(t *testing.T) (all map[string]expected) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(captures, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != 10 {
		t.Fatalf("%d captures are described, not 10", len(all))
	}
	return all
}

func TestCapturesHoldWhatCameWithThem(t *testing.T) {
	for name, want := range allExpected(t) {
		t.Run(name, func(t *testing.T) {
			g := listen(t, name, want)
			checkParticipants(t, g, want)
			checkEndpoints(t, g, want)
			checkSamples(t, g, want)
			checkReceptions(t, g, want)
		})
	}
}

func listen(t *testing.T, name string, want expected) *Graph {
	t.Helper()
	f, err := os.Open(filepath.Join(captures, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var g Graph
	var last clock.Wall
	counts, err := Read(f, func(d Datagram) {
		g.Take(d)
		last = max(last, d.At)
	})
	g.End()
	if err != nil || counts.Ended != nil || counts.Cut != 0 || counts.Unreadable != 0 || g.Refused != 0 {
		t.Errorf("got %+v, %d refused, error %v", counts, g.Refused, err)
	}
	if counts.RTPS != want.Frames {
		t.Errorf("%d datagrams, want %d", counts.RTPS, want.Frames)
	}
	if got := last.Sub(clock.Wall(want.First)).Seconds(); math.Abs(got-want.Duration) > 1e-6 {
		t.Errorf("lasts %v s, want %v s", got, want.Duration)
	}
	got := map[string]uint64{}
	for id, n := range g.Tally.Submessages {
		if n > 0 {
			got[wire.SubmessageID(id).String()] = n
		}
	}
	if diff := cmp.Diff(want.Submessages, got); diff != "" {
		t.Errorf("submessages (-want +got):\n%s", diff)
	}
	for problem, n := range g.Tally.Rejected {
		if n > 0 {
			t.Errorf("%d refused for problem %v", n, wire.Problem(problem))
		}
	}
	return &g
}

func checkParticipants(t *testing.T, g *Graph, want expected) {
	t.Helper()
	if len(g.participants) != len(want.Participants) {
		t.Errorf("%d participants, want %d", len(g.participants), len(want.Participants))
	}
	since := func(at clock.Wall) float64 { return at.Sub(clock.Wall(want.First)).Seconds() }
	for _, w := range want.Participants {
		p := g.participants[wire.GUIDPrefix(unhex(t, w.Prefix))]
		if p == nil {
			t.Errorf("participant %s is missing", w.Prefix)
			continue
		}
		if p.UserData != w.UserData || math.Abs(since(p.FirstSeen)-w.FirstSeen) > 1e-6 {
			t.Errorf("participant %s: user data %q since %v s, want %+v", w.Prefix, p.UserData, since(p.FirstSeen), w)
		}
		if diff := cmp.Diff(w.Nodes, p.Nodes, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("participant %s: nodes (-want +got):\n%s", w.Prefix, diff)
		}
		if !p.Lease.Set || p.Lease.Value.Seconds() != w.Lease {
			t.Errorf("participant %s: lease %v, want %v s", w.Prefix, p.Lease, w.Lease)
		}
		if p.Left.Set != (w.Left != nil) || p.Left.Set && math.Abs(since(p.Left.Value)-*w.Left) > 1e-6 {
			t.Errorf("participant %s left %v at %v s, want %+v", w.Prefix, p.Left.Set, since(p.Left.Value), w.Left)
		}
	}
}

func checkEndpoints(t *testing.T, g *Graph, want expected) {
	t.Helper()
	if len(g.endpoints) != want.EndpointsAll {
		t.Errorf("%d endpoints, want %d", len(g.endpoints), want.EndpointsAll)
	}
	reliability := map[string]qos.Reliability{"reliable": qos.Reliable, "best_effort": qos.BestEffort}
	durability := map[string]qos.Durability{"volatile": qos.Volatile, "transient_local": qos.TransientLocal}
	history := map[string]qos.History{"keep_all": qos.KeepAll(), "keep_last 1": qos.KeepLast(1), "keep_last 5": qos.KeepLast(5),
		"keep_last 10": qos.KeepLast(10), "keep_last 50": qos.KeepLast(50), "keep_last 100": qos.KeepLast(100),
		"keep_last 1000": qos.KeepLast(1000)}
	for _, w := range want.Endpoints {
		e := g.endpoints[guid(t, w.GUID)]
		if e == nil {
			t.Errorf("endpoint %s of %s is missing", w.GUID, w.Topic)
			continue
		}
		if e.DDSTopic != w.Topic || e.DDSType != w.Type || e.UserData != w.UserData || e.Node != w.Node ||
			e.GUID.Entity.IsWriter() != (w.Kind == "writer") ||
			e.QoS.Reliability != reliability[w.Reliability] || e.QoS.Durability != durability[w.Durability] ||
			e.QoS.History != history[w.History] {
			t.Errorf("got %+v, want %+v", e, w)
		}
		if hash := "typehash=" + e.TypeHash.Value.String() + ";"; e.TypeHash.Set && !strings.HasSuffix(w.UserData, hash) {
			t.Errorf("%s: type hash %s, want %s", w.Topic, hash, w.UserData)
		}
	}
}

func checkSamples(t *testing.T, g *Graph, want expected) {
	t.Helper()
	for _, w := range want.Streams {
		s := g.streams[guid(t, w.Writer)]
		if s == nil {
			t.Errorf("no samples of %s", w.Topic)
			continue
		}
		if int64(s.First()) != w.First || int64(s.Last()) != w.Last || s.Seen != w.Seen || s.Uncounted != 0 {
			t.Errorf("%s: samples %d to %d, %d seen, want %+v", w.Topic, s.First(), s.Last(), s.Seen, w)
		}
		if hz, ok := s.RateHz(); !ok || math.Abs(hz-w.Rate) > 1e-6 {
			t.Errorf("%s: %v Hz, want %v Hz", w.Topic, hz, w.Rate)
		}
		missing := uint64(0)
		for _, r := range s.Missing() {
			missing += uint64(r.Last - r.First + 1)
		}
		if all := uint64(w.Last - w.First + 1); missing != all-w.Seen {
			t.Errorf("%s: %d missing, want %d of %d", w.Topic, missing, all-w.Seen, all)
		}
	}
}

func guid(t *testing.T, text string) wire.GUID {
	t.Helper()
	return wire.ParseGUID([16]byte(unhex(t, text)))
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
