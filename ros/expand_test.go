package ros

import (
	"errors"
	"strings"
	"testing"
)

// The table of rcl_expand_topic_name: namespace /ns and node node, or the root.
func TestExpand(t *testing.T) {
	below, root := NodeName{"/ns", "node"}, NodeName{"/", "node"}
	for _, c := range []struct{ name, below, root string }{
		{"/scan", "/scan", "/scan"},
		{"scan", "/ns/scan", "/scan"},
		{"camera/image", "/ns/camera/image", "/camera/image"},
		{"~", "/ns/node", "/node"},
		{"~/status", "/ns/node/status", "/node/status"},
		{"{node}/status", "/ns/node/status", "/node/status"},
		{"/a/{node}", "/a/node", "/a/node"},
	} {
		if got, err := below.Expand(c.name); got != c.below || err != nil {
			t.Errorf("%s below /ns: %s, %v; want %s", c.name, got, err, c.below)
		}
		if got, err := root.Expand(c.name); got != c.root || err != nil {
			t.Errorf("%s at the root: %s, %v; want %s", c.name, got, err, c.root)
		}
	}
	if got, err := below.Expand("{ns}/scan"); got != "/ns/scan" || err != nil {
		t.Errorf("{ns}/scan: %s, %v", got, err)
	}
	for name, problem := range map[string]string{
		"": "a part is empty", "~scan": "after ~ there is no slash", "{host}/scan": "unknown substitution", "a//b": "a part is empty",
		"/a/~/b": "something other than letters", "2d": "a digit comes first",
	} {
		var e *NameError
		if got, err := below.Expand(name); !errors.As(err, &e) || !strings.Contains(e.Problem, problem) {
			t.Errorf("%q: %q, %v; want %q", name, got, err, problem)
		}
	}
}

func TestRemap(t *testing.T) {
	node := NodeName{"/robot1", "driver"}
	var rules []Remap
	for _, text := range []string{"scan:=/lidar/scan", "/lidar/scan:=/never", "~/status:=health", "/robot1/scan:=second"} {
		r, err := ParseRemap(text)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	for name, want := range map[string]string{
		"scan": "/lidar/scan", "/robot1/scan": "/lidar/scan", "~/status": "/robot1/health", "/scan": "/scan", "other": "/robot1/other",
	} {
		if got, err := node.Resolve(name, rules); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
		}
	}
	for text, problem := range map[string]string{
		"scan": "write from:=to", ":=/a": "write from:=to", "a:=": "write from:=to",
		"__node:=x": "renames a node", "driver:scan:=/a": "of one node", "rostopic://a:=b": "of one node",
	} {
		if _, err := ParseRemap(text); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v, want %q", text, err, problem)
		}
	}
	if _, err := node.Resolve("scan", []Remap{{"scan", "2d"}}); err == nil || !strings.Contains(err.Error(), "remapping scan:=2d") {
		t.Errorf("a rule that names nothing: %v", err)
	}
}
