package udp

import (
	"bytes"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

// onLoopback restricts Cyclone DDS to this host.
const onLoopback = `<CycloneDDS><Domain><General><Interfaces><NetworkInterface name="lo"/></Interfaces>` +
	`<AllowMulticast>false</AllowMulticast></General><Discovery><Peers><Peer Address="localhost"/></Peers>` +
	`<ParticipantIndex>auto</ParticipantIndex></Discovery></Domain></CycloneDDS>`

// inBothNetworks has Cyclone DDS use two interfaces; by itself it takes one.
const inBothNetworks = `<CycloneDDS><Domain><General><Interfaces><NetworkInterface name="eth0"/>` +
	`<NetworkInterface name="eth1"/></Interfaces></General></Domain></CycloneDDS>`

// ddsperf runs the measuring program of Cyclone DDS in the namespace until the
// test ends. An empty config is what Cyclone DDS does by itself.
func (n *namespace) ddsperf(t *testing.T, config string, arguments ...string) {
	t.Helper()
	path, err := exec.LookPath("ddsperf")
	if err != nil {
		t.Skip("no ddsperf here; apt-get install cyclonedds-tools")
	}
	c := exec.Command(path, append([]string{"-i", "43"}, arguments...)...) // testDomain
	if config != "" {
		file := filepath.Join(t.TempDir(), "cyclone.xml")
		if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
			t.Fatal(err)
		}
		c.Env = append(os.Environ(), "CYCLONEDDS_URI=file://"+file)
	}
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	n.do(func() { err = c.Start() })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		if t.Failed() {
			t.Logf("ddsperf said:\n%s", said.String())
		}
	})
}

// follow reads the data of ddsperf's publisher, whatever its type is called,
// and waits until several samples have come from it, none of them lost.
func follow(t *testing.T, n *namespace, c Config) {
	t.Helper()
	var found atomic.Pointer[rtps.Event]
	c.Event = func(e rtps.Event) {
		if e.Kind == rtps.WriterFound && strings.HasPrefix(e.Endpoint.TopicName, "DDSPerfRData") {
			found.CompareAndSwap(nil, &e)
		}
	}
	p := n.join(t, c)
	eventually(t, "the publisher is found", func() bool { return found.Load() != nil })
	writer := found.Load()
	var count atomic.Int64
	r := reader(t, p, rtps.EndpointConfig{
		Topic: writer.Endpoint.TopicName, Type: writer.Endpoint.TypeName, Keyed: true,
		QoS: reliable(qos.KeepLast(1)), UserData: []byte("test;"),
	}, func(*rtps.Sample) { count.Add(1) })
	eventually(t, "samples come", func() bool { return count.Load() >= 50 })
	if c, ok := r.Counts(writer.Remote); !ok || c.Overwritten+c.Irrelevant+c.TooLarge > 0 {
		t.Errorf("%+v; want none lost", c)
	}
}

// Beside a Cyclone DDS restricted to this host, too, nothing leaves it.
func TestNothingLeavesBesideCycloneDDS(t *testing.T) {
	n := tempted(t)
	seen, lo := n.capture(t), n.index(t, "lo")
	n.ddsperf(t, onLoopback, "pub", "200Hz", "size", "100")
	follow(t, n, local())
	for _, f := range seen.frames(t) {
		if f.index != lo || f.to.IsValid() && f.to.Addr() != localhost && f.to.Addr() != group {
			t.Errorf("left this host: %v", f)
		}
	}
}

// A Cyclone DDS in two networks, both of which it uses, is followed from each. To
// several readers in a network it may send by multicast; takt announces no such
// address for samples, so that its presence does not make it do so.
func TestCycloneDDSInTwoNetworksIsFollowed(t *testing.T) {
	middle, left := wired(t)
	right := isolated(t)
	middle.wire(t, "eth1", right, "eth0")
	middle.ip(t, "addr", "add", "10.48.0.1/24", "dev", "eth1")
	right.ip(t, "addr", "add", "10.48.0.2/24", "dev", "eth0")
	middle.ddsperf(t, inBothNetworks, "pub", "200Hz", "size", "10k")
	left.ddsperf(t, "", "sub")
	seen := left.capture(t)
	follow(t, left, wide())
	discovery := netip.AddrPortFrom(group, multicastPort(testDomain))
	for _, f := range seen.frames(t) {
		if f.to.Addr().IsMulticast() && f.to != discovery {
			t.Errorf("samples by multicast: %v", f)
		}
	}
	follow(t, right, wide())
}
