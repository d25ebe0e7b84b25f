package rtps

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/takt-rt/takt/rtps/wire"
)

func TestStrangersAreKeptOnce(t *testing.T) {
	p := NewParticipant(0, ParticipantConfig{Domain: 7})
	for _, d := range []wire.ParticipantData{
		{DomainID: wire.Some(uint32(7))}, // no stranger
		{},                               // nor is this: Fast DDS 2 does not say
		{DomainID: wire.Some(uint32(3))},
		{DomainID: wire.Some(uint32(3))},
		{DomainTag: "ros_discovery_off_4711"},
		{DomainTag: strings.Repeat("x", 1000)},
	} {
		p.accepts(&d)
	}
	want := []Stranger{{3, ""}, {7, "ros_discovery_off_4711"}, {7, strings.Repeat("x", 256)}}
	if got := p.Strangers(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestStrangersAreBounded(t *testing.T) {
	p := NewParticipant(0, ParticipantConfig{})
	for i := range 10_000 {
		p.accepts(&wire.ParticipantData{DomainTag: fmt.Sprint(i)})
	}
	if n := len(p.Strangers()); n != maxStrangers {
		t.Errorf("%d kept, want %d", n, maxStrangers)
	}
}
