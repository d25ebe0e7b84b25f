package plan

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A camera of 30 Hz and a callback of 100 ms: three frames come in each, the
// last of them as the callback ends, although 1/30 s has no end in decimals.
func TestThirtyHertzAndAHundredMilliseconds(t *testing.T) {
	s := FramesSetup{Rate: rat(30), RTFs: []*big.Rat{rat(1)}, Processing: 100 * ms, Depth: 10, Reliability: "reliable"}
	_, r := oneRun(t, s)
	if r.RoundedToNs {
		t.Error("the run is rounded")
	}
	wantNumber(t, "share", &r.Share, 1.0/3)
	wantNumber(t, "share of the steady part", r.SteadyShare, 1.0/3) // 10 Hz of 30, 66.7 % dropped
	wantNumber(t, "age", r.FrameAge.SteadyMin, 0.3)
	if most := *r.FrameAge.SteadyMax; most >= 1.0/3 {
		t.Errorf("age %v s, want less than 333 ms", most)
	}

	s.Depth = 1
	_, r = oneRun(t, s)
	wantNumber(t, "share of the steady part", r.SteadyShare, 1.0/3)
	if most := *r.FrameAge.SteadyMax; most >= 1.0/30 {
		t.Errorf("age %v s, want less than 33.3 ms", most)
	}

	s.Depth = 0
	_, r = oneRun(t, s)
	wantNumber(t, "growth", r.AgeGrowth, 2.0/3)
	// The last of 1800 frames is published at 1799/30 s and starts at 179.9 s.
	wantNumber(t, "age", r.FrameAge.Max, 179.9-1799.0/30)
	if r.FrameAge.Steady != nil {
		t.Errorf("a steady age of %v s, and it grows", *r.FrameAge.Steady)
	}
}

// At an RTF of 0.3 frames of 30 Hz come every 1/9 s: nine of them in a second
// of callbacks, exactly.
func TestTiesOfThirds(t *testing.T) {
	s := FramesSetup{Rate: rat(30), RTFs: []*big.Rat{rat(0.3)}, Processing: time.Second, Depth: 1, Frames: 30}
	if _, r := oneRun(t, s); !slices.Equal(r.ProcessedIDs, []int64{0, 9, 18, 27, 29}) {
		t.Errorf("processed %v", r.ProcessedIDs)
	}
}

// Where the client library takes samples at once, the depth has no effect.
func TestTakeAtOnce(t *testing.T) {
	s := FramesSetup{Rate: rat(16), RTFs: []*big.Rat{rat(1)}, Processing: 250 * ms, Depth: 1, Frames: 32, AtOnce: true}
	f, r := oneRun(t, s)
	if r.Processed != 32 || r.Dropped != 0 || r.Depth != 1 || f.Given.Take != "at-once" {
		t.Errorf("%d processed, %d dropped at depth %d, %s", r.Processed, r.Dropped, r.Depth, f.Given.Take)
	}
	wantNumber(t, "age", r.FrameAge.Max, 31*(0.25-0.0625))
	wantNumber(t, "growth", r.AgeGrowth, 0.75)
}

// naive follows the same frames in the plainest way, with rationals and a slice:
// a second opinion on the ticks, the queue and the tally.
func naive(s *FramesSetup, rtf *big.Rat) (processed, missed []int64, maxAge *big.Rat) {
	interval := new(big.Rat).Inv(new(big.Rat).Mul(s.Rate, rtf))
	arrival := func(id int64) *big.Rat { return new(big.Rat).Mul(interval, big.NewRat(id, 1)) }
	var queue []int64
	now, next, maxAge := new(big.Rat), int64(0), new(big.Rat)
	for {
		for ; next < int64(s.Frames) && arrival(next).Cmp(now) <= 0; next++ {
			queue = append(queue, next)
			if s.Depth > 0 && len(queue) > s.Depth && !s.AtOnce {
				missed, queue = append(missed, queue[0]), queue[1:]
			}
		}
		if len(queue) == 0 {
			if next == int64(s.Frames) {
				return processed, missed, maxAge
			}
			now = arrival(next)
			continue
		}
		id := queue[0]
		queue = queue[1:]
		if age := new(big.Rat).Sub(now, arrival(id)); age.Cmp(maxAge) > 0 {
			maxAge = age
		}
		index := id
		if s.ByCallback {
			index = int64(len(processed))
		}
		processed = append(processed, id)
		took := s.Processing
		if len(s.Times) > 0 {
			took = s.Times[index%int64(len(s.Times))]
		}
		now = new(big.Rat).Add(now, seconds(took+s.Overhead))
	}
}

func anySetup(t *rapid.T) FramesSetup {
	times := rapid.SliceOfN(rapid.Map(rapid.Int64Range(1, 40), func(n int64) time.Duration {
		return time.Duration(n) * 25 * ms
	}), 0, 5)
	return FramesSetup{
		Rate:       big.NewRat(rapid.Int64Range(1, 90).Draw(t, "rate"), rapid.Int64Range(1, 3).Draw(t, "per")),
		RTFs:       []*big.Rat{big.NewRat(rapid.Int64Range(1, 12).Draw(t, "rtf"), 10)},
		Processing: time.Duration(rapid.Int64Range(1, 40).Draw(t, "processing")) * 25 * ms,
		Times:      times.Draw(t, "times"),
		Overhead:   time.Duration(rapid.Int64Range(0, 3).Draw(t, "overhead")) * ms,
		Depth:      rapid.IntRange(0, 6).Draw(t, "depth"),
		AtOnce:     rapid.Bool().Draw(t, "at once"),
		ByCallback: rapid.Bool().Draw(t, "by callback"),
		Frames:     rapid.IntRange(1, 120).Draw(t, "frames"),
	}
}

