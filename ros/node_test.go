package ros

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// raw is an endpoint without user data.
func raw(topic string) rtps.EndpointConfig {
	return rtps.EndpointConfig{Topic: topic, Type: "std_msgs::msg::dds_::String_"}
}

// marked waits until a foreign process sees a writer that a node announces last:
// writers are announced in order, so one that it has not seen by then was not
// announced before.
func marked(t *testing.T, n *Node, f *foreign, topic string) {
	t.Helper()
	if _, err := n.NewWriter(raw(topic)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the node's last writer is announced", func() bool { return f.sees(n, topic) > 0 })
}

func (n *Node) knows(p wire.GUIDPrefix, holds func(Participant) bool) bool {
	found := false
	n.Graph(func(g *Graph) {
		for _, known := range g.Participants() {
			found = found || known.Prefix == p && holds(known)
		}
	})
	return found
}

func anyParticipant(Participant) bool { return true }

func TestObserverPublishesNothing(t *testing.T) {
	f := joinForeign(t, "enclave=/;")
	f.hashes()
	n := joinNode(t, Config{})
	eventually(t, "the form of the other is known", func() bool {
		return n.knows(f.Prefix(), func(p Participant) bool { return p.Form == ShortForm })
	})
	if _, err := n.NewReader(raw("rt/topic"), func(*rtps.Sample) {}); err != nil {
		t.Fatal(err)
	}
	marked(t, n, f, "rt/last")
	eventually(t, "the reader of ros_discovery_info and the two of the test are announced", func() bool { return len(f.all(n)) == 3 })
	for guid, e := range f.all(n) {
		if len(e.QoS.UserData) == 0 {
			t.Errorf("%v of %s is announced without user data, for which nodes log a warning", guid, e.TopicName)
		}
		if e.TopicName == DiscoveryTopic && guid.Entity.IsWriter() {
			t.Error("an observer announces a writer of ros_discovery_info")
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if d := f.participants[n.Prefix()]; string(d.UserData) != "enclave=/;" {
		t.Errorf("user data of the participant: %q", d.UserData)
	}
}

func TestNodeWaitsForTheForm(t *testing.T) {
	f := joinForeign(t, "enclave=/;")
	var turns atomic.Int64
	n := joinNode(t, Config{Name: "takt", Changed: func() { turns.Add(1) }})
	eventually(t, "the node knows the other, and has thought it over", func() bool {
		return turns.Load() > 0 && n.knows(f.Prefix(), anyParticipant)
	})
	form, reason := n.Form()
	if form != UnknownForm || !strings.Contains(reason, "neither form") {
		t.Errorf("form to publish: %v, %q", form, reason)
	}
	marked(t, n, f, "rt/before")
	if w := f.sees(n, DiscoveryTopic); w != 0 || len(f.heard()) != 0 {
		t.Fatalf("%d writers of ros_discovery_info and %d samples before the form is known, want none", w, len(f.heard()))
	}
	f.hashes()
	eventually(t, "the node is published", func() bool { return len(f.heard()) > 0 })
	eventually(t, "and one writer of ros_discovery_info is announced", func() bool { return f.sees(n, DiscoveryTopic) == 1 })
}

// Others show a form by what they write, or the short one by a type hash.
func TestNodeIsPublishedInTheFormOfOthers(t *testing.T) {
	for _, c := range []struct {
		name  string
		gid   int
		given GidForm
		show  func(f *foreign)
	}{
		{"long, written", 24, UnknownForm, func(f *foreign) { f.writes(info(24, f.Prefix(), "", "", nil, nil)) }},
		{"short, written", 16, UnknownForm, func(f *foreign) { f.writes(info(16, f.Prefix(), "/", "other", nil, nil)) }},
		{"short, hashed", 16, UnknownForm, (*foreign).hashes},
		{"long, given", 24, LongForm, func(*foreign) {}},
		{"short, given", 16, ShortForm, func(*foreign) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := joinForeign(t, "enclave=/;")
			n := joinNode(t, Config{Name: "timer", Namespace: "/takt", Form: c.given})
			c.show(f)
			f.hears(info(c.gid, n.Prefix(), "/takt", "timer", nil, nil))
			w, err := n.NewWriter(raw("rt/a"))
			if err != nil {
				t.Fatal(err)
			}
			f.hears(info(c.gid, n.Prefix(), "/takt", "timer", nil, []wire.GUID{w.GUID()}))
			r, err := n.NewReader(raw("rt/b"), func(*rtps.Sample) {})
			if err != nil {
				t.Fatal(err)
			}
			f.hears(info(c.gid, n.Prefix(), "/takt", "timer", []wire.GUID{r.GUID()}, []wire.GUID{w.GUID()}))
			n.Remove(w)
			f.hears(info(c.gid, n.Prefix(), "/takt", "timer", []wire.GUID{r.GUID()}, nil))
			for guid, e := range f.all(n) {
				if len(e.QoS.UserData) == 0 {
					t.Errorf("%v of %s has no user data", guid, e.TopicName)
				}
			}
			if faults := n.Faults(); faults != (Faults{}) {
				t.Errorf("faults: %+v", faults)
			}
		})
	}
}

// A newcomer of the other form gets not one sample, neither before it shows its
// form nor after; and the node comes back when it is gone.
func TestNodeHidesFromNewcomersOfAnotherForm(t *testing.T) {
	old := joinForeign(t, "enclave=/;")
	old.hashes()
	n := joinNode(t, Config{Name: "takt"})
	want := info(16, n.Prefix(), "/", "takt", nil, nil)
	old.hears(want)
	for i := range 5 {
		humble := joinForeign(t, "enclave=/;")
		humble.writes(info(24, humble.Prefix(), "/", "talker", nil, nil))
		eventually(t, "the newcomer's form is known", func() bool {
			return n.knows(humble.Prefix(), func(p Participant) bool { return p.Form == LongForm && p.FormBySample })
		})
		if form, reason := n.Form(); form != UnknownForm || !strings.Contains(reason, "mixed") {
			t.Errorf("form to publish in a mixed graph: %v, %q", form, reason)
		}
		eventually(t, "the writer is gone", func() bool { return old.sees(n, DiscoveryTopic) == 0 })
		before := len(old.heard())
		if got := humble.heard(); len(got) != 0 {
			t.Fatalf("newcomer %d got %x", i, got)
		}
		if err := humble.Participant.Close(); err != nil {
			t.Fatal(err)
		}
		if got := humble.heard(); len(got) != 0 {
			t.Fatalf("newcomer %d got %x", i, got)
		}
		eventually(t, "the node is published again", func() bool { return len(old.heard()) > before })
		old.hears(want)
	}
}

func TestBadNodesAreCounted(t *testing.T) {
	f := joinForeign(t, "enclave=/;")
	n := joinNode(t, Config{})
	f.writes([]byte{0, 1, 0, 0, 1, 2, 3, 4})
	eventually(t, "the fault is counted", func() bool { return n.Faults().BadNodes == 1 })
	if err := n.Faults().Last; err == nil || !strings.Contains(err.Error(), "neither form") {
		t.Errorf("the fault: %v", err)
	}
	w := f.writes(info(16, f.Prefix(), "/ns", "talker", nil, nil))
	defer w.Close()
	eventually(t, "the node of the other is known", func() bool {
		var nodes []GraphNode
		n.Graph(func(g *Graph) { nodes = g.Nodes() })
		return len(nodes) == 1 && nodes[0] == GraphNode{"/ns/talker", f.Prefix()}
	})
}

// What the graph has no room for may be of any form.
func TestFullGraphHidesTheNode(t *testing.T) {
	n := &Node{}
	n.graph.bytes = MaxGraphBytes
	prefix := wire.GUIDPrefix{1}
	withdraw := n.discovered(rtps.Event{Kind: rtps.ParticipantFound, At: clock.Mono(1), Remote: wire.GUID{Prefix: prefix}, Participant: &wire.ParticipantData{}}, &rtps.Directory{})
	if n.faults.Full != 1 || withdraw != nil {
		t.Errorf("faults %+v, withdrawn %v", n.faults, withdraw)
	}
	if form, reason := n.Form(); form != UnknownForm || !strings.Contains(reason, "no room") {
		t.Errorf("form to publish: %v, %q", form, reason)
	}
	n.c.Form = ShortForm
	if form, _ := n.Form(); form != ShortForm {
		t.Errorf("form to publish where it is given: %v", form)
	}
}

func TestJoinRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		config Config
		want   string
	}{
		"bad name":      {Config{Name: "a b"}, "not a ROS name"},
		"bad namespace": {Config{Name: "a", Namespace: "b"}, "does not begin with a slash"},
		"range OFF":     {Config{Environment: Environment{Range: Off}}, "ROS_AUTOMATIC_DISCOVERY_RANGE=\"OFF\""},
	} {
		if n, err := Join(c.config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
			if n != nil {
				n.Close()
			}
		}
	}
}

