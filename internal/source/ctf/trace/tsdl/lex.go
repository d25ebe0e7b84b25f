package tsdl

import (
	"fmt"
	"strconv"
	"strings"
)

// A kind says what a token is.
type kind uint8

const (
	end    kind = iota
	word        // an identifier or keyword
	number      //
	text        // a string constant, without quotes and escapes
	mark        // punctuation
)

type token struct {
	kind kind
	text string
	n    uint64 // of a number
	line int
}

// is reports whether the token is that punctuation or word.
func (t *token) is(s string) bool { return (t.kind == mark || t.kind == word) && t.text == s }

func (t *token) String() string {
	switch t.kind {
	case end:
		return "the end"
	case text:
		return strconv.Quote(t.text)
	}
	return t.text
}

// A lexer cuts metadata into tokens.
type lexer struct {
	b    []byte
	at   int
	line int
}

func (l *lexer) fail(format string, args ...any) error {
	return &Error{l.line, fmt.Sprintf(format, args...)}
}

// next returns the next token, of kind end at the end.
func (l *lexer) next() (token, error) {
	if err := l.space(); err != nil {
		return token{}, err
	}
	t := token{line: l.line}
	if l.at == len(l.b) {
		return t, nil
	}
	c := l.b[l.at]
	switch {
	case isLetter(c):
		t.kind, t.text = word, l.run(func(c byte) bool { return isLetter(c) || isDigit(c) })
		return t, nil
	case isDigit(c):
		return l.number(t)
	case c == '"':
		return l.quoted(t)
	}
	t.kind = mark
	for _, m := range []string{"...", ":="} {
		if strings.HasPrefix(string(l.b[l.at:min(l.at+3, len(l.b))]), m) {
			t.text = m
			l.at += len(m)
			return t, nil
		}
	}
	if strings.IndexByte("{}()[]<>;:,=.-+", c) < 0 {
		return t, l.fail("%q has no meaning here", c)
	}
	t.text = string(c)
	l.at++
	return t, nil
}

// space passes over blanks and comments.
func (l *lexer) space() error {
	for l.at < len(l.b) {
		switch c := l.b[l.at]; {
		case c == '\n':
			l.line++
			l.at++
		case c == ' ' || c == '\t' || c == '\r' || c == 0:
			l.at++
		case l.begins("//"):
			for l.at < len(l.b) && l.b[l.at] != '\n' {
				l.at++
			}
		case l.begins("/*"):
			if err := l.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

func (l *lexer) comment() error {
	begin := l.line
	for l.at += 2; l.at < len(l.b); l.at++ {
		if l.begins("*/") {
			l.at += 2
			return nil
		}
		if l.b[l.at] == '\n' {
			l.line++
		}
	}
	return &Error{begin, "the comment does not end"}
}

func (l *lexer) begins(s string) bool {
	return len(l.b)-l.at >= len(s) && string(l.b[l.at:l.at+len(s)]) == s
}

func (l *lexer) run(in func(byte) bool) string {
	from := l.at
	for l.at < len(l.b) && in(l.b[l.at]) {
		l.at++
	}
	return string(l.b[from:l.at])
}

// number reads a constant of C: decimal, 0x or octal, with suffixes that say nothing here.
func (l *lexer) number(t token) (token, error) {
	t.kind, t.text = number, l.run(func(c byte) bool { return isLetter(c) || isDigit(c) })
	digits := strings.TrimRight(t.text, "uUlL")
	n, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		return t, l.fail("%s is no number of 64 bits", t.text)
	}
	t.n = n
	return t, nil
}

func (l *lexer) quoted(t token) (token, error) {
	var s []byte
	for l.at++; l.at < len(l.b) && l.b[l.at] != '\n'; l.at++ {
		switch c := l.b[l.at]; c {
		case '"':
			l.at++
			t.kind, t.text = text, string(s)
			return t, nil
		case '\\':
			if l.at++; l.at == len(l.b) {
				return t, l.fail("the string does not end")
			}
			s = append(s, unescape(l.b[l.at]))
		default:
			s = append(s, c)
		}
	}
	return t, l.fail("the string does not end on its line")
}

func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	}
	return c
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
