package udp

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

// testDomain is the domain of all tests here: one that nobody else uses.
const testDomain = 43

// generous is how long a test waits for what must come. It is no measure of
// how long it takes.
const generous = 30 * time.Second

func local() Config { return Config{Domain: testDomain, Localhost: true, Name: "takt test"} }

func join(t testing.TB, c Config) *Participant {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("takt's sockets need Linux")
	}
	p, err := Join(c)
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

func reliable(h qos.History) qos.Policies {
	return qos.Policies{Reliability: qos.Reliable, History: h}
}

func endpoint(topic string, q qos.Policies) rtps.EndpointConfig {
	return rtps.EndpointConfig{Topic: topic, Type: "test::Bytes", QoS: q, UserData: []byte("test;")}
}

func writer(t testing.TB, p *Participant, c rtps.EndpointConfig) *Writer {
	t.Helper()
	w, err := p.NewWriter(c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func reader(t testing.TB, p *Participant, c rtps.EndpointConfig, f func(*rtps.Sample)) *Reader {
	t.Helper()
	r, err := p.NewReader(c, f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// eventually waits until a condition holds.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(generous); !holds(); {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", generous, what)
		}
		time.Sleep(time.Millisecond)
	}
}

// connected waits until a writer and a reader know of each other.
func connected(t testing.TB, w *Writer, r *Reader) {
	t.Helper()
	eventually(t, "writer and reader match", func() bool { return w.Matched() > 0 && r.Matched() > 0 })
}

// greeting is the shortest payload there is.
var greeting = []byte{0, 1, 0, 0}

// greet writes greetings until one has come. A match is said before the reader
// knows where the writer stands, and what the two kernels bring in another order
// until then a volatile reader may miss; from here on it is owed everything.
func greet(t testing.TB, w *Writer, r *Reader, came func() bool) {
	t.Helper()
	connected(t, w, r)
	eventually(t, "a greeting comes", func() bool {
		if err := w.Write(within(t), greeting); err != nil {
			t.Fatal(err)
		}
		return came()
	})
}

func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), generous)
	t.Cleanup(cancel)
	return ctx
}

// sample returns a payload of CDR in little endian that says its number and is
// of the length wanted, the encapsulation header included.
func sample(number byte, length int) []byte {
	b := make([]byte, length)
	for i := range b {
		b[i] = byte(i) ^ byte(i>>8) ^ number
	}
	copy(b, []byte{0, 1, 0, 0})
	return b
}
