package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// A progress shows on a terminal how far a long reading is. It is quiet for
// the first second and elsewhere.
type progress struct {
	w     io.Writer // nil: nowhere
	what  string
	begin time.Time
	next  time.Time
	shown bool
}

const progressEvery = 200 * time.Millisecond

func newProgress(f *os.File, what string) *progress {
	p := &progress{what: what, begin: time.Now()}
	p.next = p.begin.Add(time.Second)
	if term.IsTerminal(int(f.Fd())) {
		p.w = f
	}
	return p
}

func (p *progress) update(done, total int64) {
	p.say(func() string { return progressText(done, total, time.Since(p.begin)) })
}

// say shows a text, if it is time for one.
func (p *progress) say(text func() string) {
	now := time.Now()
	if p.w == nil || now.Before(p.next) {
		return
	}
	p.next = now.Add(progressEvery)
	p.shown = true
	fmt.Fprintf(p.w, "\r\x1b[K%s: %s", p.what, text())
}

// progressText says how much is done, how fast, and how long the rest takes at that rate.
func progressText(done, total int64, took time.Duration) string {
	rate := float64(done) / took.Seconds()
	text := fmt.Sprintf("%d MB, %.0f MB/s", done>>20, rate/(1<<20))
	if total > 0 && done <= total && rate > 0 {
		left := time.Duration(float64(total-done) / rate * float64(time.Second)).Round(time.Second)
		text = fmt.Sprintf("%d %% of %d MB, %.0f MB/s, %s left", done*100/total, total>>20, rate/(1<<20), left)
	}
	return text
}

func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
