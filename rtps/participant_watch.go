package rtps

import (
	"slices"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// A watch finds what does not come: samples within their deadline, and signs
// of life within a writer's lease. Nothing is sent for either: each side
// watches by its own clock.
type watch struct {
	sources []*source      // with a deadline or a lease
	writers []*localWriter // with a deadline
	due     clock.Mono     // nothing is certain to be missing before; maybe not then either
}

func (p *Participant) watchSource(now clock.Mono, s *source, offered, requested qos.Policies) {
	s.deadline.Period, _ = requested.Deadline.Duration()
	s.lease.Duration, _ = offered.Lease.Duration()
	s.liveliness = offered.Liveliness
	if s.deadline.Period <= 0 && s.lease.Duration <= 0 {
		return
	}
	p.watch.sources = append(p.watch.sources, s)
	p.refresh(now, s)
}

func (p *Participant) unwatchSource(s *source) {
	p.watch.sources = slices.DeleteFunc(p.watch.sources, func(o *source) bool { return o == s })
}

func (p *Participant) watchWriter(w *localWriter) {
	if w.deadline.Period, _ = w.c.QoS.Deadline.Duration(); w.deadline.Period > 0 {
		p.watch.writers = append(p.watch.writers, w)
	}
}

func (p *Participant) unwatchWriter(w *localWriter) {
	p.watch.writers = slices.DeleteFunc(p.watch.writers, func(o *localWriter) bool { return o == w })
}

// refresh notes a sign of life of a writer.
func (p *Participant) refresh(now clock.Mono, s *source) {
	if s.lease.Duration <= 0 {
		return
	}
	if s.lease.Refresh(now) {
		p.tell(now, LivelinessRegained, s.reader.id, s.writer)
	}
	p.watch.due = min(p.watch.due, s.lease.Next())
}

// sampled notes that a reader here got a sample.
func (p *Participant) sampled(now clock.Mono, s *source) {
	if s.deadline.Period <= 0 {
		return
	}
	p.missed(now, s.reader.id, s.writer, s.deadline.Sample(now))
	p.watch.due = min(p.watch.due, s.deadline.Next())
}

// wrote notes that a writer here wrote a sample.
func (p *Participant) wrote(now clock.Mono, w *localWriter) {
	if w.deadline.Period <= 0 {
		return
	}
	p.missed(now, w.id, wire.GUID{}, w.deadline.Sample(now))
	p.watch.due = min(p.watch.due, w.deadline.Next())
}

func (p *Participant) missed(now clock.Mono, local wire.EntityID, remote wire.GUID, n uint64) {
	if n > 0 {
		p.events = append(p.events, Event{Kind: DeadlineMissed, At: now, Local: local, Remote: remote, Count: n})
	}
}

// tickWatch tells what did not come.
func (p *Participant) tickWatch(now clock.Mono) {
	if p.watch.due > now {
		return
	}
	p.watch.due = never
	for _, s := range p.watch.sources {
		p.missed(now, s.reader.id, s.writer, s.deadline.Tick(now))
		if s.lease.Tick(now) {
			p.tell(now, LivelinessLost, s.reader.id, s.writer)
		}
		p.watch.due = min(p.watch.due, s.deadline.Next(), s.lease.Next())
	}
	for _, w := range p.watch.writers {
		p.missed(now, w.id, wire.GUID{}, w.deadline.Tick(now))
		p.watch.due = min(p.watch.due, w.deadline.Next())
	}
}

// asserts takes a participant's word that its writers of a kind are alive.
func (p *Participant) asserts(now clock.Mono, s *Sample) error {
	m, err := wire.ParseParticipantMessage(s.Data.Payload)
	if err != nil || m.Prefix != s.Writer.Prefix {
		return err
	}
	for _, src := range p.watch.sources {
		automatic := src.liveliness == qos.Automatic && m.Kind == wire.AssertsAutomatic
		manual := src.liveliness == qos.ManualByParticipant && m.Kind == wire.AssertsManual
		if src.writer.Prefix == m.Prefix && (automatic || manual) {
			p.refresh(now, src)
		}
	}
	return nil
}
