package analysis

import (
	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

// calls pairs the events of service introspection into calls.
type calls struct {
	events uint64
	open   map[call]timeline.Instant

	client, server stats.Summary
}

// A call is one request as one side saw it.
type call struct {
	client, sequence uint64
	server           bool
}

// openCalls bounds the requests that wait for their response: beyond it the
// oldest knowledge is worth nothing, since a response that far away is lost.
const openCalls = 4096

func (c *calls) init(p *stats.Pool) { c.client, c.server = stats.In(p), stats.In(p) }

func (t *topic) serve(e *timeline.Event) {
	c := &t.calls
	c.events++
	at := e.At
	if e.Has(timeline.HasStamp) && e.Stamp != 0 {
		at = timeline.Instant(e.Stamp) // taken where it happened, before the recorder's path
	}
	step := timeline.ServiceStep(e.Value)
	k := call{e.Cause.Number, e.Number, step == timeline.RequestReceived || step == timeline.ResponseSent}
	switch step {
	case timeline.RequestSent, timeline.RequestReceived:
		if c.open == nil || len(c.open) >= openCalls {
			c.open = map[call]timeline.Instant{}
		}
		c.open[k] = at
	case timeline.ResponseSent, timeline.ResponseReceived:
		asked, ok := c.open[k]
		if !ok {
			return
		}
		delete(c.open, k)
		s := &c.client
		if k.server {
			s = &c.server
		}
		s.Add(seconds(at.Sub(asked)), int64(e.At))
	}
}
