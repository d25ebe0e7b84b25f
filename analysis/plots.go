package analysis

import (
	"time"

	"github.com/takt-rt/takt/timeline"
)

// A Job is one run of a periodic callback, as it is drawn. Release lies on the
// timeline's axis; for a timer on another clock it is the start less the lateness.
type Job struct {
	Number              uint64
	Release, Start, End timeline.Instant
	Lateness, Response  time.Duration
	Missed, Marked      bool
	Skipped             int64 // releases after this one that were skipped
}
