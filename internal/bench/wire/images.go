//go:build linux

package main

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

const (
	imageBytes = 6_000_000
	imageRate  = 30 // Hz
)

// images is what a viewer got.
type images struct {
	Whole     uint64  `json:"whole"`
	Lost      uint64  `json:"lost"`
	Repaired  uint64  `json:"repaired"` // of the whole ones
	PerSecond float64 `json:"images_per_s"`
	Dropped   uint64  `json:"dropped_datagrams"` // by the viewer's socket
	CPUNs     int64   `json:"cpu_ns"`
	LatestNs  int64   `json:"latest_ns"` // from before Write to the viewer's function, the longest
}

func imageTopic(o options) rtps.EndpointConfig {
	q := qos.Policies{History: qos.KeepLast(1)}
	if o.reliable {
		q = reliable(qos.KeepLast(5))
	}
	return endpoint("image", q)
}

// camera writes images at their rate until nobody looks.
func camera(o options) (any, error) {
	p, err := join(o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	w, err := p.NewWriter(imageTopic(o))
	if err != nil {
		return nil, err
	}
	image := payload(imageBytes)
	await(w, 1)
	tick := time.NewTicker(time.Second / imageRate)
	for w.Matched() > 0 {
		<-tick.C
		stamp(image)
		if err := w.Write(context.Background(), image); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func viewer(o options) (any, error) {
	p, err := join(o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var came atomic.Uint64
	var latest atomic.Int64
	var writer atomic.Pointer[rtps.Sample]
	r, err := p.NewReader(imageTopic(o), func(s *rtps.Sample) {
		came.Add(1)
		writer.CompareAndSwap(nil, &rtps.Sample{Writer: s.Writer})
		latest.Store(max(latest.Load(), age(s.Data.Payload)))
	})
	if err != nil {
		return nil, err
	}
	for came.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Second)
	latest.Store(0)
	counts := func() rtps.Counts { c, _ := r.Counts(writer.Load().Writer); return c }
	before, used, begin, dropped := counts(), cpu(), time.Now(), p.Traffic().Dropped
	time.Sleep(o.duration())
	after, seconds := counts(), time.Since(begin).Seconds()
	return images{
		Whole: after.Delivered - before.Delivered, Lost: lost(after) - lost(before), Repaired: after.Repaired - before.Repaired,
		PerSecond: float64(after.Delivered-before.Delivered) / seconds,
		Dropped:   p.Traffic().Dropped - dropped, CPUNs: int64(cpu() - used), LatestNs: latest.Load(),
	}, nil
}

func lost(c rtps.Counts) uint64 { return c.Lost + c.Overwritten + c.Irrelevant + c.TooLarge }
