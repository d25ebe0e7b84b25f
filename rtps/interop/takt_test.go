package interop

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/udp"
)

// peerVariable in its environment makes the test binary takt's peer: the
// third program, with the flags and lines of peers/peer.h.
const peerVariable = "TAKT_INTEROP_PEER"

// blocking is how long the peers let a write wait for room, and how long they
// wait for acknowledgements in the end.
const blocking = 30 * time.Second

// runPeer is the main function of takt's peer; it returns its exit code.
func runPeer(args []string) int {
	o, err := parseOptions(args)
	if err == nil {
		err = runRole(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func runRole(o *options) error {
	s := &statuses{}
	p, err := udp.Join(udp.Config{
		Domain: o.domain, Localhost: true, Name: "takt interop", Lease: o.participantLease,
		Interval: o.participantLease / 4, Event: s.event,
	})
	if err != nil {
		return err
	}
	orders := followStdin()
	if o.role == "pub" {
		err = runPub(o, p, orders)
	} else {
		err = runSub(o, p, orders)
	}
	if closing := p.Close(); err == nil {
		err = closing
	}
	return err
}

func runPub(o *options, p *udp.Participant, orders *orders) error {
	w, err := p.NewWriter(o.endpoint())
	if err != nil {
		return err
	}
	say("ready")
	if err := (&publisher{o: o, w: w, orders: orders}).publish(); err != nil {
		return err
	}
	<-orders.stop.Done()
	return nil
}

func runSub(o *options, p *udp.Participant, orders *orders) error {
	s := &subscriber{o: o}
	if _, err := p.NewReader(o.endpoint(), func(sample *rtps.Sample) { s.take(sample.Data.Payload) }); err != nil {
		return err
	}
	say("ready")
	<-orders.stop.Done()
	return nil
}

// orders are what stdin says: a line to begin, its end to stop.
type orders struct {
	begin chan struct{} // closed at the first line
	stop  context.Context
}

func followStdin() *orders {
	stop, end := context.WithCancel(context.Background())
	o := &orders{begin: make(chan struct{}), stop: stop}
	go func() {
		defer end()
		var line [1]byte
		if n, _ := os.Stdin.Read(line[:]); n == 0 {
			return
		}
		close(o.begin)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	return o
}

var saying sync.Mutex

// say prints a line; the samples and the events come by two goroutines.
func say(format string, args ...any) {
	saying.Lock()
	defer saying.Unlock()
	fmt.Printf(format+"\n", args...)
}
