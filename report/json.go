package report

import (
	"encoding/json"
	"fmt"
	"io"
)

// JSON writes a report, indented, in the form that docs/report.schema.json describes.
func JSON(w io.Writer, r *Report) error { return writeJSON(w, r) }

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Read reads a report that JSON wrote, this version's or an older one's. Keys
// it does not know are ignored; a schema it does not know is an error.
func Read(r io.Reader) (*Report, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading a report: %w", err)
	}
	if err := checkSchema(data); err != nil {
		return nil, err
	}
	report := &Report{}
	if err := json.Unmarshal(data, report); err != nil {
		return nil, fmt.Errorf("reading a report: %w; write it anew with takt analyze --json", err)
	}
	normalize(report)
	return report, nil
}

// checkSchema comes before the rest, so that a report of another schema is
// called that and not a report with wrong fields.
func checkSchema(data []byte) error {
	var head struct {
		Schema string `json:"schema"`
	}
	switch err := json.Unmarshal(data, &head); {
	case err != nil:
		return fmt.Errorf("this is no report: %w; write one with takt analyze --json", err)
	case head.Schema == "":
		return fmt.Errorf("this is no report: it names no schema; write one with takt analyze --json")
	case head.Schema != Schema:
		return fmt.Errorf("this is of schema %q, and this takt reads %q; use the takt that wrote it, or write it anew with takt analyze --json", head.Schema, Schema)
	}
	return nil
}
