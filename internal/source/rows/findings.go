package rows

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/takt-rt/takt/timeline"
)

// The findings that rows may lead to, by id:
//
//	rows-cut         the last row was not written whole, and is left out
//	interrupted      reading was interrupted
//	rows-absent      there is no row
//	rows-not-read    columns that takt does not know

// outcome says what a reader of the figures must know.
func (s *Source) outcome(found *survey, interrupted bool) timeline.Outcome {
	var o timeline.Outcome
	subject := filepath.Base(s.file.Name())
	add := func(id string, severity timeline.Severity, remedy, format string, args ...any) {
		o.Findings = append(o.Findings, timeline.Finding{
			ID: id, Severity: severity, Subject: subject, Remedy: remedy, Text: fmt.Sprintf(format, args...),
		})
	}
	if e := found.cut; e != nil {
		o.Partial = true
		add("rows-cut", timeline.Warning, "let the node end before the file is copied",
			"row %d, the last, has no newline and was left out: %s; the %s before it were kept", e.Row, e.Problem, count(found.rows, "row"))
	}
	if interrupted {
		o.Partial = true
		add("interrupted", timeline.Warning, "", "reading was interrupted; figures cover what came before")
	}
	if found.rows == 0 && !interrupted {
		add("rows-absent", timeline.Warning, "write the rows before the node ends", "there is no row in the file")
	}
	if len(found.other) > 0 {
		add("rows-not-read", timeline.Info, "", "not read: %s; the columns are %s",
			strings.Join(found.other, ", "), strings.Join(columnNames[:], ", "))
	}
	return o
}
