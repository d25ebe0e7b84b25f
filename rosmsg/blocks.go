package rosmsg

import (
	"fmt"
	"strings"
)

// A block is the text of one type within a schema text.
type block struct {
	name  string // as the separator names it; "" for what comes before the first
	lines []string
	first int // number of the first of lines in the schema text, from 1
}

// splitBlocks cuts a schema text at its separators: a line of "=" (80 of them,
// by the MCAP format registry), then a line of prefix ("MSG:", "IDL:") and a
// type's name. What comes before the first is left out if it is blank and
// something follows, as IDL texts begin with a separator.
func splitBlocks(text, prefix string) ([]block, error) {
	lines := strings.Split(text, "\n")
	blocks := []block{{first: 1}}
	for i := 0; i < len(lines); i++ {
		if !isSeparator(lines[i]) {
			last := &blocks[len(blocks)-1]
			last.lines = append(last.lines, lines[i])
			continue
		}
		i++
		var name string
		var ok bool
		if i < len(lines) {
			name, ok = strings.CutPrefix(strings.TrimSpace(lines[i]), prefix)
		}
		if !ok {
			return nil, &SchemaError{Line: i + 1, Problem: fmt.Sprintf("a line of = is not followed by %q and the name of a type", prefix),
				Remedy: "write it, or remove the line of ="}
		}
		blocks = append(blocks, block{name: strings.TrimSpace(name), first: i + 2})
	}
	if len(blocks) > 1 && strings.TrimSpace(strings.Join(blocks[0].lines, "")) == "" {
		blocks = blocks[1:]
	}
	return blocks, nil
}

func isSeparator(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= 8 && strings.Trim(line, "=") == ""
}
