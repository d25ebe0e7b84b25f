package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/takt-rt/takt/internal/source/tap"
	"github.com/takt-rt/takt/timeline"
)

func statusAt(elapsed time.Duration, events uint64) recordStatus {
	return recordStatus{
		elapsed: elapsed,
		file:    tap.Progress{Events: events, Lost: 2, Bytes: 1_234_567},
		load:    tap.Load{SentBytes: events * 10, ReceivedBytes: events * 300},
	}
}

// 400 events in 2 s: 4 kB sent and 120 kB received since the line before.
func TestRecordProgressSaysRatesSinceTheLineBefore(t *testing.T) {
	var out bytes.Buffer
	p := newRecordProgress(&out)
	p.update(statusAt(time.Second, 1))
	p.notice(timeline.Finding{Subject: "/camera", Text: "read no longer", Remedy: "name it"})
	p.update(statusAt(3*time.Second, 401))
	p.end()
	const want = `1.0 s: 1 event, 1.235 MB, 2 lost; takt sends 0.0 kB/s, gets 0.3 kB/s
takt: /camera: read no longer; name it
3.0 s: 401 events, 1.235 MB, 2 lost; takt sends 2.0 kB/s, gets 60.0 kB/s
`
	if out.String() != want {
		t.Errorf("got:\n%swant:\n%s", &out, want)
	}
}

func TestRecordProgressInPlaceLeavesNothing(t *testing.T) {
	var out bytes.Buffer
	width := 0
	p := &recordProgress{w: &out, inPlace: true, width: func() int { return width }}
	p.end()
	if out.Len() > 0 {
		t.Errorf("took away what was not there: %q", &out)
	}
	p.update(statusAt(time.Second, 1))
	p.notice(timeline.Finding{Subject: "/camera", Text: "read no longer", Remedy: "name it"})
	width = 20
	p.update(statusAt(2*time.Second, 1))
	p.end()
	const want = "1.0 s: 1 event, 1.235 MB, 2 lost; takt sends 0.0 kB/s, gets 0.3 kB/s\r\x1b[K" +
		"takt: /camera: read no longer; name it\n" +
		"2.0 s: 1 event, 1.2\r\x1b[K" // 19 of 20 columns
	if out.String() != want {
		t.Errorf("got  %q\nwant %q", &out, want)
	}
}
