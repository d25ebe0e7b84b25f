package bag

import (
	"context"
	"math"

	"github.com/takt-rt/takt/timeline"
)

// probeSize is how many entries of a file without an index are looked at for its start.
const probeSize = 512

// start returns the receive time that the file begins with, so that files can
// be read in their order: by an index exactly, without one the earliest of the
// first messages. A file without messages begins at the end of time.
func (in *input) start(ctx context.Context) (int64, error) {
	r := newRun(new(recording), Options{TimesOnly: true}, nobody{})
	r.window = probeSize
	reader, err := openReader(ctx, r, in)
	if err != nil {
		return 0, err
	}
	defer reader.close()
	at, ok := reader.bound()
	if !ok {
		return math.MaxInt64, nil
	}
	return int64(at), nil
}

// nobody is a sink that takes nothing.
type nobody struct{}

func (nobody) Start(timeline.Origin)    {}
func (nobody) Describe(timeline.Entity) {}
func (nobody) Events([]timeline.Event)  {}
