package gazebo

import (
	"bytes"
	"strings"
)

var utf8BOM = []byte("\xef\xbb\xbf")

// A token is a tag or a run of text, data[start:end]. Comments, processing
// instructions and declarations are not tokens.
type token struct {
	kind       tokenKind
	name       []byte // of a tag
	start, end int
	empty      bool // a tag that opens and closes: <a/>
}

type tokenKind uint8

const (
	endOfFile tokenKind = iota
	text
	openingTag
	closingTag
)

// A scanner finds the tags of an XML document and where they stand. It is as
// lenient as the parser that Gazebo uses (tinyxml2) where world files need it:
// comments may hold --, text a bare &, the file any encoding that contains
// ASCII. It allocates nothing, and its time is linear in the data.
type scanner struct {
	data []byte
	pos  int
}

func newScanner(data []byte) *scanner {
	return &scanner{data, len(data) - len(bytes.TrimPrefix(data, utf8BOM))}
}

// next returns the next token; after the last one, one of kind endOfFile.
func (s *scanner) next() (token, *Error) {
	for s.pos < len(s.data) {
		rest := s.data[s.pos:]
		skipped, err := false, (*Error)(nil)
		switch {
		case rest[0] != '<':
			return s.text(), nil
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			return s.cdata()
		case bytes.HasPrefix(rest, []byte("<!--")):
			skipped, err = s.skip(len("<!--"), "-->", "this comment")
		case bytes.HasPrefix(rest, []byte("<?")):
			skipped, err = s.skip(len("<?"), "?>", "this processing instruction")
		case bytes.HasPrefix(rest, []byte("<!")):
			skipped, err = s.skip(len("<!"), ">", "this declaration")
		case bytes.HasPrefix(rest, []byte("</")):
			return s.closing()
		default:
			return s.opening()
		}
		if !skipped {
			return token{}, err
		}
	}
	return token{start: len(s.data), end: len(s.data)}, nil
}

// skip moves beyond what ends with end, whose first n bytes do not count.
func (s *scanner) skip(n int, end, what string) (bool, *Error) {
	length := bytes.Index(s.data[s.pos+n:], []byte(end))
	if length < 0 {
		return false, at(s.data, s.pos, "end it with "+end, "%s never ends", what)
	}
	s.pos += n + length + len(end)
	return true, nil
}

func (s *scanner) text() token {
	t := token{kind: text, start: s.pos, end: len(s.data)}
	if n := bytes.IndexByte(s.data[s.pos:], '<'); n >= 0 {
		t.end = s.pos + n
	}
	s.pos = t.end
	return t
}

func (s *scanner) cdata() (token, *Error) {
	open := len("<![CDATA[")
	t := token{kind: text, start: s.pos + open}
	_, err := s.skip(open, "]]>", "this CDATA section")
	t.end = s.pos - len("]]>")
	return t, err
}

func (s *scanner) closing() (token, *Error) {
	t := token{kind: closingTag, start: s.pos}
	_, err := s.skip(len("</"), ">", "this closing tag")
	if err != nil {
		return t, err
	}
	t.end = s.pos
	t.name = bytes.TrimRight(s.data[t.start+len("</"):t.end-len(">")], space)
	return t, nil
}

func (s *scanner) opening() (token, *Error) {
	t := token{kind: openingTag, start: s.pos}
	t.name = tagName(s.data[s.pos+1:])
	if len(t.name) == 0 {
		return t, at(s.data, s.pos, "write &lt; for a < that opens no tag", "no tag begins here")
	}
	rest := s.data[s.pos+1+len(t.name):]
	for {
		rest = bytes.TrimLeft(rest, space)
		switch {
		case len(rest) == 0:
			return t, at(s.data, s.pos, "end it with >", "the tag <%s> never ends", t.name)
		case rest[0] == '>':
			s.pos = len(s.data) - len(rest) + len(">")
			t.end = s.pos
			return t, nil
		case bytes.HasPrefix(rest, []byte("/>")):
			s.pos = len(s.data) - len(rest) + len("/>")
			t.end, t.empty = s.pos, true
			return t, nil
		}
		_, _, after, ok := cutAttribute(rest)
		if !ok {
			return t, at(s.data, len(s.data)-len(rest), `write name="value"`, "the tag <%s> has no whole attribute here", t.name)
		}
		rest = after
	}
}

// space is what XML calls white space.
const space = " \t\r\n"

// tagName returns the name at the beginning of b; nothing if none begins there.
func tagName(b []byte) []byte {
	n := 0
	for n < len(b) && isNameByte(b[n], n > 0) {
		n++
	}
	return b[:n]
}

func isNameByte(c byte, inside bool) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == ':', c >= 0x80:
		return true
	case c >= '0' && c <= '9', c == '-', c == '.':
		return inside
	}
	return false
}

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&")

// attribute returns an attribute of an opening tag.
func attribute(tag []byte, name string) (value string, ok bool) {
	rest := tag[1+len(tagName(tag[1:])):]
	for {
		key, raw, after, ok := cutAttribute(bytes.TrimLeft(rest, space))
		if !ok || string(key) == name {
			return entities.Replace(string(raw)), ok
		}
		rest = after
	}
}

// cutAttribute cuts an attribute off: key, equals sign and quoted value.
func cutAttribute(b []byte) (key, value, after []byte, ok bool) {
	key = tagName(b)
	rest := bytes.TrimLeft(b[len(key):], space)
	if len(key) == 0 || len(rest) == 0 || rest[0] != '=' {
		return nil, nil, nil, false
	}
	rest = bytes.TrimLeft(rest[1:], space)
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return nil, nil, nil, false
	}
	value, after, ok = bytes.Cut(rest[1:], rest[:1])
	return key, value, after, ok
}
