package rtps

import (
	"slices"

	"github.com/takt-rt/takt/rtps/wire"
)

// A Stranger is a domain whose participants announced themselves to this one,
// which is of another.
type Stranger struct {
	Domain int
	Tag    string // at most 256 bytes of it; "": it has none
}

// maxStrangers bounds what is kept of those.
const maxStrangers = 64

// Strangers returns the first 64 domains that announced themselves and are not
// the participant's own, each once.
func (p *Participant) Strangers() []Stranger { return slices.Clone(p.strangers) }

// refuse notes that a participant is of another domain.
func (p *Participant) refuse(d *wire.ParticipantData) {
	s := Stranger{Domain: int(d.DomainID.Or(uint32(p.c.Domain))), Tag: d.DomainTag[:min(len(d.DomainTag), 256)]}
	if len(p.strangers) < maxStrangers && !slices.Contains(p.strangers, s) {
		p.strangers = append(p.strangers, s)
	}
}
