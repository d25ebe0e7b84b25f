package bag

import (
	"fmt"

	"github.com/takt-rt/takt/timeline"
)

// The findings that a recording may lead to, by id:
//
//	damaged-chunk               a chunk could not be unpacked, or its checksum is wrong; a Hole is left
//	damaged                     a file could not be read to its end; a Hole is left
//	not-closed                  a file ends without the end that its writer gives it: the recorder was killed
//	truncated                   a file ends in the middle of a record
//	file-missing                metadata.yaml names a file that is not there; a Hole is left
//	file-unreadable             one of several files could not be opened; a Hole is left
//	interrupted                 reading was interrupted
//	metadata-missing            a directory has no metadata.yaml
//	metadata-unreadable         metadata.yaml is no YAML, or not of a recording
//	metadata-contradicts-data   metadata.yaml claims what the data show to be otherwise
//	summary-contradicts-data    the statistics at the end of an MCAP file do so
//	out-of-order                messages stood in the file after a later one of their topic; they were put in order
//	not-in-order                events that could not be put in order
//	times-only                  what was left out, as asked
//	times-only-full-read        ... but a file had no index, so that all of it had to be read
//	unknown-serialization       payloads in an encoding that is not CDR: no stamps
//	undecodable                 messages shorter than their type needs, or not unpackable: no stamps
//	schema-unreadable           a message definition that could not be understood
//	type-conflict               a topic was recorded with two types
//	unknown-topic               messages on a channel or topic id that the file does not describe
//	absurd-time                 messages received before 1970 or after 2262: left out
//	publish-time-other-clock    publish times further than an hour from receive times: left out
//	too-many-transforms         more transforms than are told apart
//	wal-read                    a write-ahead log beside the database was read with it
//	hot-journal                 a rollback journal beside the database was not applied
type findings struct {
	list    []timeline.Finding
	partial bool // some of what happened is missing
}

func (f *findings) add(id string, severity timeline.Severity, subject, remedy, format string, args ...any) {
	f.list = append(f.list, timeline.Finding{
		ID:       id,
		Severity: severity,
		Subject:  subject,
		Text:     fmt.Sprintf(format, args...),
		Remedy:   remedy,
	})
}

// lost adds a finding that something is missing.
func (f *findings) lost(id, subject, remedy, format string, args ...any) {
	f.partial = true
	f.add(id, timeline.Warning, subject, remedy, format, args...)
}

// number says how many there are of something.
func number[N int | uint64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
