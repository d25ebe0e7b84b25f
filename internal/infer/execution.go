package infer

import (
	"fmt"
	"slices"
	"time"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// maxPattern is how many execution times are written in the system file. More
// are in a file of samples.
const maxPattern = 64

// execution is what the runs of a callback took.
func (b *builder) execution(n *node, m *member, at []string) model.Execution {
	took := make([]time.Duration, len(m.runs))
	for i, r := range m.runs {
		took[i] = r.took
	}
	x := model.Execution{Typical: median(took), Worst: slices.Max(took)}
	b.comment("median of "+quantity.Count(len(took), "run"), append(at, "typical")...)
	b.comment("maximum of "+quantity.Count(len(took), "run"), append(at, "worst")...)
	switch {
	case slices.Min(took) == x.Worst:
	case len(took) <= maxPattern:
		x.Pattern = took
		b.comment("the runs, in order", append(at, "pattern")...)
	default:
		x.Samples = b.samplesPath(n, m)
		b.Samples[x.Samples] = took
		b.comment("the runs, in order", append(at, "samples")...)
	}
	return x
}

// samplesPath is where the execution times of a callback are written, from the
// folder of the system file on.
func (b *builder) samplesPath(n *node, m *member) string {
	used := names{}
	for path := range b.Samples {
		used[path] = true
	}
	for i := 1; ; i++ {
		path := fmt.Sprintf("execution/%s_%s.txt", plain(n.name), m.name)
		if i > 1 {
			path = fmt.Sprintf("execution/%s_%s_%d.txt", plain(n.name), m.name, i)
		}
		if !used[path] {
			return path
		}
	}
}

// median returns the middle value, or the mean of the two in the middle, rounded
// down to a nanosecond.
func median(values []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(values))
	low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
	return low + (high-low)/2
}
