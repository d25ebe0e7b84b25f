//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

// A roundTrip is what a ping measured: medians over the seconds of the run, as
// ddsperf tells of each second by itself.
type roundTrip struct {
	MedianNs int64 `json:"median_ns"`
	P99Ns    int64 `json:"p99_ns"`
	Count    int   `json:"count"`
	CPUNs    int64 `json:"cpu_ns"`
}

// ping sends a sample as soon as the last one has come back, as ddsperf's ping.
func ping(o options) (any, error) {
	p, err := join(o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	w, err := p.NewWriter(endpoint("ping", reliable(qos.KeepLast(1))))
	if err != nil {
		return nil, err
	}
	m := &pinger{sample: payload(o.size), write: func(b []byte) error { return w.Write(context.Background(), b) }}
	if _, err := p.NewReader(endpoint("pong", reliable(qos.KeepLast(1))), m.came); err != nil {
		return nil, err
	}
	await(w, 1)
	time.Sleep(time.Second) // the pong's writer finds our reader
	m.send()
	time.Sleep(time.Second)
	begin, used := m.seconds(), cpu()
	time.Sleep(o.duration())
	all, used := m.seconds()[len(begin):], cpu()-used
	if len(all) == 0 || m.err != nil {
		return nil, fmt.Errorf("ping: no second was full: %v", m.err)
	}
	return m.summary(all, used), nil
}

func pong(o options) (any, error) {
	p, err := join(o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	w, err := p.NewWriter(endpoint("pong", reliable(qos.KeepLast(1))))
	if err != nil {
		return nil, err
	}
	_, err = p.NewReader(endpoint("ping", reliable(qos.KeepLast(1))), func(s *rtps.Sample) {
		_ = w.Write(context.Background(), s.Data.Payload) // of KEEP_LAST, never full
	})
	if err != nil {
		return nil, err
	}
	await(w, 1)
	for w.Matched() > 0 {
		time.Sleep(10 * time.Millisecond)
	}
	return nil, nil
}

// A pinger measures round trips, second by second.
type pinger struct {
	sample []byte
	write  func([]byte) error
	sent   time.Time
	second time.Time
	times  []int64 // of the second that runs, in nanoseconds

	mu   sync.Mutex
	done []roundTrip
	err  error
}

func (m *pinger) send() {
	m.sent = time.Now()
	if err := m.write(m.sample); err != nil {
		m.err = err
	}
}

func (m *pinger) came(*rtps.Sample) {
	now := time.Now()
	m.times = append(m.times, int64(now.Sub(m.sent)))
	if now.Sub(m.second) >= time.Second {
		m.endSecond(now)
	}
	m.send()
}

func (m *pinger) endSecond(now time.Time) {
	m.second = now
	slices.Sort(m.times)
	n := len(m.times)
	r := roundTrip{MedianNs: m.times[n/2], P99Ns: m.times[n*99/100], Count: n}
	m.times = m.times[:0]
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done = append(m.done, r)
}

func (m *pinger) seconds() []roundTrip {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.done)
}

func (m *pinger) summary(all []roundTrip, used time.Duration) roundTrip {
	r := roundTrip{CPUNs: int64(used)}
	var medians, p99s []int64
	for _, s := range all {
		medians, p99s = append(medians, s.MedianNs), append(p99s, s.P99Ns)
		r.Count += s.Count
	}
	r.MedianNs, r.P99Ns = median(medians), median(p99s)
	return r
}

func median(v []int64) int64 {
	slices.Sort(v)
	return v[len(v)/2]
}
