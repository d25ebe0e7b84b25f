package plan

import (
	"fmt"
	"strings"

	"github.com/takt-rt/takt/timeline"
)

// findings are what a reader of the figures must know.
func (s *FramesSetup) findings(f *Frames) (list []timeline.Finding) {
	if s.AtOnce && s.Depth > 0 {
		list = append(list, s.depthWithoutEffect())
	}
	if behind := f.which(func(r *FramesRun) bool { return r.Verdict == fallsBehind }); len(behind) > 0 {
		switch {
		case s.keepsAll():
			list = append(list, s.endlessQueue(behind))
		case s.Depth > 1:
			list = append(list, s.staleQueue(behind))
		}
	}
	if s.Worst == 0 {
		list = append(list, s.worstUnknown())
	}
	if drained := f.which(s.drained); len(drained) > 0 {
		list = append(list, s.shortRun(drained))
	}
	if rounded := f.which(func(r *FramesRun) bool { return r.RoundedToNs }); len(rounded) > 0 {
		list = append(list, roundedRuns(rounded))
	}
	return list
}

// which returns the runs of which something is so.
func (f *Frames) which(so func(*FramesRun) bool) (runs []*FramesRun) {
	for i := range f.Runs {
		if so(&f.Runs[i]) {
			runs = append(runs, &f.Runs[i])
		}
	}
	return runs
}

// remedyForBehind is what helps a thread that falls behind.
const remedyForBehind = "Ask for KEEP_LAST with a depth of 1 to work on the newest frame; to lose none, lower the RTF or the processing time."

// staleQueue says that a deeper queue only trades loss for age.
func (s *FramesSetup) staleQueue(behind []*FramesRun) timeline.Finding {
	r := behind[0]
	age := "up to"
	if ratio(s.with(seconds(s.shortest()))) >= r.FrameInterval { // else some frames let the queue run low
		age = short(float64(s.Depth-1)*r.FrameInterval) + " to"
	}
	return timeline.Finding{
		ID: "stale-queue", Severity: timeline.Warning, Subject: rtfs(behind),
		Text: fmt.Sprintf("A queue of %d saves no frame: in the long run as many are processed as with a queue of 1, at RTF %s about %s. But each waits its turn and is %s %s old when its callback starts, instead of less than %s.",
			s.Depth, number(r.RTF), percent(s.longRunShare(r)), age, short(float64(s.Depth)*r.FrameInterval), short(r.FrameInterval)),
		Remedy: remedyForBehind,
	}
}

// endlessQueue says that a queue without a limit grows.
func (s *FramesSetup) endlessQueue(behind []*FramesRun) timeline.Finding {
	r := behind[0]
	growth := *r.AgeGrowth // known of every run that falls behind and drops nothing
	return timeline.Finding{
		ID: "endless-queue", Severity: timeline.Warning, Subject: rtfs(behind),
		Text: fmt.Sprintf("Nothing is dropped, so at RTF %s frames get older by %s in each second of wall time, by %s in a minute, and memory grows with them.",
			number(r.RTF), short(growth), short(60*growth)),
		Remedy: remedyForBehind,
	}
}

func (s *FramesSetup) depthWithoutEffect() timeline.Finding {
	return timeline.Finding{
		ID: "depth-without-effect", Severity: timeline.Warning, Subject: "queue",
		Text:   fmt.Sprintf("A client library that takes every sample at once keeps them all in a queue of its own: a depth of %d overwrites nothing.", s.Depth),
		Remedy: "Use one that takes samples just before the callback (rclcpp, rclpy), or keep only the newest in the node.",
	}
}

func (s *FramesSetup) worstUnknown() timeline.Finding {
	return timeline.Finding{
		ID: "worst-unknown", Severity: timeline.Info, Subject: "processing",
		Text:   fmt.Sprintf("No worst time was given, so the limits hold only if no frame takes longer than %s.", short(s.Processing.Seconds())),
		Remedy: "Measure the callback on a steady clock and add --worst with the longest time, or --times with all.",
	}
}

func (s *FramesSetup) shortRun(drained []*FramesRun) timeline.Finding {
	r := drained[0]
	return timeline.Finding{
		ID: "short-run", Severity: timeline.Info, Subject: rtfs(drained),
		Text: fmt.Sprintf("The run at RTF %s processes %s of its frames; in the long run it is about %s. What is in the queue when the sensor stops is still processed.",
			number(r.RTF), percent(r.ProcessedShare), percent(s.longRunShare(r))),
		Remedy: "Plan more --frames to see the share come closer.",
	}
}

func roundedRuns(runs []*FramesRun) timeline.Finding {
	return timeline.Finding{
		ID: "rounded-to-ns", Severity: timeline.Info, Subject: rtfs(runs),
		Text: "The times of these runs are rounded to nanoseconds, so that frames that come just as a callback ends may fall either way.",
	}
}

// longRunShare is the share that is processed in the long run: what the steady
// part of the run shows, else what the mean gives.
func (s *FramesSetup) longRunShare(r *FramesRun) float64 {
	if r.SteadyShare != nil {
		return *r.SteadyShare
	}
	return min(1, r.FrameInterval/ratio(s.with(s.runMean())))
}

// drained reports whether the frames processed after the sensor stopped make
// the run's share look better than it is, by more than two per cent.
func (s *FramesSetup) drained(r *FramesRun) bool {
	return r.Verdict == fallsBehind && r.Dropped > 0 && r.ProcessedShare > s.longRunShare(r)+0.02
}

func rtfs(runs []*FramesRun) string {
	var list []string
	for _, r := range runs {
		list = append(list, number(r.RTF))
	}
	return "RTF " + strings.Join(list, ", ")
}
