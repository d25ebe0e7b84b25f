package model

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"
)

// The bounds of a system file. The YAML parser's time grows with the square of
// some of them, so they are counted before it runs.
const (
	maxBytes   = 1 << 20
	maxKeys    = 12_000 // of one mapping, or entries of one list
	maxNesting = 32     // of brackets, or of list entries begun on one line
	maxBlank   = 1000   // lines in a row
	maxText    = 1000   // bytes of a key or value; messages repeat them
)

// readable reports whether a text can be handed to the YAML scanner.
func (d *decoder) readable(text string) bool {
	line, blank := 0, 0
	for content := range strings.Lines(text) {
		line++
		if !utf8.ValidString(content) {
			d.report(place{line: line}, "", "is not UTF-8 text", "save the file as UTF-8")
			return false
		}
		if blank++; strings.TrimSpace(content) != "" {
			blank = 0
		}
		if blank > maxBlank {
			d.report(place{line: line}, "", fmt.Sprintf("follows %d blank lines", maxBlank), "remove them")
			return false
		}
	}
	return true
}

// plain reports whether the tokens are of the part of YAML that system files
// use, within the bounds. Without aliases a file cannot expand.
func (d *decoder) plain(tokens token.Tokens) bool {
	c := tokenCounter{}
	for _, t := range tokens {
		at := placeOf(t)
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType:
			d.report(at, "", "anchors, aliases and merge keys are not supported", "write the values out")
		case token.TagType:
			d.report(at, "", "tags are not supported", "write the value without "+shown(t.Value))
		case token.MappingKeyType:
			d.report(at, "", "keys marked with ? are not supported", "write KEY: VALUE")
		case token.DirectiveType:
			d.report(at, "", "directives are not supported", "remove the line")
		}
		if len(t.Value) > maxText && t.Type != token.CommentType {
			d.report(at, "", fmt.Sprintf("a text of more than %d bytes", maxText), "shorten it")
		}
		if c.add(t); c.nesting > maxNesting {
			d.report(at, "", fmt.Sprintf("is nested more than %d deep", maxNesting), "write it flatter")
			return false
		}
		if c.keys > maxKeys {
			d.report(at, "", fmt.Sprintf("more than %d keys in one section", maxKeys), "split the file")
			return false
		}
	}
	return len(d.errs) == 0
}

// A tokenCounter counts what makes the YAML parser slow.
type tokenCounter struct {
	nesting, brackets, entries, entriesLine int
	keys                                    int      // so far, of the mapping or list that the last token belongs to
	columns                                 []column // one for each open mapping or list, outermost first
}

// A column is where the keys of one mapping begin, and how many there were.
type column struct{ at, keys int }

func (c *tokenCounter) add(t *token.Token) {
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		c.brackets++
	case token.SequenceEndType, token.MappingEndType:
		c.brackets--
	case token.SequenceEntryType:
		if t.Position.Line != c.entriesLine {
			c.entriesLine, c.entries = t.Position.Line, 0
		}
		c.entries++
		c.countKey(t.Position.Column)
	case token.MappingValueType:
		if t.Prev != nil { // the key
			c.countKey(t.Prev.Position.Column)
		}
	}
	c.nesting = max(c.brackets, c.entries)
}

func (c *tokenCounter) countKey(at int) {
	for len(c.columns) > 0 && c.columns[len(c.columns)-1].at > at {
		c.columns = c.columns[:len(c.columns)-1]
	}
	if len(c.columns) == 0 || c.columns[len(c.columns)-1].at < at {
		c.columns = append(c.columns, column{at: at})
	}
	last := &c.columns[len(c.columns)-1]
	last.keys++
	c.keys = last.keys
}
