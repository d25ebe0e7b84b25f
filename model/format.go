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
// the file, clock, topics./imu or nodes.arm.callbacks.step for a section (written
// above it), and topics./imu.max_age for a line (written at its end). Only those
// of the file and of sections may have several lines. Paths are spelt as errors
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
// to the same system, but for its lines and the order of Design.Topics (those of
// which something is promised come first), if it is one that Parse would return:
// Format does not check it.
func (s *System) Format(comments Comments) []byte {
	p := printer{comments: comments}
	p.above("", "")
	p.printf("takt: %s\n", Version)
	if s.Clock != nil {
		writeOne(&p, "clock", clockFields, s.Clock, &clockDefaults)
	}
	topics.write(&p, "", "", "topics", s.topicSections(), nil)
	loops.write(&p, "", "", "loops", s.Loops, nil)
	if s.Design != nil {
		writeDesign(&p, s.Design)
	}
	return p.Bytes()
}

// writeOne writes a section that there is once, if it says more than the defaults.
func writeOne[T any](p *printer, key string, fields []field[T], c, defaults *T) {
	start := p.Len()
	p.printf("\n")
	p.above(key, "")
	p.printf("%s:\n", key)
	head := p.Len()
	writeFields(p, key, "  ", fields, c, defaults)
	if p.Len() == head {
		p.Truncate(start)
	}
}

// A printer writes lines and the comments that belong to them.
type printer struct {
	bytes.Buffer
	comments Comments
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// body writes what is below a name that has been written. If that is nothing,
// it writes {} where that may be, else the least that there must be.
func (p *printer) body(bare bool, all, least func()) {
	name := p.Len()
	p.printf("\n")
	start := p.Len()
	all()
	switch {
	case p.Len() > start:
	case bare:
		p.Truncate(name)
		p.printf(" {}\n")
	default:
		least()
	}
}

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
		if text := f.write(c); text != "" && text != f.write(defaults) {
			p.line(path, indent, f.key, text)
		}
	}
}

// line writes one line and its comment.
func (p *printer) line(path, indent, key, text string) {
	p.printf("%s%s: %s", indent, key, text)
	if comment := p.comments[join(path, key)]; comment != "" {
		p.printf(" # %s", printable(comment))
	}
	p.printf("\n")
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
