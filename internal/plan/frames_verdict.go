package plan

import (
	"fmt"
	"math/big"
)

// The verdicts. Between the RTF limits of the worst time and of the mean, it
// depends on how slow frames cluster, and the verdict says how many of them in
// a row are absorbed.
const (
	everyFrameFits      = "every frame fits"
	dependsOnClustering = "depends on clustering"
	fallsBehind         = "falls behind"
)

// judge fills in the verdict of a run.
func (p framesAt) judge(r *FramesRun) {
	worst, mean := seconds(p.worst()), p.mean()
	if mean == nil { // then the typical time is the least that it can be
		mean = seconds(p.Processing)
	}
	r.SlowInARow = p.slowInARow()
	switch {
	case p.exceeds(worst) <= 0:
		r.Verdict = everyFrameFits
	case p.exceeds(mean) > 0:
		r.Verdict = fallsBehind
		r.note(p.behind(r))
	case r.SlowInARow != nil:
		r.Verdict = fmt.Sprintf("%s: %s absorbed, then frame %d is lost", dependsOnClustering, slowFrames(r.SlowInARow.Absorbed), r.SlowInARow.LostFrom)
	default:
		r.Verdict = dependsOnClustering + ": nothing is dropped, but slow frames in a row delay those after them"
	}
	if r.Verdict == fallsBehind {
		return
	}
	p.qualify(r, worst)
}

func (r *FramesRun) note(text string) { r.Notes = append(r.Notes, text) }

// behind says what becomes of frames that come too fast.
func (p framesAt) behind(r *FramesRun) string {
	if r.AgeGrowth != nil {
		return fmt.Sprintf("nothing is dropped, and frames get older by %s in each second of wall time", short(*r.AgeGrowth))
	}
	return fmt.Sprintf("about %s of the frames are processed in the long run", percent(p.longRunShare(r)))
}

// qualify says where a good verdict ends.
func (p framesAt) qualify(r *FramesRun, worst *big.Rat) {
	switch {
	case p.exceeds(worst) == 0:
		r.note("no margin: the worst frames fill the interval, and what the thread does beside them adds up")
	case p.exceeds(worst) > 0 && p.exceeds(seconds(p.Processing)) == 0:
		r.note("no margin: typical frames fill the interval, so that what a slow one delays is never made up")
	}
	one := big.NewRat(1, 1)
	atOne := p.at(one)
	if p.form.RTF.Cmp(one) >= 0 || atOne.exceeds(worst) <= 0 {
		return
	}
	share := atOne.form.Share(p.with(seconds(p.Processing)))
	r.ShareAtRTF1 = float(share)
	text := "holds at this RTF only: at RTF 1, as on a real robot, "
	if share.Cmp(one) < 0 {
		text += fmt.Sprintf("about %s of the frames are processed", percent(ratio(share)))
	} else {
		text += "it depends on how slow frames cluster"
	}
	r.note(text)
}

// slowInARow tells how many frames of the worst time in a row are absorbed, if
// typical ones fit and the worst do not; nil otherwise, and where nothing is dropped.
func (p framesAt) slowInARow() *SlowRun {
	if p.keepsAll() || p.exceeds(seconds(p.Processing)) > 0 {
		return nil
	}
	id, lost := p.form.FirstLost(p.with(seconds(p.worst())), p.Depth)
	if !lost || !id.IsInt64() {
		return nil
	}
	return &SlowRun{Absorbed: id.Int64() - 1, LostFrom: id.Int64()}
}

func slowFrames(n int64) string {
	if n == 1 {
		return "1 slow frame is"
	}
	return fmt.Sprintf("%d consecutive slow frames are", n)
}
