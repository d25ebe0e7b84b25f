package plan

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"time"
)

// A FramesSetup is what takt plan frames is asked about. Rate and either
// Processing or Times are needed; the rest has defaults.
type FramesSetup struct {
	Rate *big.Rat // of the sensor, in frames per simulated second; above zero

	Processing time.Duration   // wall time of a typical frame; zero: the median of Times
	Worst      time.Duration   // of the slowest; zero: the longest known
	Times      []time.Duration // what the run's frames take, used in turn; none: all are typical
	ByCallback bool            // Times are indexed by callback instead of by frame number
	Overhead   time.Duration   // what the thread needs beside each callback

	RTFs   []*big.Rat // none: 1 and the recommended one
	Margin *big.Rat   // a share of the RTF limit, below 1; nil: 20 %

	Depth       int    // of the history; 0 is KEEP_ALL
	Reliability string // as the QoS profile has it; only repeated
	AtOnce      bool   // the client library takes every sample at once into a queue of its own

	Frames int           // how many the run has; zero: as many as Length holds
	Length time.Duration // simulated; zero: what Frames take, or a minute
}

// The limits keep memory and time within reason.
const (
	maxFrames = 10_000_000
	maxRTFs   = 100
)

// check refuses what cannot be planned and fills in defaults. What the flags
// cannot express, such as a negative duration, is not looked for.
func (s *FramesSetup) check() error {
	if s.Rate == nil {
		return fmt.Errorf("nothing says how often the sensor publishes; add --rate 16Hz")
	}
	if err := s.checkTimes(); err != nil {
		return err
	}
	if s.Margin == nil {
		s.Margin = big.NewRat(1, 5)
	}
	if s.Margin.Cmp(big.NewRat(1, 1)) >= 0 {
		return fmt.Errorf("--margin: %s leaves no real time factor; write less than 100%%, such as 20%%", percent(ratio(s.Margin)))
	}
	if s.Depth < 0 {
		return fmt.Errorf("--depth %d is negative; write 1 or more, or all for KEEP_ALL", s.Depth)
	}
	if len(s.RTFs) > maxRTFs {
		return fmt.Errorf("--rtf: %d real time factors; write at most %d", len(s.RTFs), maxRTFs)
	}
	return s.checkSize()
}

func (s *FramesSetup) checkTimes() error {
	switch {
	case len(s.Times) > 0:
		sorted := slices.Sorted(slices.Values(s.Times))
		longest := sorted[len(sorted)-1]
		if s.Worst > 0 && s.Worst < longest {
			return fmt.Errorf("--worst %s is shorter than a frame of %s among the times; write at least that", short(s.Worst.Seconds()), short(longest.Seconds()))
		}
		if s.Processing == 0 {
			s.Processing = sorted[(len(sorted)-1)/2]
		}
		if s.Worst == 0 {
			s.Worst = max(longest, s.Processing)
		}
	case s.Processing == 0:
		return fmt.Errorf("nothing says how long a frame takes; add --processing 250ms, --pattern or --times")
	}
	if s.Worst > 0 && s.Worst < s.Processing {
		return fmt.Errorf("--worst %s is shorter than the typical %s; write the longest time measured", short(s.Worst.Seconds()), short(s.Processing.Seconds()))
	}
	return nil
}

// checkSize settles the number of frames and the simulated length.
func (s *FramesSetup) checkSize() error {
	if s.Length == 0 && s.Frames == 0 {
		s.Length = time.Minute
	}
	if s.Frames == 0 {
		// Frame k is published at k periods, the first at 0: those before the end count.
		n := new(big.Rat).Mul(seconds(s.Length), s.Rate)
		if n.Cmp(big.NewRat(maxFrames, 1)) > 0 {
			return fmt.Errorf("%s hold more than %d frames; plan fewer with --frames, or a shorter --length", short(s.Length.Seconds()), maxFrames)
		}
		f, _ := n.Float64()
		s.Frames = int(math.Ceil(f))
	}
	if s.Frames > maxFrames {
		return fmt.Errorf("--frames %d is more than a plan runs through; write at most %d", s.Frames, maxFrames)
	}
	return nil
}

// length returns the simulated length in seconds.
func (s *FramesSetup) length() *big.Rat {
	if s.Length > 0 {
		return seconds(s.Length)
	}
	return new(big.Rat).Quo(big.NewRat(int64(s.Frames), 1), s.Rate)
}

// worst returns the longest time of a frame, which is the typical one if no
// other is known.
func (s *FramesSetup) worst() time.Duration { return max(s.Worst, s.Processing) }

// shortest returns the shortest time of a frame in the run.
func (s *FramesSetup) shortest() time.Duration {
	if len(s.Times) > 0 {
		return slices.Min(s.Times)
	}
	return s.Processing
}

// mean returns the mean time of a frame in seconds, or nil where only a typical
// and a worst one are known.
func (s *FramesSetup) mean() *big.Rat {
	switch {
	case len(s.Times) > 0:
		return meanOf(s.Times)
	case s.worst() == s.Processing:
		return seconds(s.Processing)
	}
	return nil
}

// runMean returns the mean time of a frame as the run has it.
func (s *FramesSetup) runMean() *big.Rat {
	if len(s.Times) > 0 {
		return meanOf(s.Times)
	}
	return seconds(s.Processing)
}

func meanOf(times []time.Duration) *big.Rat {
	sum, ns := new(big.Int), new(big.Int)
	for _, d := range times {
		sum.Add(sum, ns.SetInt64(int64(d)))
	}
	return new(big.Rat).SetFrac(sum, new(big.Int).Mul(big.NewInt(int64(len(times))), big.NewInt(int64(time.Second))))
}

// with returns a time of a frame and the overhead beside it.
func (s *FramesSetup) with(processing *big.Rat) *big.Rat {
	return new(big.Rat).Add(processing, seconds(s.Overhead))
}

// keepsAll reports whether nothing is ever overwritten.
func (s *FramesSetup) keepsAll() bool { return s.Depth == 0 || s.AtOnce }
