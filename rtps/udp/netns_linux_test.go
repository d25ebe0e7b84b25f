package udp

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A namespace is a network of its own within this host: interfaces, addresses,
// routes and ports that have nothing to do with those of any other. It lasts as
// long as a test.
//
// It belongs to one thread. A socket stays in the namespace of the thread that
// opened it, whatever thread uses it, so only what opens sockets or asks for
// interfaces has to be done there.
type namespace struct {
	calls chan func()
	tid   int
}

// isolated returns a new namespace, in which there is loopback only.
func isolated(t testing.TB) *namespace {
	t.Helper()
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("no ip of iproute2 here, which makes the interfaces of this test")
	}
	n := &namespace{calls: make(chan func())}
	made := make(chan error)
	go n.serve(made)
	switch err := <-made; err {
	case nil:
	case unix.EPERM:
		t.Skip("may not make a network namespace here, which needs CAP_SYS_ADMIN")
	default:
		t.Fatalf("making a network namespace: %v", err)
	}
	t.Cleanup(func() { close(n.calls) })
	n.ip(t, "link", "set", "lo", "up")
	return n
}

// serve does calls on a thread that ends with them.
func (n *namespace) serve(made chan<- error) {
	runtime.LockOSThread() // and never unlocked: this thread is of no use to others
	n.tid = unix.Gettid()
	err := unix.Unshare(unix.CLONE_NEWNET)
	if err == nil {
		// The neighbours and routers that IPv6 looks for would only disturb.
		_ = os.WriteFile("/proc/sys/net/ipv6/conf/default/disable_ipv6", []byte("1"), 0)
	}
	made <- err
	if err != nil {
		return
	}
	for call := range n.calls {
		call()
	}
}

// do runs f in the namespace.
func (n *namespace) do(f func()) {
	done := make(chan struct{})
	n.calls <- func() { defer close(done); f() }
	<-done
}

// ip runs the command of that name.
func (n *namespace) ip(t testing.TB, arguments ...string) {
	t.Helper()
	var out []byte
	var err error
	n.do(func() { out, err = exec.Command("ip", arguments...).CombinedOutput() })
	if bytes.Contains(out, []byte("Unknown device type")) {
		t.Skipf("this kernel has not what the test is made of: ip %s: %s", strings.Join(arguments, " "), out)
	}
	if err != nil {
		t.Fatalf("ip %s: %v: %s", strings.Join(arguments, " "), err, out)
	}
}

// wire lays a cable from an interface of n to one of other, both up and without
// addresses.
func (n *namespace) wire(t testing.TB, name string, other *namespace, there string) {
	t.Helper()
	n.ip(t, "link", "add", name, "type", "veth", "peer", "name", there, "netns", strconv.Itoa(other.tid))
	n.ip(t, "link", "set", name, "up")
	other.ip(t, "link", "set", there, "up")
}

// wired returns two namespaces with a cable between them: eth0 at both ends,
// 10.47.0.1/24 and 10.47.0.2/24.
func wired(t testing.TB) (a, b *namespace) {
	t.Helper()
	a, b = isolated(t), isolated(t)
	a.wire(t, "eth0", b, "eth0")
	a.ip(t, "addr", "add", "10.47.0.1/24", "dev", "eth0")
	b.ip(t, "addr", "add", "10.47.0.2/24", "dev", "eth0")
	return a, b
}

// join joins in the namespace.
func (n *namespace) join(t testing.TB, c Config) *Participant {
	t.Helper()
	p, err := n.tryJoin(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func (n *namespace) tryJoin(c Config) (p *Participant, err error) {
	n.do(func() { p, err = Join(c) })
	return p, err
}

// counters returns how many bytes an interface has received and sent.
func (n *namespace) counters(t testing.TB, name string) (received, sent uint64) {
	t.Helper()
	var table []byte
	var err error
	n.do(func() { table, err = os.ReadFile("/proc/thread-self/net/dev") })
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		rest, found := strings.CutPrefix(strings.TrimSpace(line), name+":")
		if !found {
			continue
		}
		f := strings.Fields(rest)
		received, _ = strconv.ParseUint(f[0], 10, 64)
		sent, _ = strconv.ParseUint(f[8], 10, 64)
		return received, sent
	}
	t.Fatalf("no interface %s in:\n%s", name, table)
	return 0, 0
}

// A frame is a packet seen on an interface.
type frame struct {
	index    int            // of the interface
	outgoing bool           // it was sent, not received
	kind     uint16         // EtherType: 0x0800 is IPv4
	to       netip.AddrPort // of UDP over IPv4, and of the first fragment only
}

func (f frame) String() string {
	return fmt.Sprintf("interface %d, type %04x, to %v", f.index, f.kind, f.to)
}

// A capture sees every packet of all interfaces of a namespace.
type capture int

func (n *namespace) capture(t testing.TB) capture {
	t.Helper()
	var fd int
	var err error
	n.do(func() {
		all := uint16(unix.ETH_P_ALL)
		fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, int(all<<8|all>>8))
	})
	if err == unix.EPERM {
		t.Skip("may not look at packets here, which needs CAP_NET_RAW")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, 64<<20); err != nil {
		t.Fatal(err)
	}
	return capture(fd)
}

// frames returns what was seen since it was last asked.
func (c capture) frames(t testing.TB) (all []frame) {
	t.Helper()
	b := make([]byte, 1<<16)
	for {
		n, from, err := unix.Recvfrom(int(c), b, unix.MSG_DONTWAIT)
		if err == unix.EAGAIN {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, frameOf(b[:n], from.(*unix.SockaddrLinklayer)))
	}
	s, err := unix.GetsockoptTpacketStats(int(c), unix.SOL_PACKET, unix.PACKET_STATISTICS)
	if err != nil || s.Drops > 0 {
		t.Fatalf("the capture is not whole: %+v, %v", s, err)
	}
	return all
}

// frameOf reads a packet from its IP header on.
func frameOf(b []byte, from *unix.SockaddrLinklayer) frame {
	f := frame{index: from.Ifindex, outgoing: from.Pkttype == unix.PACKET_OUTGOING, kind: from.Protocol<<8 | from.Protocol>>8}
	if f.kind != unix.ETH_P_IP || len(b) < 28 || b[0]&0x0f != 5 || b[9] != unix.IPPROTO_UDP || b[6]&0x1f != 0 || b[7] != 0 {
		return f
	}
	address := netip.AddrFrom4([4]byte(b[16:20]))
	f.to = netip.AddrPortFrom(address, uint16(b[22])<<8|uint16(b[23]))
	return f
}

// index returns the index of an interface.
func (n *namespace) index(t testing.TB, name string) int {
	t.Helper()
	var all []link
	var err error
	n.do(func() { all, err = links() })
	for _, l := range all {
		if l.name == name {
			return l.index
		}
	}
	t.Fatalf("no interface %s: %v", name, err)
	return 0
}
