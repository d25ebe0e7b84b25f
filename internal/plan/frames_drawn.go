package plan

import "slices"

// maxDrawn is how many frames a run keeps to be drawn, and drawnBefore how many
// of them come before the first one lost.
const (
	maxDrawn    = 64
	drawnBefore = 16
)

// A drawnWindow keeps what became of a few frames in a row.
type drawnWindow struct {
	from, to int64 // to is beyond the last
	frames   []Frame
}

// newDrawnWindow returns the window for a run of so many frames, the first of
// which to be lost is firstLost, or 0 where that is not known.
func newDrawnWindow(firstLost, frames int64) drawnWindow {
	from := max(firstLost-drawnBefore, 0)
	return drawnWindow{from: from, to: min(from+maxDrawn, frames)}
}

func (w *drawnWindow) wants(id int64) bool { return id >= w.from && id < w.to }
func (w *drawnWindow) add(f Frame)         { w.frames = append(w.frames, f) }
func (w *drawnWindow) complete() bool      { return int64(len(w.frames)) == w.to-w.from }

// sorted returns the frames in the order of their numbers.
func (w *drawnWindow) sorted() []Frame {
	slices.SortFunc(w.frames, func(a, b Frame) int { return int(a.ID - b.ID) })
	return w.frames
}