func TestCloseTwice(t *testing.T) {
	n := joinNode(t, Config{})
	for range 2 {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := Publish[Clock](n, "clock", qos.Policies{History: qos.KeepLast(1)}); err == nil {
		t.Error("a node that has left publishes")
	}
}

// Nodes of takt that start at once neither keep each other from being published
// nor take each other for nodes of the other form.
func TestNodesOfTaktMeet(t *testing.T) {
	for _, gid := range []int{16, 24} {
		f := joinForeign(t, "enclave=/;")
		var nodes []*Node
		for range 4 {
			nodes = append(nodes, joinNode(t, Config{Name: "takt"}))
		}
		f.writes(info(gid, f.Prefix(), "", "", nil, nil))
		for _, n := range nodes {
			if _, err := Publish[Clock](n, "clock", DefaultQoS()); err != nil { // its type has a hash, which alone tells of the short form
				t.Fatal(err)
			}
		}
		for _, n := range nodes {
			eventually(t, "each node is published with its publisher", func() bool {
				heard := f.heard()
				return slices.ContainsFunc(heard, func(b []byte) bool {
					e, form, err := ParseEntities(b)
					return err == nil && e.Participant.Prefix == n.Prefix() && (form == LongForm) == (gid == 24) && len(e.Nodes[0].Writers) == 1
				})
			})
			eventually(t, "each node knows all others", func() bool {
				var known []GraphNode
				n.Graph(func(g *Graph) { known = g.Nodes() })
				return len(known) == len(nodes)-1
			})
		}
		for _, n := range nodes {
			n.Close()
		}
		f.Participant.Close()
	}
}
