package interop

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/takt-rt/takt/ros"
	"github.com/takt-rt/takt/rtps"
)

// forms are the peer's arguments for the two forms of gids, and what follows a
// GUID in hex where a gid is printed.
var forms = []struct {
	form       ros.GidForm
	gid, zeros string
}{
	{ros.ShortForm, "16", ""},
	{ros.LongForm, "24", "0000000000000000"},
}

// joinNode joins as the node /takt/watcher.
func joinNode(t *testing.T) *ros.Node {
	t.Helper()
	d, err := strconv.Atoi(domain)
	if err != nil {
		t.Fatal(err)
	}
	n, err := ros.Join(ros.Config{Environment: ros.Environment{Domain: d, Range: ros.Localhost}, Namespace: "/takt", Name: "watcher"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n
}

// until waits until the node may be published in a form, or may not.
func until(t *testing.T, n *ros.Node, want ros.GidForm, why string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		form, reason := n.Form()
		if form == want && strings.Contains(reason, why) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the form to publish is %v, since %s; want %v, since %q", form, reason, want, why)
		}
	}
}

// A node on Cyclone DDS reads takt's ros_discovery_info in the form that it
// writes itself, and finds user data on each of takt's endpoints. Before it has
// shown its form it gets nothing.
func TestGraphOfCyclone(t *testing.T) {
	for _, f := range forms {
		t.Run(f.gid+" bytes", func(t *testing.T) {
			p := start(t, "cyclone", "graph", "--gid", f.gid)
			n := joinNode(t)
			until(t, n, ros.UnknownForm, "neither form")
			w, err := n.NewWriter(rtps.EndpointConfig{Topic: "rt/last", Type: "std_msgs::msg::dds_::String_"})
			if err != nil {
				t.Fatal(err)
			}
			// Writers are announced in order, so one of ros_discovery_info before this would be seen.
			for _, line := range p.want(fmt.Sprintf("writer %v%v rt/last", w.GUID().Prefix, w.GUID().Entity)) {
				if strings.HasPrefix(line, "info "+n.Prefix().String()) || strings.Contains(line, "ros_discovery_info") && strings.HasPrefix(line, "writer "+n.Prefix().String()) {
					t.Errorf("before its form is known it sees: %s", line)
				}
			}
			p.begin()
			gid := n.Prefix().String() + "000001c1" + f.zeros
			p.want("info " + gid + " 1")
			p.want("node " + gid + " /takt watcher 0 1")
			p.stop()
			wantUserData(t, p, n)
		})
	}
}

// wantUserData checks what the peer saw of the node: the reader and the writer
// of ros_discovery_info, and the test's own writer.
func wantUserData(t *testing.T, p *peer, n *ros.Node) {
	t.Helper()
	seen := 0
	for _, line := range p.seen {
		fields := strings.SplitN(line, " ", 5)
		if (fields[0] != "reader" && fields[0] != "writer") || !strings.HasPrefix(fields[1], n.Prefix().String()) {
			continue
		}
		seen++
		if len(fields) < 5 || !strings.HasSuffix(fields[4], ";") {
			t.Errorf("an endpoint without user data: %s", line)
		}
	}
	if seen < 3 {
		t.Errorf("%d of takt's endpoints are seen, want 3\n%s", seen, p.said())
	}
}

// A newcomer of the other form gets nothing of takt's, and takt's node is back
// when it has left.
func TestGraphHidesFromTheOtherForm(t *testing.T) {
	for i, f := range forms {
		t.Run(f.gid+" bytes first", func(t *testing.T) {
			first := start(t, "cyclone", "graph", "--gid", f.gid)
			first.begin()
			n := joinNode(t)
			info := "info " + n.Prefix().String()
			first.want(info + "000001c1" + f.zeros + " 1")
			other := start(t, "cyclone", "graph", "--gid", forms[1-i].gid)
			until(t, n, ros.UnknownForm, "neither form")
			other.begin()
			other.want("shown")
			until(t, n, ros.UnknownForm, "mixed")
			other.stop()
			for _, line := range other.seen {
				if strings.HasPrefix(line, info) {
					t.Errorf("the newcomer was told: %s", line)
				}
			}
			first.want(info + "000001c1" + f.zeros + " 1")
			until(t, n, f.form, "no other is seen")
		})
	}
}