func TestRunsAgreeWithASecondOpinion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySetup(t)
		f, err := NewFrames(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		r := f.Runs[0]
		processed, missed, maxAge := naive(&s, s.RTFs[0])
		if !slices.Equal(r.ProcessedIDs, processed) || !slices.Equal(r.MissedIDs, missed) {
			t.Fatalf("processed %v, missed %v; want %v, %v", r.ProcessedIDs, r.MissedIDs, processed, missed)
		}
		if want := ratio(maxAge); *r.FrameAge.Max != want {
			t.Fatalf("largest age %v, want %v", *r.FrameAge.Max, want)
		}
		if r.Processed+r.Dropped != r.Published {
			t.Fatalf("%d and %d of %d", r.Processed, r.Dropped, r.Published)
		}
	})
}

// Where every frame takes longer than the interval, the steady age lies in
// [(D-1) T/r, D T/r), and the steady share is T/(p r) to within a callback.
func TestSteadyAgeIsInItsRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Int64Range(51, 400).Draw(t, "processing")
		s := FramesSetup{
			Rate: rat(20), RTFs: []*big.Rat{rat(1)}, Processing: time.Duration(p) * ms,
			Depth: rapid.IntRange(1, 12).Draw(t, "depth"), Frames: 3000,
		}
		f, err := NewFrames(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		r := f.Runs[0]
		if r.FrameAge.Steady == nil {
			t.Fatal("no steady part")
		}
		from, below := float64(s.Depth-1)*0.05, float64(s.Depth)*0.05
		if a := r.FrameAge; *a.SteadyMin < from-1e-12 || *a.SteadyMax >= below+1e-12 {
			t.Fatalf("age from %v to %v, want within [%v, %v)", *a.SteadyMin, *a.SteadyMax, from, below)
		}
		if want := 50 / float64(p); *r.SteadyShare < want-1e-9 || *r.SteadyShare > want+1e-9 {
			t.Fatalf("share %v, want %v", *r.SteadyShare, want)
		}
	})
}

// A unit that would be too fine is replaced by nanoseconds, and the run says so.
func TestRoundedRun(t *testing.T) {
	rtf, _ := new(big.Rat).SetString("0.12345678901234567")
	rate, _ := new(big.Rat).SetString("29.97002997003")
	s := FramesSetup{Rate: rate, RTFs: []*big.Rat{rtf}, Processing: 250*ms + 1, Depth: 1, Frames: 1_000_000}
	f, r := oneRun(t, s)
	if !r.RoundedToNs || f.Findings[len(f.Findings)-1].ID != "rounded-to-ns" {
		t.Errorf("rounded %v, findings %v", r.RoundedToNs, f.Findings)
	}
	// The interval is 1/(29.97002997003 x 0.12345678901234567) s; the last frame
	// comes after 999999 of them, with no error that adds up.
	if want := 999999 / (29.97002997003 * 0.12345678901234567); r.LastPublished < want-1e-8 || r.LastPublished > want+1e-8 {
		t.Errorf("the last frame comes at %.9f s, want %.9f", r.LastPublished, want)
	}
}

func TestIDsAreBounded(t *testing.T) {
	s := FramesSetup{Rate: rat(16), RTFs: []*big.Rat{rat(1), rat(0.2)}, Processing: 250 * ms, Depth: 1, Frames: 100_000}
	f, err := NewFrames(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range f.Runs {
		if !r.IDsLeftOut || max(len(r.ProcessedIDs), len(r.MissedIDs)) != MaxIDs || r.Processed+r.Dropped != 100_000 {
			t.Errorf("%d and %d ids of %d and %d", len(r.ProcessedIDs), len(r.MissedIDs), r.Processed, r.Dropped)
		}
	}
}

// Frame 1 waits behind frame 0 and is overwritten when frame 2 comes.
func TestDrawnFrames(t *testing.T) {
	s := FramesSetup{Rate: rat(4), RTFs: []*big.Rat{rat(1)}, Processing: 600 * ms, Depth: 1, Frames: 4}
	_, r := oneRun(t, s)
	want := []Frame{
		{ID: 0, EndedS: 0.6},
		{ID: 1, ArrivedS: 0.25, DroppedAtS: 0.5, Dropped: true},
		{ID: 2, ArrivedS: 0.5, TakenS: 0.6, EndedS: 1.2},
		{ID: 3, ArrivedS: 0.75, TakenS: 1.2, EndedS: 1.8},
	}
	if d := cmp.Diff(want, r.Drawn); d != "" {
		t.Errorf("drawn (-want +got):\n%s", d)
	}
}

func TestInterruptedRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := NewFrames(ctx, FramesSetup{Rate: rat(16), RTFs: []*big.Rat{rat(0.2)}, Processing: 250 * ms, Frames: 1_000_000})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func BenchmarkFramesMillion(b *testing.B) {
	for _, c := range []struct {
		name  string
		depth int
		times []time.Duration
	}{
		{"depth=1", 1, nil},
		{"depth=10", 10, nil},
		{"depth=all", 0, nil},
		{"depth=1/pattern=4", 1, []time.Duration{250 * ms, 250 * ms, 250 * ms, 375 * ms}},
	} {
		b.Run(c.name, func(b *testing.B) {
			const frames = 1_000_000
			s := FramesSetup{Rate: rat(16), RTFs: []*big.Rat{rat(0.25)}, Processing: 251 * ms, Times: c.times, Depth: c.depth, Frames: frames}
			for b.Loop() {
				if _, err := NewFrames(context.Background(), s); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/frames, "ns/frame")
		})
	}
}
