package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/internal/source/tap"
	"github.com/takt-rt/takt/timeline"
)

// A recordProgress says how far a recording is, in place on a terminal, a line
// at a time elsewhere, and what there is to say at once beside it. Any goroutine
// may call it.
type recordProgress struct {
	w       io.Writer
	inPlace bool
	width   func() int // columns; 0 if unknown

	mu    sync.Mutex // guards the rest
	shown bool       // a line stands in place
	last  recordStatus
}

// A recordStatus is how far a recording is.
type recordStatus struct {
	elapsed time.Duration
	file    tap.Progress
	load    tap.Load
}

func newRecordProgress(w io.Writer) *recordProgress {
	p := &recordProgress{w: w, width: func() int { return 0 }}
	if fd := int(os.Stderr.Fd()); w == os.Stderr && term.IsTerminal(fd) {
		p.inPlace = true
		p.width = func() int {
			columns, _, _ := term.GetSize(fd) // 0 if unknown
			return columns
		}
	}
	return p
}

// pace is how often progress is said unless the user chose: what is said in
// place may be said often, lines stay.
func (p *recordProgress) pace() time.Duration {
	if p.inPlace {
		return time.Second
	}
	return 10 * time.Second
}

// update says how far the recording is.
func (p *recordProgress) update(s recordStatus) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	text := s.text(p.last)
	if p.inPlace {
		fmt.Fprint(p.w, fitting(text, p.width()))
	} else {
		fmt.Fprintln(p.w, text)
	}
	p.shown, p.last = p.inPlace, s
}

// fitting cuts what would break into a second line, which could not be taken
// away; 0 is an unknown width. The text is ASCII.
func fitting(text string, width int) string {
	if width > 0 && len(text) >= width {
		return text[:width-1]
	}
	return text
}

// notice says a finding.
func (p *recordProgress) notice(f timeline.Finding) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintln(p.w, noticeText(f))
}

// end takes the line away that stands in place.
func (p *recordProgress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *recordProgress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// noticeText is a finding as it is said at once, on one line.
func noticeText(f timeline.Finding) string {
	text := fmt.Sprintf("takt: %s: %s", f.Subject, f.Text)
	if f.Remedy != "" {
		text += "; " + f.Remedy
	}
	return text
}

// text says all of it: what was written and what takt's own readers lost; its
// traffic with the headers of the wire, as rates since before.
func (s recordStatus) text(before recordStatus) string {
	text := fmt.Sprintf("%.1f s: %s, %.3f MB, %d lost", s.elapsed.Seconds(),
		quantity.Count(s.file.Events, "event"), float64(s.file.Bytes)/1e6, s.file.Lost)
	if over := (s.elapsed - before.elapsed).Seconds(); over > 0 {
		text += fmt.Sprintf("; takt sends %.1f kB/s, gets %.1f kB/s",
			float64(s.load.SentBytes-before.load.SentBytes)/over/1e3,
			float64(s.load.ReceivedBytes-before.load.ReceivedBytes)/over/1e3)
	}
	return text
}
