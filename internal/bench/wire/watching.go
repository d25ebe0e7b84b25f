//go:build linux

package main

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/udp"
)

const (
	sensorTopics = 10
	sensorRate   = 1000 // samples a second in all, evenly spread: each topic has 100 Hz
	sensorBytes  = 100
)

// A load is what a process that only listens used.
type load struct {
	CPUPercent float64 `json:"cpu_percent_of_a_core"`
	PerSecond  float64 `json:"samples_per_s"`
}

// sensors publishes ten topics of strings, a sample each millisecond, until it
// is ended. The same bytes go as often to the port of socket.
func sensors(o options) (any, error) {
	p, err := join(o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var w [sensorTopics]*udp.Writer
	for i := range w {
		c := endpoint(fmt.Sprintf("rt/sensor%d", i), reliable(qos.KeepLast(10)))
		c.Type = "std_msgs::msg::dds_::String_"
		if w[i], err = p.NewWriter(c); err != nil {
			return nil, err
		}
	}
	bare, err := net.DialUDP("udp4", nil, barePort(o))
	if err != nil {
		return nil, err
	}
	defer bare.Close()
	sample := text(sensorBytes)
	tick := time.NewTicker(time.Second / sensorRate)
	for i := 0; ; i++ {
		<-tick.C
		if err := w[i%sensorTopics].Write(context.Background(), sample); err != nil {
			return nil, err
		}
		_, _ = bare.Write(sample) // refused while nobody listens
	}
}

// text returns a std_msgs/msg/String of about n bytes.
func text(n int) []byte {
	b := payload(4 + n)
	b[4] = byte(n) // its length, with the zero at its end
	for i := range n - 1 {
		b[8+i] = 'x'
	}
	return b
}

// observer has a best-effort reader of each topic, as takt's observers have.
func observer(o options) (any, error) {
	p, err := join(o)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var came atomic.Uint64
	for i := range sensorTopics {
		c := endpoint(fmt.Sprintf("rt/sensor%d", i), qos.Policies{})
		c.Type = "std_msgs::msg::dds_::String_"
		if _, err := p.NewReader(c, func(*rtps.Sample) { came.Add(1) }); err != nil {
			return nil, err
		}
	}
	return measureLoad(o, &came)
}

// socket is the floor under observer: it reads as many datagrams of the same
// samples from a socket and looks at none.
func socket(o options) (any, error) {
	c, err := net.ListenUDP("udp4", barePort(o))
	if err != nil {
		return nil, err
	}
	defer c.Close()
	var came atomic.Uint64
	go func() {
		for b := make([]byte, 1<<16); ; came.Add(1) {
			if _, _, err := c.ReadFromUDPAddrPort(b); err != nil {
				return
			}
		}
	}()
	return measureLoad(o, &came)
}

// barePort is one of the domain's that no participant has.
func barePort(o options) *net.UDPAddr {
	return &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7400 + 250*o.domain + 249}
}

func measureLoad(o options, came *atomic.Uint64) (load, error) {
	for came.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Second)
	n, used, begin := came.Load(), cpu(), time.Now()
	time.Sleep(o.duration())
	n, used = came.Load()-n, cpu()-used
	d := time.Since(begin).Seconds()
	return load{100 * used.Seconds() / d, float64(n) / d}, nil
}
