package model

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Comments are remarks for Format, by the path of what they are about: "" for
// the file, clock, topics./imu or loops.control for a contract (written above
// it), and topics./imu.max_age for a line (written at its end). Only those of
// the file and of contracts may have several lines. Paths are spelt as errors
// spell them; Path makes them.
type Comments map[string]string

// Path returns the path of a field: Path("topics", "/imu", "max_age") is
// topics./imu.max_age.
func Path(keys ...string) string {
	path := ""
	for _, key := range keys {
		path = join(path, key)
	}
	return path
}

// Format returns the system as a system file, with comments, which may be nil.
// What Parse would fill in by itself is left out. Parse reads the result back
// to the same system, but for its lines, if it is one that Parse would return:
// Format does not check it.
func (s *System) Format(comments Comments) []byte {
	p := printer{comments: comments}
	p.above("", "")
	p.printf("takt: %s\n", Version)
	if s.Clock != nil {
		p.printf("\n")
		p.above("clock", "")
		p.printf("clock:\n")
		writeFields(&p, "clock", "  ", clockFields, s.Clock, &clockDefaults)
	}
	writeNamed(&p, "topics", s.Topics, func(c *TopicContract) string { return c.Name }, topicFields, &topicDefaults)
	writeNamed(&p, "loops", s.Loops, func(c *LoopContract) string { return c.Name }, loopFields, &loopDefaults)
	return p.Bytes()
}

// writeNamed writes the section of contracts that each have a name.
func writeNamed[T any](p *printer, key string, contracts []T, name func(*T) string, fields []field[T], defaults *T) {
	if len(contracts) > 0 {
		p.printf("\n%s:\n", key)
	}
	for i := range contracts {
		c := &contracts[i]
		path := Path(key, name(c))
		p.above(path, "  ")
		p.printf("  %s:\n", quoted(name(c)))
		writeFields(p, path, "    ", fields, c, defaults)
	}
}

// A printer writes lines and the comments that belong to them.
type printer struct {
	bytes.Buffer
	comments Comments
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// above writes the comment of a path on lines of its own.
func (p *printer) above(path, indent string) {
	comment, ok := p.comments[path]
	if !ok {
		return
	}
	for line := range strings.SplitSeq(comment, "\n") {
		p.printf("%s\n", strings.TrimRight(indent+"# "+printable(line), " "))
	}
}

// writeFields writes the lines of one section that say more than the defaults.
func writeFields[T any](p *printer, path, indent string, fields []field[T], c, defaults *T) {
	for _, f := range fields {
		text := f.write(c)
		if text == "" || text == f.write(defaults) {
			continue
		}
		p.printf("%s%s: %s", indent, f.key, text)
		if comment := p.comments[join(path, f.key)]; comment != "" {
			p.printf(" # %s", printable(comment))
		}
		p.printf("\n")
	}
}

// printable replaces what would end a comment, or is not allowed in one.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// plainName matches what needs no quotes: the names of topics as ROS 2 makes
// them and the keys of this file; yamlWords are not names to every YAML reader.
var (
	plainName = regexp.MustCompile(`^[/A-Za-z][-/A-Za-z0-9_]*$`)
	yamlWords = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
)

// quoted returns a name as YAML writes it. The escapes of Go's strings are all
// among those of YAML.
func quoted(name string) string {
	if plainName.MatchString(name) && !slices.Contains(yamlWords, strings.ToLower(name)) {
		return name
	}
	return strconv.Quote(strings.ToValidUTF8(name, "\ufffd"))
}
