package plan

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/takt-rt/takt/bounds"
)

// A ClockSetup is what takt plan clock is asked about. Nil is unknown. All
// values are above zero, but for the latency, which may be zero.
type ClockSetup struct {
	RTF       *big.Rat // nil: 1
	Latency   *big.Rat // wall seconds from the publication of a tick until the node goes by it
	Rate      *big.Rat // of /clock, in ticks per wall second
	Step      *big.Rat // simulated seconds from one tick to the next; not with Rate
	Source    string   // the name of a ClockSource, for its basis and default; may be empty
	Speed     *big.Rat // metres per simulated second
	Tolerance *big.Rat // simulated seconds
	Timer     *big.Rat // rate of a timer on simulated time, per simulated second
	Ask       *big.Rat // at which rate "now" is asked for, per wall second
}

// check refuses what contradicts itself or leaves nothing to compute, and fills
// in defaults.
func (s *ClockSetup) check() error {
	if s.RTF == nil {
		s.RTF = big.NewRat(1, 1)
	}
	if err := s.checkSource(); err != nil {
		return err
	}
	ticks, _ := s.ticks()
	switch {
	case ticks == nil && s.Timer != nil:
		return errors.New("--timer runs at a tick of /clock, and nothing says when ticks come; add --clock-rate 100Hz, --clock-step 1ms or a --source that has a default")
	case ticks == nil && s.Ask != nil:
		return errors.New("--ask counts readings per tick of /clock, and nothing says when ticks come; add --clock-rate 100Hz, --clock-step 1ms or a --source that has a default")
	case ticks == nil && s.Latency == nil && s.Speed != nil:
		return errors.New("--speed makes a distance of an error, and nothing is known of the error; add --latency 5ms or --clock-rate 100Hz")
	case ticks == nil && s.Latency == nil && s.Tolerance == nil && s.Source == "":
		return errors.New("nothing to compute; add --latency 5ms, --clock-rate 100Hz, --source rosbag2 or --tolerance 20ms")
	}
	return nil
}

func (s *ClockSetup) checkSource() error {
	if s.Source == "" {
		return nil
	}
	source := clockSource(s.Source)
	switch {
	case source == nil:
		return fmt.Errorf("--source %q is not known; write one of %s, or --clock-rate or --clock-step alone", s.Source, strings.Join(ClockSourceNames(), ", "))
	case source.Basis == WallTime && s.Step != nil:
		return fmt.Errorf("--source %s ticks at a rate of wall time; write --clock-rate, such as --clock-rate 100Hz", s.Source)
	case source.Basis == SimTime && s.Rate != nil:
		return fmt.Errorf("--source %s ticks at a constant interval of simulated time; write --clock-step or --clock-rate-sim, such as --clock-step 1ms", s.Source)
	}
	return nil
}

// ticks returns when ticks come, nil if that is unknown, and whether that is
// the source's default.
func (s *ClockSetup) ticks() (ticks *bounds.Ticks, byDefault bool) {
	switch source := clockSource(s.Source); {
	case s.Rate != nil:
		return &bounds.Ticks{Every: new(big.Rat).Inv(s.Rate)}, false
	case s.Step != nil:
		return &bounds.Ticks{Every: s.Step, Sim: true}, false
	case source != nil && source.Every != nil:
		return &bounds.Ticks{Every: source.Every, Sim: source.Basis == SimTime}, true
	}
	return nil, false
}

// onSim reports whether ticks come at a constant interval of simulated time. If
// nothing says so it is wall time.
func (s *ClockSetup) onSim() bool {
	if ticks, _ := s.ticks(); ticks != nil {
		return ticks.Sim
	}
	source := clockSource(s.Source)
	return source != nil && source.Basis == SimTime
}
