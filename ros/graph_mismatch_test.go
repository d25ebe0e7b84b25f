package ros

import (
	"fmt"
	"strings"
	"testing"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// connects adds a node that writes and one that reads /scan, each in a process
// of its own.
func (g *graphTest) connects(writer, reader qos.Policies) {
	g.ros('d')
	g.node('d', ShortForm, "driver", g.has('d', wire.KindWriter, "rt/scan", stringType, stringHash, writer))
	g.ros('l')
	g.node('l', ShortForm, "lidar", g.has('l', wire.KindReader, "rt/scan", stringType, stringHash, reader))
}

func (g *graphTest) wantMismatches(want ...string) {
	g.Helper()
	list, complete := g.Mismatches(g.now)
	var words []string
	for _, m := range list {
		words = append(words, m.Words)
		if m.Remedy == "" {
			g.Errorf("%s: no remedy", m.Words)
		}
	}
	if strings.Join(words, "\n") != strings.Join(want, "\n") || !complete {
		g.Errorf("got\n%s\nwant\n%s", strings.Join(words, "\n"), strings.Join(want, "\n"))
	}
}

func TestTypesDiffer(t *testing.T) {
	g := newGraphTest(t)
	g.connects(DefaultQoS(), DefaultQoS())
	g.ros('o')
	g.node('o', ShortForm, "other", g.has('o', wire.KindReader, "rt/scan", "std_msgs::msg::dds_::UInt64_", "", TFStaticQoS())) // more than is offered, but that no longer matters
	g.wantMismatches("/scan has endpoints of different types, which never connect: std_msgs/msg/String by /driver, /lidar, std_msgs/msg/UInt64 by /other")
}

func TestDefinitionsDiffer(t *testing.T) {
	g := newGraphTest(t)
	g.connects(DefaultQoS(), DefaultQoS())
	g.ros('o')
	g.node('o', ShortForm, "old", g.has('o', wire.KindReader, "rt/scan", stringType, otherHash, DefaultQoS()))
	g.wantMismatches("/scan: std_msgs/msg/String is defined differently by its users, who connect and may misread each other: " +
		"RIHS01_00000000... by /old, RIHS01_df668c74... by /driver, /lidar")
}

func TestKeysDiffer(t *testing.T) {
	g := newGraphTest(t)
	g.ros('a')
	g.node('a', ShortForm, "driver", g.has('a', wire.KindKeyedWriter, "rt/scan", stringType, "", DefaultQoS()))
	r := g.has('a', wire.KindReader, "rt/scan", stringType, "", DefaultQoS())
	g.wantMismatches(fmt.Sprintf("reader %v and /driver differ in whether std_msgs/msg/String has a key: they never connect", r))
}

// Names come from anyone; what is shown of them does not reach the terminal's
// controls.
func TestForeignNamesAreShown(t *testing.T) {
	for name, want := range map[string]string{
		"/scan": "/scan", "/\x1b[31mred\n": "/?[31mred?", "/ü": "/ü", strings.Repeat("x", 300): strings.Repeat("x", 255) + "...",
	} {
		if got := shown(name); got != want {
			t.Errorf("%q is shown as %q", name, got)
		}
	}
}

// A topic with very many endpoints on both sides is not compared to the end.
func TestMismatchesAreBounded(t *testing.T) {
	g := newGraphTest(t)
	g.ros('a')
	for i := range 2200 {
		kind := wire.KindWriter
		if i%2 == 1 {
			kind = wire.KindReader
		}
		guid := wire.GUID{Prefix: prefixOf('a'), Entity: wire.EntityID{byte(i >> 8), byte(i), 0, kind}}
		if err := g.SetEndpoint(g.now, guid, wire.CycloneDDS, &wire.EndpointData{TopicName: "rt/a"}, qos.Policies{}); err != nil {
			t.Fatal(err)
		}
	}
	if list, complete := g.Mismatches(g.now); complete || len(list) != 0 {
		t.Errorf("1,210,000 pairs: complete %v, %d found", complete, len(list))
	}
}

// The lonely pair is one only if nothing else connects either side, and the
// types are the same.
func TestNamesDiffer(t *testing.T) {
	g := newGraphTest(t)
	g.ros('d')
	g.node('d', ShortForm, "driver", g.has('d', wire.KindWriter, "rt/robot1/scan", stringType, "", DefaultQoS()))
	g.ros('l')
	scan := g.has('l', wire.KindReader, "rt/scan", stringType, "", DefaultQoS())
	g.node('l', ShortForm, "lidar", scan)
	g.has('l', wire.KindReader, "rt/other/scan", "std_msgs::msg::dds_::UInt64_", "", DefaultQoS())
	g.has('l', wire.KindReader, "rt/odom", stringType, "", DefaultQoS())
	g.wantMismatches("/lidar reads /scan, which nobody writes; of the same type, but read by nobody: /driver writes /robot1/scan")

	g.has('d', wire.KindWriter, "rt/scan", stringType, "", DefaultQoS())
	g.wantMismatches()
}
