// Package file keeps timelines in files: a Writer is the sink that writes one,
// Read gives it back.
//
// A timeline is an MCAP file of the profile "takt", so that the tools for MCAP
// list and repair it. It has four channels:
//
//	takt/origin    timeline.Origin in JSON, one message, the first
//	takt/entities  timeline.Entity in JSON, a message for each description
//	takt/events    packed batches (see batch.go), the events in their order
//	takt/outcome   timeline.Outcome in JSON, one message, the last
//
// The log time of a message is the instant of its first event, its publish
// time that of its last; descriptions have the instant of the event before.
// Instants before 0 stand as 0 there, MCAP having no others. The sequence
// number counts the messages of the file from 0, so that a lost one shows.
//
// Each message is a chunk of its own, compressed and with a checksum, and is
// handed to the operating system before the call that brought it returns. So a
// process that is killed loses what it was about to write and nothing that it
// had written; Options.Sync says the same of a machine that loses power. There
// is no index: a timeline is read from its beginning.
package file

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/foxglove/mcap/go/mcap"
)

// The header of a timeline file. The library names the version of what the
// channels hold; it changes when an older reader would misread them.
const (
	profile       = "takt"
	libraryPrefix = "takt timeline "
	version       = 1
)

// The channels.
const (
	originChannel = iota + 1
	entityChannel
	eventChannel
	outcomeChannel
)

var topics = [...]string{
	originChannel:  "takt/origin",
	entityChannel:  "takt/entities",
	eventChannel:   "takt/events",
	outcomeChannel: "takt/outcome",
}

// Is reports whether r begins as a timeline file does. Any other MCAP file, and
// a timeline cut within its first 25 bytes, is none.
func Is(r io.ReaderAt) bool {
	// magic | header record: opcode 1, length 8 | profile: length 4, text
	head := make([]byte, len(mcap.Magic)+1+8+4+len(profile))
	if n, _ := r.ReadAt(head, 0); n < len(head) {
		return false
	}
	rest, ok := bytes.CutPrefix(head, append(mcap.Magic[:len(mcap.Magic):len(mcap.Magic)], byte(mcap.OpHeader)))
	return ok && bytes.Equal(rest[8:], append([]byte{byte(len(profile)), 0, 0, 0}, profile...))
}

// checkFirst says why a file that begins with this record cannot be read.
func checkFirst(token mcap.TokenType, record []byte) error {
	if token != mcap.TokenHeader {
		return fmt.Errorf("not a takt timeline: an MCAP file that begins with a %v record", token)
	}
	h, err := mcap.ParseHeader(record)
	if err != nil {
		return fmt.Errorf("not a takt timeline: its header is damaged: %w", err)
	}
	if h.Profile != profile {
		return fmt.Errorf("not a takt timeline: an MCAP file of the profile %q; read it as a recording", h.Profile)
	}
	var v int
	// Tools that rewrite a file put their own name before or behind the library's.
	_, after, _ := strings.Cut(h.Library, libraryPrefix)
	if _, err := fmt.Sscanf(after, "%d", &v); err != nil || v < 1 {
		return fmt.Errorf("a takt timeline of an unknown version (library %q); record it again", h.Library)
	}
	if v > version {
		return fmt.Errorf("a takt timeline of version %d, this takt reads up to version %d; use a newer takt", v, version)
	}
	return nil
}
