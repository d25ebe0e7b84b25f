package ros

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
	"pgregory.net/rapid"
)

// A graphTest tells a graph of processes, each named by one letter.
type graphTest struct {
	testing.TB
	Graph
	now  clock.Mono
	next byte // id of the next endpoint
}

func newGraphTest(t testing.TB) *graphTest { return &graphTest{TB: t} }

func (g *graphTest) run(d time.Duration) { g.now = g.now.Add(d) }

func prefixOf(process byte) wire.GUIDPrefix { return wire.GUIDPrefix{1, 0x10, process} }

func (g *graphTest) joins(process byte, userData string, properties ...wire.Property) {
	g.Helper()
	err := g.SetParticipant(g.now, prefixOf(process), wire.CycloneDDS, &wire.ParticipantData{UserData: []byte(userData), Properties: properties})
	if err != nil {
		g.Fatal(err)
	}
}

func (g *graphTest) ros(process byte) { g.Helper(); g.joins(process, "enclave=/;") }

// has adds an endpoint; kind is wire.KindWriter, wire.KindReader or one with a key.
func (g *graphTest) has(process, kind byte, topic, typ, userData string, p qos.Policies) wire.GUID {
	g.Helper()
	g.next++
	guid := wire.GUID{Prefix: prefixOf(process), Entity: wire.EntityID{0, 0, g.next, kind}}
	d := &wire.EndpointData{TopicName: topic, TypeName: typ, QoS: wire.EndpointQoS{UserData: []byte(userData)}}
	if err := g.SetEndpoint(g.now, guid, wire.CycloneDDS, d, p); err != nil {
		g.Fatal(err)
	}
	return guid
}

const (
	stringType = "std_msgs::msg::dds_::String_"
	stringHash = "typehash=RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18;"
	otherHash  = "typehash=RIHS01_0000000000000000000000000000000000000000000000000000000000000001;"
)

// node writes ros_discovery_info of a process with one node at the root.
func (g *graphTest) node(process byte, form GidForm, name string, endpoints ...wire.GUID) {
	g.Helper()
	n := NodeEntities{Namespace: "/", Name: name}
	for _, e := range endpoints {
		if e.Entity.IsWriter() {
			n.Writers = append(n.Writers, e)
		} else {
			n.Readers = append(n.Readers, e)
		}
	}
	g.writes(process, form, Entities{wire.GUID{Prefix: prefixOf(process), Entity: wire.ParticipantEntity}, []NodeEntities{n}})
}

func (g *graphTest) writes(process byte, form GidForm, e Entities) {
	g.Helper()
	payload, err := e.Append(nil, form)
	if err != nil {
		g.Fatal(err)
	}
	if err := g.SetNodes(g.now, prefixOf(process), payload); err != nil {
		g.Fatal(err)
	}
}

func (g *graphTest) wantNode(guid wire.GUID, want string) {
	g.Helper()
	if e, ok := g.Endpoint(g.now, guid); !ok || e.Node != want {
		g.Errorf("%v belongs to %q, %v; want %q", guid, e.Node, ok, want)
	}
}

// Real nodes announce incomplete lists first, so the name of an endpoint's node
// may be late by a second.
func TestEndpointsWithoutNodes(t *testing.T) {
	g := newGraphTest(t)
	g.ros('a')
	g.joins('b', "")
	talker := g.has('a', wire.KindWriter, "rt/chatter", stringType, stringHash, qos.DefaultWriter())
	bare := g.has('b', wire.KindWriter, "Square", "ShapeType", "", qos.DefaultWriter())
	graph := g.has('a', wire.KindWriter, DiscoveryTopic, "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_", "", DiscoveryWriterQoS())
	g.run(time.Second - 1)
	g.wantNode(talker, "")
	g.wantNode(bare, "")
	g.run(1)
	g.wantNode(talker, "_NODE_NAME_UNKNOWN_")
	g.wantNode(bare, "_CREATED_BY_BARE_DDS_APP_")
	g.wantNode(graph, "")
	g.node('a', ShortForm, "talker", talker)
	g.wantNode(talker, "/talker")
	// What is of another process is not its own to claim, nor is its own of the same id meant.
	g.node('b', ShortForm, "thief", wire.GUID{Prefix: prefixOf('a'), Entity: bare.Entity}, talker)
	g.wantNode(talker, "/talker")
	g.wantNode(bare, "_CREATED_BY_BARE_DDS_APP_")
	g.writes('a', ShortForm, Entities{wire.GUID{Prefix: prefixOf('a'), Entity: wire.ParticipantEntity}, nil})
	g.wantNode(talker, "_NODE_NAME_UNKNOWN_")
}

