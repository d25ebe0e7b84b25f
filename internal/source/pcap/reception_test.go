package pcap

import (
	"fmt"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
	"github.com/takt-rt/takt/timeline"
)

// A listener is a reader of one writer, and what is told of it. One
// millisecond passes from step to step.
type listener struct {
	*Reception
	t   *testing.T
	now clock.Wall
	log []string
}

func listenTo(t *testing.T, reliability qos.Reliability) *listener {
	l := &listener{t: t}
	g := &Graph{observer: l}
	l.Reception = &Reception{
		Reader: &Endpoint{QoS: qos.Policies{Reliability: reliability}}, Writer: &Endpoint{}, graph: g,
	}
	return l
}

func (l *listener) wanted(*stream) bool     { return false }
func (l *listener) sample(*stream, *sample) {}
func (l *listener) received(_ *Reception, m *sample, asked uint32) {
	l.log = append(l.log, fmt.Sprintf("%d after %d", m.number, asked))
}
func (l *listener) dropped(_ *Reception, r Range, why timeline.DropReason, _ clock.Wall) {
	l.log = append(l.log, fmt.Sprintf("no %d-%d %d", r.First, r.Last, why))
}

func (l *listener) step() clock.Wall {
	l.now = l.now.Add(time.Millisecond)
	return l.now
}

func (l *listener) sends(n wire.SequenceNumber) { l.take(&sample{number: n, size: 1, at: l.step()}) }
func (l *listener) beats(first wire.SequenceNumber) {
	l.heartbeat(wire.Heartbeat{First: first, Last: 1 << 40}, l.step())
}

func (l *listener) asks(base wire.SequenceNumber, missing ...wire.SequenceNumber) {
	a := wire.AckNack{Missing: wire.SequenceSet{Base: base}}
	for _, n := range missing {
		a.Missing.Add(n)
	}
	l.ackNack(&a, l.step())
}

func (l *listener) gaps(start, base wire.SequenceNumber, more ...wire.SequenceNumber) {
	g := wire.Gap{Start: start, List: wire.SequenceSet{Base: base}}
	for _, n := range more {
		g.List.Add(n)
	}
	l.gap(&g, l.step())
}

func (l *listener) want(log ...string) {
	l.t.Helper()
	same(l.t, "told", l.log, log)
	l.log = nil
}

func TestBestEffortReaderGivesUpAtOnce(t *testing.T) {
	l := listenTo(t, qos.BestEffort)
	l.sends(5)
	l.sends(8)
	l.want("5 after 0", "no 6-7 1", "8 after 0")
	l.sends(7) // it has moved on
	l.sends(8)
	l.beats(100) // not for it
	l.want()
	if l.Lost != 2 || l.LateCount != 1 || l.Late[0].Delay != wire.Some(time.Millisecond) || l.Repeated != 1 {
		t.Errorf("%+v", l.Reception)
	}
}

func TestReliableReaderWaits(t *testing.T) {
	l := listenTo(t, qos.Reliable)
	l.beats(3) // before its first sample: none of this was for it
	l.gaps(1, 5)
	l.sends(5)
	l.sends(9)
	l.asks(6, 6, 7, 8)
	l.asks(6, 6, 7, 8)
	l.sends(7)
	l.want("5 after 0", "9 after 0", "7 after 2")
	l.gaps(6, 7, 8, 12)
	l.want("no 6-6 2", "no 8-8 2", "no 12-12 2")
	l.sends(6) // it was told not to wait
	l.want()
	l.beats(15)
	l.want("no 10-11 2", "no 13-14 2")
	l.sends(20)
	l.end(l.now)
	l.want("20 after 0", "no 15-19 1")
	same(t, "repaired", pairs(l.Repaired()), [][2]int64{{6, 7}})
	same(t, "never repaired", pairs(l.NeverRepaired()), [][2]int64{{8, 8}})
	if l.Overwritten != 7 || l.Lost != 5 || l.Acked != 6 {
		t.Errorf("%+v", l.Reception)
	}
}

// A lying writer costs no time: the largest range is one step.
func TestHugeGapIsOneStep(t *testing.T) {
	l := listenTo(t, qos.Reliable)
	l.sends(1)
	l.gaps(2, maxSequence)
	l.want("1 after 0", fmt.Sprintf("no 2-%d 2", maxSequence-1))
}

func TestSilenceOfAReader(t *testing.T) {
	l := listenTo(t, qos.Reliable)
	l.sends(1)
	l.asks(2)
	from := l.now
	l.beats(1)
	l.beats(1)
	l.now = from.Add(1500 * time.Millisecond)
	l.asks(2)
	if len(l.Silences) != 1 || l.Silences[0] != (Silence{from, l.now, 2}) {
		t.Errorf("%+v", l.Silences)
	}
}
