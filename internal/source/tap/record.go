package tap

import (
	"context"
	"errors"

	"github.com/takt-rt/takt/timeline"
)

// Record runs a tap into a recorder, and what it gives to other sinks too,
// until ctx is done or the recorder fails, and closes the recorder. Both ends
// are clean: topics are left, and the outcome is written where there is room. The
// error is the recorder's; the outcome is good in any case.
func Record(ctx context.Context, t *Tap, r *Recorder, others ...timeline.Sink) (timeline.Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r.stop = stop
	o, err := t.Run(ctx, timeline.Tee(append([]timeline.Sink{r}, others...)...))
	return o, errors.Join(err, r.Close(o))
}
