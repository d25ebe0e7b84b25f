package ros

import (
	"errors"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// Take takes an event of discovery; d is the directory that it comes from,
// where it is looked up what an endpoint's policies are. Events of other kinds
// say nothing about the graph. An error is ErrGraphFull.
func (g *Graph) Take(e rtps.Event, d *rtps.Directory) error {
	switch e.Kind {
	case rtps.ParticipantFound, rtps.ParticipantChanged:
		return g.takeParticipant(e, d)
	case rtps.ParticipantLeft, rtps.ParticipantLost:
		g.RemoveParticipant(e.At, e.Remote.Prefix)
	case rtps.WriterFound, rtps.WriterChanged, rtps.ReaderFound, rtps.ReaderChanged:
		return g.takeEndpoint(e.At, e.Remote, d)
	case rtps.WriterGone, rtps.ReaderGone:
		g.RemoveEndpoint(e.At, e.Remote)
	}
	return nil
}

// takeParticipant takes the endpoints of a new participant too: who listens to
// others may have heard of those first.
func (g *Graph) takeParticipant(e rtps.Event, d *rtps.Directory) error {
	_, known := g.participants[e.Remote.Prefix]
	err := g.SetParticipant(e.At, e.Remote.Prefix, e.Vendor, e.Participant)
	if known || err != nil {
		return err
	}
	for _, endpoint := range d.EndpointsOf(e.Remote.Prefix) {
		err = errors.Join(err, g.takeEndpoint(e.At, endpoint.GUID, d))
	}
	return err
}

func (g *Graph) takeEndpoint(now clock.Mono, guid wire.GUID, d *rtps.Directory) error {
	e := d.Endpoint(guid)
	if e == nil || g.participants[guid.Prefix] == nil {
		return nil // gone meanwhile, or its participant is still to come
	}
	return g.SetEndpoint(now, guid, e.Vendor, e.Data, e.Policies)
}
