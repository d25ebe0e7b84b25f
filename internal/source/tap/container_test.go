package tap

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestOwnNetwork(t *testing.T) {
	host := map[string]string{"lo": "1 1", "eth0": "2 2"}
	bridged := map[string]string{"lo": "1 1", "eth0": "7 12"} // of a pair, whose other end has index 12
	for _, c := range []struct {
		name       string
		file       string // that marks a container
		content    string
		interfaces map[string]string // ifindex and iflink
		want       bool
	}{
		{"a host", "", "", host, false},
		{"a host whose only interface is one of a pair", "", "", bridged, false},
		{"Docker", ".dockerenv", "", bridged, true},
		{"Docker with the network of the host", ".dockerenv", "", host, false},
		{"Docker with the network of a host that has containers", ".dockerenv", "", map[string]string{"lo": "1 1", "eth0": "2 2", "veth1": "9 8"}, false},
		{"Docker without a network", ".dockerenv", "", map[string]string{"lo": "1 1"}, true},
		{"Podman", "run/.containerenv", "", bridged, true},
		{"Kubernetes", "proc/1/cgroup", "0::/kubepods/besteffort/pod1\n", bridged, true},
		{"a host's own groups", "proc/1/cgroup", "0::/init.scope\n", bridged, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := fstest.MapFS{}
			if c.file != "" {
				root[c.file] = &fstest.MapFile{Data: []byte(c.content)}
			}
			for name, numbers := range c.interfaces {
				index, link, _ := strings.Cut(numbers, " ")
				root["sys/class/net/"+name+"/ifindex"] = &fstest.MapFile{Data: []byte(index + "\n")}
				root["sys/class/net/"+name+"/iflink"] = &fstest.MapFile{Data: []byte(link + "\n")}
			}
			if got := ownNetwork(root); got != c.want {
				t.Errorf("a network of its own: %v", got)
			}
		})
	}
}
