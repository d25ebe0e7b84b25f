package infer

import (
	"bufio"
	"io"
	"time"

	"github.com/takt-rt/takt/model"
)

// WriteSamples writes execution times as a system file's samples: one in a line,
// with its unit.
func WriteSamples(w io.Writer, took []time.Duration) error {
	b := bufio.NewWriter(w)
	for _, d := range took {
		b.WriteString(model.FormatDuration(d))
		b.WriteByte('\n')
	}
	return b.Flush()
}
