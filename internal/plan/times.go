package plan

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/takt-rt/takt/model"
)

// The limits of a file of times.
const (
	maxTimes    = 1_000_000
	maxTimeLine = 256 // bytes
)

// ReadTimes reads measured times: one duration with its unit on each line, such
// as 250ms, above zero. Empty lines and lines that begin with # are skipped.
// Errors name the line; name is what the file is called.
func ReadTimes(name string, r io.Reader) ([]time.Duration, error) {
	var times []time.Duration
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, maxTimeLine), maxTimeLine)
	number := 0
	for lines.Scan() {
		number++
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		d, err := model.ParseDuration(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		case d == 0:
			return nil, fmt.Errorf("%s:%d: %s is not longer than zero; write a measured time, such as 250ms", name, number, text)
		case len(times) == maxTimes:
			return nil, fmt.Errorf("%s:%d: more than %d times; keep a representative part", name, number, maxTimes)
		}
		times = append(times, d)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: the line is longer than %d bytes; write one duration on each, such as 250ms", name, number+1, maxTimeLine)
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case len(times) == 0:
		return nil, fmt.Errorf("%s has no times; write one duration on each line, such as 250ms", name)
	}
	return times, nil
}
