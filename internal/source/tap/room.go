package tap

import (
	"fmt"
	"time"

	"github.com/takt-rt/takt/timeline"
)

const (
	defaultReserve = 64 << 20
	// warnAhead is how long before the reserve is reached there is a warning.
	warnAhead = 5 * time.Minute
	// settled is how long the rate at which a disk fills is watched before it
	// is believed.
	settled = 10 * time.Second
)

func reserveOf(bytes int64) int64 {
	switch {
	case bytes == 0:
		return defaultReserve
	case bytes < 0:
		return 0
	}
	return bytes
}

// A room watches the space on a disk, whoever fills it. It warns once: when
// less than twice the reserve is free, or when the reserve will be reached
// within five minutes at the mean rate since the beginning.
type room struct {
	reserve int64

	begun   bool
	first   int64 // bytes free at since
	since   timeline.Instant
	free    int64 // at the last look
	warned  bool
	lasts   time.Duration // at the last look, if filling
	filling bool
	reached bool // free space has come down to the reserve
}

// look takes how much is free, and reports that it is time to warn.
func (r *room) look(free int64, now timeline.Instant) (warn bool) {
	if !r.begun {
		r.begun, r.first, r.since = true, free, now
	}
	r.free = free
	r.reached = r.reached || r.reserve > 0 && free <= r.reserve
	r.foretell(now.Sub(r.since))
	if r.warned || r.reached {
		return false
	}
	r.warned = free < 2*r.reserve || r.filling && r.lasts < warnAhead
	return r.warned
}

// foretell says how long the disk lasts, if it fills and has been watched for
// long enough.
func (r *room) foretell(watched time.Duration) {
	r.filling = watched >= settled && r.free < r.first
	if !r.filling {
		return
	}
	rate := float64(r.first-r.free) / watched.Seconds()
	seconds := float64(r.free-r.reserve) / rate
	r.lasts = time.Duration(min(seconds, warnAhead.Seconds()) * float64(time.Second))
}

// finding is the warning.
func (r *room) finding(path string) timeline.Finding {
	f := timeline.Finding{
		ID: "disk-filling", Severity: timeline.Warning, Subject: path,
		Text:   fmt.Sprintf("%s are free on the disk, and the recording ends when %s are", megabytes(r.free), megabytes(r.reserve)),
		Remedy: "free some space, or end the recording",
	}
	if r.filling && r.lasts < warnAhead {
		f.Text += fmt.Sprintf(", which is in %v at the present rate", r.lasts.Round(time.Second))
	}
	return f
}
