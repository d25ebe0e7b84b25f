package rosmsg

import (
	"strings"
	"unicode/utf8"
)

// A token is a word, a number, a string or character constant, or a single
// character of IDL ("::" is one token). The empty text is the end.
type token struct {
	text string
	line int
}

// A lexer cuts IDL into tokens; comments and preprocessor lines are left out.
type lexer struct {
	rest string
	line int
}

// next returns the next token.
func (l *lexer) next() token {
	l.skipBlank()
	n := l.tokenLen()
	t := token{l.rest[:n], l.line}
	l.advance(n)
	return t
}

// skipBlank moves over white space, comments and preprocessor lines.
func (l *lexer) skipBlank() {
	for l.rest != "" {
		switch {
		case strings.ContainsRune(" \t\r\n\f\v", rune(l.rest[0])):
			l.advance(1)
		case l.rest[0] == '#', strings.HasPrefix(l.rest, "//"):
			l.advance(until(l.rest, "\n"))
		case strings.HasPrefix(l.rest, "/*"):
			l.advance(2 + until(l.rest[2:], "*/"))
		default:
			return
		}
	}
}

func (l *lexer) advance(n int) {
	l.line += strings.Count(l.rest[:n], "\n")
	l.rest = l.rest[n:]
}

func (l *lexer) tokenLen() int {
	switch {
	case l.rest == "":
		return 0
	case strings.HasPrefix(l.rest, "::"):
		return 2
	case l.rest[0] == '"' || l.rest[0] == '\'':
		return quotedLen(l.rest)
	}
	n := strings.IndexFunc(l.rest, func(c rune) bool { return !isNameRune(c) })
	switch {
	case n < 0:
		return len(l.rest)
	case n > 0:
		return n
	}
	_, n = utf8.DecodeRuneInString(l.rest)
	return n
}

// quotedLen returns the length of the constant that s begins with, both quotes
// included; all of s if the closing one is missing.
func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}

// until returns the length of s up to and with end, or of all of s.
func until(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i + len(end)
	}
	return len(s)
}
