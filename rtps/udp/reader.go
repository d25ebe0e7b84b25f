package udp

import (
	"github.com/takt-rt/takt/kernel"
	"github.com/takt-rt/takt/rtps"
	"github.com/takt-rt/takt/rtps/wire"
)

// A Reader is a reader of a Participant.
type Reader struct {
	p        *Participant
	id       wire.EntityID
	function func(*rtps.Sample)
}

// NewReader adds a reader and announces it. Its samples are handed to function,
// those of one writer in order, by a goroutine that receives. It may call
// methods of this package except Participant.Close; it must not block, since
// nothing else is received meanwhile. The sample and its payload are good until
// it returns.
func (p *Participant) NewReader(c rtps.EndpointConfig, function func(*rtps.Sample)) (*Reader, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	now := kernel.Now()
	id, err := p.machine.AddReader(now, c)
	p.settle(now)
	if err != nil {
		return nil, err
	}
	r := &Reader{p, id, function}
	p.readers[id] = r
	return r, nil
}

// GUID returns the GUID of the reader.
func (r *Reader) GUID() wire.GUID { return wire.GUID{Prefix: r.p.prefix, Entity: r.id} }

// Matched returns how many writers elsewhere it reads from.
func (r *Reader) Matched() int { return r.p.matches(r.id) }

// Counts returns what became of the samples of a writer elsewhere; false if the
// two do not match.
func (r *Reader) Counts(writer wire.GUID) (rtps.Counts, bool) {
	r.p.mu.Lock()
	defer r.p.mu.Unlock()
	return r.p.machine.Counts(r.id, writer)
}

// Close takes the reader away and says so. Its function may still run when Close
// returns, and be called with what is left of the same datagram.
func (r *Reader) Close() { r.p.remove(r.id) }
