package compile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/takt-rt/takt/model"
)

// Limits of files of samples: far beyond what a recording has.
const (
	mostSamples   = 10_000_000
	longestSample = 1000 // bytes of a line
)

// samplesOf returns the durations of a file, which is read once.
func (b *builder) samplesOf(path string) ([]time.Duration, error) {
	if s, read := b.samples[path]; read {
		return s, nil
	}
	if b.options.Open == nil {
		return nil, errors.New("files of samples are not read here; write a pattern")
	}
	f, err := b.options.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; write its path from the folder of the system file", err)
	}
	defer f.Close()
	s, err := readSamples(f, path)
	if err != nil {
		return nil, err
	}
	b.samples[path] = s
	return s, nil
}

// readSamples reads one duration of each line, with its unit.
func readSamples(r io.Reader, path string) (all []time.Duration, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestSample)
	for lines.Scan() {
		d, err := model.ParseDuration(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, len(all)+1, err)
		}
		if d > longest {
			return nil, fmt.Errorf("%s:%d: %v is longer than a year; write a shorter duration", path, len(all)+1, d)
		}
		if len(all) == mostSamples {
			return nil, fmt.Errorf("%s:%d: more than %d samples; leave some out", path, len(all)+1, mostSamples)
		}
		all = append(all, d)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: longer than a duration; write one in each line, such as 1.5ms", path, len(all)+1)
	case err != nil:
		return nil, fmt.Errorf("%s:%d: %w; try again", path, len(all)+1, err)
	case len(all) == 0:
		return nil, fmt.Errorf("%s: no sample; write a duration in each line, such as 1.5ms", path)
	}
	return all, nil
}
