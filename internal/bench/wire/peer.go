//go:build linux

package main

import (
	"encoding/binary"
	"os"
	"runtime/pprof"
	"syscall"
	"time"

	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/udp"
)

func join(o options) (*udp.Participant, error) {
	return udp.Join(udp.Config{Domain: o.domain, Localhost: true, Name: "takt bench"})
}

func endpoint(topic string, q qos.Policies) rtps.EndpointConfig {
	return rtps.EndpointConfig{Topic: topic, Type: "bench::Bytes", QoS: q, UserData: []byte("bench;")}
}

func reliable(h qos.History) qos.Policies {
	return qos.Policies{Reliability: qos.Reliable, History: h}
}

// payload returns a sample of size bytes behind its encapsulation header.
func payload(size int) []byte {
	b := make([]byte, 4+size)
	copy(b, []byte{0, 1, 0, 0}) // CDR, little endian
	return b
}

// await waits until a writer has as many readers as are to come.
func await(w *udp.Writer, readers int) {
	for w.Matched() < readers {
		time.Sleep(time.Millisecond)
	}
}

// stamp writes the instant now into a sample, and age reads how long ago that
// was; the clock is the host's, so both may be of different processes.
func stamp(payload []byte) { binary.LittleEndian.PutUint64(payload[4:], uint64(kernel.Now())) }

func age(payload []byte) int64 {
	return int64(kernel.Now()) - int64(binary.LittleEndian.Uint64(payload[4:]))
}

// cpu returns the CPU time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // cannot fail for oneself
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// profile begins a CPU profile, if one is asked for.
func profile(file string) (stop func(), err error) {
	if file == "" {
		return func() {}, nil
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); _ = f.Close() }, nil
}
