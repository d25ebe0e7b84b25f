package tap

import (
	"os"

	"github.com/takt-rt/takt/timeline"
)

// A Progress is how far a recording is.
type Progress struct {
	Events uint64 // that are with the operating system
	Lost   uint64 // samples that takt's own readers lost, as far as told one by one
	Bytes  int64  // of the file
}

// Progress returns how far the recording is. Any goroutine may ask.
func (r *Recorder) Progress() Progress {
	p := Progress{Events: r.events.Load(), Lost: r.lost.Load()}
	if info, err := os.Stat(r.path); err == nil {
		p.Bytes = info.Size()
	}
	return p
}

// count counts a batch that has been written.
func (r *Recorder) count(batch []timeline.Event) {
	var lost uint64
	for i := range batch {
		if batch[i].Kind == timeline.SampleDropped {
			lost++
		}
	}
	r.lost.Add(lost)
	r.events.Add(uint64(len(batch)))
}

// Discard closes the file and removes it: of a recording that has nothing in
// it. The recorder is not used any more.
func (r *Recorder) Discard() error {
	r.file.Close() // it may be closed already
	return os.Remove(r.path)
}