func TestWhatIsRefusedAsNodes(t *testing.T) {
	g := newGraphTest(t)
	g.ros('a')
	of := func(process byte) []byte {
		payload, _ := Entities{Participant: wire.GUID{Prefix: prefixOf(process), Entity: wire.ParticipantEntity}}.Append(nil, ShortForm)
		return payload
	}
	for name, c := range map[string]struct {
		from    byte
		payload []byte
		want    string
	}{
		"not announced": {'x', of('x'), "not announced"},
		"of another":    {'a', of('x'), "a participant tells of itself alone"},
		"cut":           {'a', of('a')[:23], "has neither form"},
		"large":         {'a', make([]byte, MaxGraphBytes), "ignored"},
	} {
		if err := g.SetNodes(g.now, prefixOf(c.from), c.payload); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if len(g.Nodes()) != 0 || g.participants[prefixOf('a')].info.Form != UnknownForm {
		t.Error("something of it was taken")
	}
}

func TestFormToPublish(t *testing.T) {
	for name, c := range map[string]struct {
		tell   func(g *graphTest)
		given  GidForm
		want   GidForm
		reason string
	}{
		"nobody": {func(*graphTest) {}, UnknownForm, UnknownForm, "no ROS participant"},
		"given":  {func(*graphTest) {}, LongForm, LongForm, "given"},
		"silent": {func(g *graphTest) { g.ros('a') }, UnknownForm, UnknownForm, "neither form yet"},
		"Humble": {func(g *graphTest) {
			g.ros('a')
			g.has('a', wire.KindWriter, "rt/chatter", stringType, "", qos.DefaultWriter())
			g.node('a', LongForm, "talker")
		}, UnknownForm, LongForm, "no other"},
		"Iron by its sample": {func(g *graphTest) { g.ros('a'); g.node('a', ShortForm, "talker") }, UnknownForm, ShortForm, "no other"},
		"Iron by a type hash": {func(g *graphTest) {
			g.ros('a')
			g.has('a', wire.KindWriter, "rt/chatter", stringType, stringHash, qos.DefaultWriter())
		}, UnknownForm, ShortForm, "no other"},
		"one is still unknown": {func(g *graphTest) { g.ros('a'); g.node('a', ShortForm, "talker"); g.ros('b') }, UnknownForm, UnknownForm, "neither form yet"},
		"mixed": {func(g *graphTest) {
			g.ros('a')
			g.node('a', ShortForm, "talker")
			g.ros('b')
			g.node('b', LongForm, "listener")
			g.ros('c')
		}, UnknownForm, UnknownForm, "mixed"},
		"mixed, but given": {func(g *graphTest) {
			g.ros('a')
			g.node('a', ShortForm, "talker")
			g.ros('b')
			g.node('b', LongForm, "listener")
		}, ShortForm, ShortForm, "given"},
		"a sample outweighs hashes": {func(g *graphTest) {
			g.ros('a')
			g.has('a', wire.KindWriter, "rt/chatter", stringType, stringHash, qos.DefaultWriter())
			g.node('a', LongForm, "talker")
		}, UnknownForm, LongForm, "no other"},
		"and those that come later": {func(g *graphTest) {
			g.ros('a')
			g.node('a', LongForm, "talker")
			g.has('a', wire.KindWriter, "rt/chatter", stringType, stringHash, qos.DefaultWriter())
		}, UnknownForm, LongForm, "no other"},
		"plain DDS beside": {func(g *graphTest) {
			g.ros('a')
			g.node('a', ShortForm, "talker")
			g.joins('b', "")
			g.has('b', wire.KindWriter, "Square", "ShapeType", "", qos.DefaultWriter())
		}, UnknownForm, ShortForm, "no other"},
		"plain DDS that reads along": {func(g *graphTest) {
			g.ros('a')
			g.node('a', ShortForm, "talker")
			g.joins('b', "")
			g.has('b', wire.KindReader, DiscoveryTopic, "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_", "", DiscoveryReaderQoS())
		}, UnknownForm, UnknownForm, "neither form yet"},
		"another takt that listens": {func(g *graphTest) {
			g.ros('a')
			g.node('a', LongForm, "talker")
			g.ros('b')
			g.has('b', wire.KindReader, DiscoveryTopic, "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_", string(DiscoveryReader().UserData), DiscoveryReaderQoS())
		}, UnknownForm, LongForm, "no other"},
	} {
		g := newGraphTest(t)
		c.tell(g)
		if form, reason := g.FormToPublish(c.given); form != c.want || !strings.Contains(reason, c.reason) {
			t.Errorf("%s: %v: %s; want %v: ...%s...", name, form, reason, c.want, c.reason)
		}
	}
}

func TestTopicsServicesAndActions(t *testing.T) {
	g := newGraphTest(t)
	g.ros('a')
	w := g.has('a', wire.KindWriter, "rt/chatter", stringType, stringHash, qos.DefaultWriter())
	r := g.has('a', wire.KindReader, "rt/chatter", stringType, stringHash, qos.DefaultReader())
	server := g.has('a', wire.KindReader, "rq/addRequest", "example_interfaces::srv::dds_::AddTwoInts_Request_", "", ServicesQoS())
	g.has('a', wire.KindWriter, "rr/addReply", "example_interfaces::srv::dds_::AddTwoInts_Response_", "", ServicesQoS())
	goals := g.has('a', wire.KindReader, "rq/fib/_action/send_goalRequest", "example_interfaces::action::dds_::Fibonacci_SendGoal_Request_", "", ServicesQoS())
	g.has('a', wire.KindReader, "rq/fib/_action/cancel_goalRequest", "action_msgs::srv::dds_::CancelGoal_Request_", "", ServicesQoS())
	g.has('a', wire.KindWriter, "Square", "ShapeType", "", qos.DefaultWriter())

	topics := g.Topics(g.now, Message)
	if len(topics) != 1 || topics[0].Topic.Name != "/chatter" || !slices.Equal(topics[0].Types, []string{"std_msgs/msg/String"}) ||
		topics[0].Writers[0].GUID != w || topics[0].Readers[0].GUID != r || topics[0].Writers[0].Hash.String() != stringHash[9:len(stringHash)-1] {
		t.Errorf("topics: %+v", topics)
	}
	if bare := g.Topics(g.now, NotROS); len(bare) != 1 || bare[0].Topic.Name != "Square" || bare[0].Types[0] != "ShapeType" {
		t.Errorf("topics of plain DDS: %+v", bare)
	}
	services := g.Services(g.now)
	if len(services) != 1 || services[0].Name != "/add" || services[0].Types[0] != "example_interfaces/srv/AddTwoInts" ||
		services[0].Servers[0].GUID != server || len(services[0].Clients) != 0 {
		t.Errorf("services: %+v", services)
	}
	actions := g.Actions(g.now)
	if len(actions) != 1 || actions[0].Name != "/fib" || actions[0].Types[0] != "example_interfaces/action/Fibonacci" || actions[0].Servers[0].GUID != goals {
		t.Errorf("actions: %+v", actions)
	}
}

func TestWhoAParticipantIs(t *testing.T) {
	g := newGraphTest(t)
	g.joins('a', "enclave=/lab;\x00", wire.Property{Name: "__ProcessName", Value: "python3"}, wire.Property{Name: "__Pid", Value: "7040"}, wire.Property{Name: "__Hostname", Value: "robot"})
	g.joins('b', "", wire.Property{Name: "PARTICIPANT_TYPE", Value: "CLIENT"}, wire.Property{Name: "fastdds.physical_data.host", Value: "vm:107806561077755904"}, wire.Property{Name: "fastdds.physical_data.process", Value: "21841"})
	shm := &wire.ParticipantData{DefaultUnicast: []wire.Locator{{Kind: wire.LocatorSHM, Port: 7411}}}
	if err := g.SetParticipant(g.now, prefixOf('c'), wire.FastDDS, shm); err != nil {
		t.Fatal(err)
	}
	all := g.Participants()
	a, b, c := all[0], all[1], all[2]
	if !a.ROS || a.Enclave != "/lab" || a.Process != "python3" || a.PID != "7040" || a.Host != "robot" || a.SHMOnly {
		t.Errorf("a: %+v", a)
	}
	if b.ROS || b.Kind != "CLIENT" || b.Host != "vm" || b.PID != "21841" {
		t.Errorf("b: %+v", b)
	}
	if !c.SHMOnly || c.Vendor != wire.FastDDS {
		t.Errorf("c: %+v", c)
	}
}

func TestChangesAreTold(t *testing.T) {
	g := newGraphTest(t)
	g.ros('a')
	w := g.has('a', wire.KindWriter, "rt/chatter", stringType, "", qos.DefaultWriter())
	g.node('a', ShortForm, "talker", w)
	version := g.Version()
	g.node('a', ShortForm, "talker", w) // nothing new
	g.ros('a')
	if g.Version() != version {
		t.Error("the version moves without a change")
	}
	g.RemoveParticipant(g.now, prefixOf('a'))
	g.RemoveParticipant(g.now, prefixOf('a'))
	var told []string
	changes, missed := g.Changes()
	for _, c := range changes {
		told = append(told, c.String())
	}
	p := prefixOf('a').String()
	want := []string{"participant " + p + " appeared", "a publisher of /chatter appeared", "/talker appeared",
		"/talker is gone", "a publisher of /chatter is gone", "participant " + p + " is gone"}
	if !slices.Equal(told, want) || missed != 0 {
		t.Errorf("told %q, %d missed", told, missed)
	}
	if again, _ := g.Changes(); len(again) != 0 {
		t.Errorf("told twice: %v", again)
	}
}

// What a flood leaves is bounded, and established participants stay.
func TestFlood(t *testing.T) {
	g := newGraphTest(t)
	g.ros('a')
	w := g.has('a', wire.KindWriter, "rt/chatter", stringType, "", qos.DefaultWriter())
	g.ros('b')
	var err error
	name := "rt/" + strings.Repeat("x", 60_000)
	for i := 0; err == nil; i++ {
		guid := wire.GUID{Prefix: prefixOf('b'), Entity: wire.EntityID{byte(i >> 8), byte(i), 0, wire.KindWriter}}
		err = g.SetEndpoint(g.now, guid, wire.FastDDS, &wire.EndpointData{TopicName: name + fmt.Sprint(i)}, qos.Policies{})
		if i > 1000 {
			t.Fatal("it takes everything")
		}
	}
	if !errors.Is(err, ErrGraphFull) || g.bytes > MaxGraphBytes {
		t.Errorf("%v, %d bytes", err, g.bytes)
	}
	g.node('a', ShortForm, "talker", w) // small enough to fit still
	g.wantNode(w, "/talker")
	for range maxChanges {
		g.RemoveParticipant(g.now, prefixOf('c'))
		g.ros('c')
	}
	if changes, missed := g.Changes(); len(changes) != maxChanges || missed == 0 {
		t.Errorf("%d changes kept, %d missed", len(changes), missed)
	}
}

// Whatever comes and goes in whatever order, nothing remains of what is gone.
func TestNothingRemains(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		g := newGraphTest(t)
		process := rapid.ByteRange('a', 'c')
		guid := func() wire.GUID {
			kind := rapid.SampledFrom([]byte{wire.KindWriter, wire.KindReader}).Draw(r, "kind")
			return wire.GUID{Prefix: prefixOf(process.Draw(r, "process")), Entity: wire.EntityID{0, 0, rapid.ByteRange(0, 3).Draw(r, "id"), kind}}
		}
		r.Repeat(map[string]func(*rapid.T){
			"participant": func(r *rapid.T) {
				g.joins(process.Draw(r, "process"), rapid.SampledFrom([]string{"", "enclave=/;", "enclave=/lab;"}).Draw(r, "data"))
			},
			"farewell": func(r *rapid.T) { g.RemoveParticipant(g.now, prefixOf(process.Draw(r, "process"))) },
			"endpoint": func(r *rapid.T) {
				d := &wire.EndpointData{TopicName: rapid.SampledFrom([]string{"rt/a", "rt/bcd", DiscoveryTopic}).Draw(r, "topic")}
				if err := g.SetEndpoint(g.now, guid(), wire.FastDDS, d, qos.Policies{}); err != nil && err != ErrNotAnnounced {
					r.Fatal(err)
				}
			},
			"dispose": func(*rapid.T) { g.RemoveEndpoint(g.now, guid()) },
			"nodes": func(r *rapid.T) {
				p := process.Draw(r, "process")
				e := Entities{wire.GUID{Prefix: prefixOf(p), Entity: wire.ParticipantEntity}, nil}
				for range rapid.IntRange(0, 2).Draw(r, "nodes") {
					e.Nodes = append(e.Nodes, NodeEntities{"/", rapid.SampledFrom([]string{"x", "yz"}).Draw(r, "name"), nil, []wire.GUID{guid()}})
				}
				payload, _ := e.Append(nil, ShortForm)
				if err := g.SetNodes(g.now, prefixOf(p), payload); err != nil && err != ErrNotAnnounced {
					r.Fatal(err)
				}
			},
			"": func(r *rapid.T) {
				if g.bytes < 0 {
					r.Fatalf("%d bytes", g.bytes)
				}
				g.Mismatches(g.now)
			},
		})
		for p := byte('a'); p <= 'c'; p++ {
			g.RemoveParticipant(g.now, prefixOf(p))
		}
		if g.bytes != 0 || len(g.Nodes()) != 0 || len(g.Topics(g.now, Message)) != 0 {
			r.Fatalf("left: %d bytes, %v", g.bytes, g.Nodes())
		}
	})
}
