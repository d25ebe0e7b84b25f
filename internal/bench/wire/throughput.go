//go:build linux

package main

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

// A throughput is what a subscriber measured.
type throughput struct {
	PerSecond float64 `json:"samples_per_s"`
	Lost      uint64  `json:"lost"` // numbers that never came
	CPUNs     int64   `json:"cpu_ns"`
}

// publish writes as fast as the readers take it, until they are gone.
func publish(o options) (any, error) {
	p, err := join(o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	w, err := p.NewWriter(endpoint("data", reliable(qos.KeepAll())))
	if err != nil {
		return nil, err
	}
	await(w, 1)
	samples := make([][]byte, o.batch)
	for i := range samples {
		samples[i] = payload(o.size)
	}
	for w.Matched() > 0 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		var err error
		for range 10000 {
			if err = w.WriteAll(ctx, samples); err != nil {
				break
			}
		}
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
	}
	return nil, nil
}

func subscribe(o options) (any, error) {
	p, err := join(o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var came, lost atomic.Uint64
	var last int64
	_, err = p.NewReader(endpoint("data", reliable(qos.KeepAll())), func(s *rtps.Sample) {
		if n := int64(s.Sequence); last != 0 && n != last+1 {
			lost.Add(uint64(n - last - 1))
		}
		last = int64(s.Sequence)
		came.Add(1)
	})
	if err != nil {
		return nil, err
	}
	for came.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Second)
	n, begin, used := came.Load(), time.Now(), cpu()
	time.Sleep(o.duration())
	n, used = came.Load()-n, cpu()-used
	return throughput{float64(n) / time.Since(begin).Seconds(), lost.Load(), int64(used)}, nil
}
