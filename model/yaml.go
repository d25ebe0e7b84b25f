package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// newlines makes every line end as the YAML parser has it, so that lines are
// counted as editors count them.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// parseYAML returns the root of the one document in data, or nil after
// reporting why there is none.
func (d *decoder) parseYAML(data []byte) ast.Node {
	if len(data) > maxBytes {
		d.report(place{}, "", "is larger than 1 MiB", "check that it is the system file")
		return nil
	}
	text := strings.TrimPrefix(newlines.Replace(string(data)), "\ufeff") // as some editors begin
	if !d.readable(text) {
		return nil
	}
	tokens := lexer.Tokenize(text)
	if !d.plain(tokens) {
		return nil
	}
	file, err := parse(tokens)
	if err != nil {
		d.reportSyntax(err)
		return nil
	}
	return d.soleDocument(file)
}

// parse hands the tokens to the YAML parser, which panics on some texts that
// are not YAML.
func parse(tokens token.Tokens) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the parser gave up: %v", r)
		}
	}()
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// soleDocument returns the mapping that a file consists of.
func (d *decoder) soleDocument(file *ast.File) ast.Node {
	docs := slices.DeleteFunc(file.Docs, func(doc *ast.DocumentNode) bool { return doc.Body == nil })
	if len(docs) == 0 {
		d.report(place{}, "", "is empty", "begin it with takt: "+Version+", or write one with takt init")
		return nil
	}
	if len(docs) > 1 {
		d.report(placeOf(docs[1].Body.GetToken()), "", "a second YAML document begins here", "keep one document in the file")
		return nil
	}
	root, ok := docs[0].Body.(*ast.MappingNode)
	if !ok || len(root.Values) == 0 {
		d.report(place{}, "", "is not a system file: it has no keys", "begin it with takt: "+Version+", or write one with takt init")
		return nil
	}
	return root
}

// reportSyntax reports what the YAML parser found wrong, on one line.
func (d *decoder) reportSyntax(err error) {
	var syntax yaml.Error
	if !errors.As(err, &syntax) {
		d.report(place{}, "", "is not YAML: "+shortened(err.Error()), remedyYAML)
		return
	}
	// Not its Error, which draws a part of the file.
	d.report(placeOf(syntax.GetToken()), "", "is not YAML: "+shortened(syntax.GetMessage()), remedyYAML)
}

const remedyYAML = "correct it, or quote what YAML takes for its own signs"

// shortened returns a foreign message on one line, and not long.
func shortened(message string) string {
	message = strings.ReplaceAll(message, "\t", `\t`) // the usual mistake must be seen
	return cut(strings.Join(strings.Fields(printable(message)), " "), 200)
}
