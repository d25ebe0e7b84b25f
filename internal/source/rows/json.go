package rows

import (
	"encoding/json"
	"fmt"
)

// splitJSON takes a line apart that is one JSON value: an object with the
// columns as keys, or an array in their order. Other keys it gives to other.
func splitJSON(line []byte, to *cells, other func(key []byte)) error {
	if !json.Valid(line) {
		var v any
		return &Error{
			Problem: fmt.Sprintf("%s is not JSON: %v", shown(line), json.Unmarshal(line, &v)),
			Remedy:  "write one object or array on each line",
		}
	}
	s := scanner{rest: line}
	switch s.symbol() {
	case '{':
		return s.object(to, other)
	case '[':
		return s.array(to)
	}
	return &Error{
		Problem: shown(line) + " is neither an object nor an array",
		Remedy:  `write {"start_mono_ns": ..., "end_mono_ns": ...} on each line`,
	}
}

// A scanner goes through a valid JSON value that has no others nested in it.
type scanner struct{ rest []byte }

func (s *scanner) object(to *cells, other func(key []byte)) error {
	for s.peek() != '}' {
		key, err := s.scalar()
		if err != nil {
			return err
		}
		s.symbol() // the colon
		value, err := s.scalar()
		if err != nil {
			return err
		}
		if c := columnOf(key); c != unknown {
			to[c] = value
		} else {
			other(key)
		}
		if s.peek() == ',' {
			s.symbol()
		}
	}
	return nil
}

func (s *scanner) array(to *cells) error {
	n := 0
	for ; s.peek() != ']'; n++ {
		value, err := s.scalar()
		if err != nil {
			return err
		}
		if n < len(to) {
			to[n] = value
		}
		if s.peek() == ',' {
			s.symbol()
		}
	}
	_, err := bareHeader(n)
	return err
}

// peek returns the next byte that is not space.
func (s *scanner) peek() byte {
	for isSpace(s.rest[0]) {
		s.rest = s.rest[1:]
	}
	return s.rest[0]
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// symbol takes the next byte that is not space.
func (s *scanner) symbol() byte {
	b := s.peek()
	s.rest = s.rest[1:]
	return b
}

// scalar takes a string, number, true, false or null, the last as nothing.
func (s *scanner) scalar() ([]byte, error) {
	switch s.peek() {
	case '"':
		return s.text()
	case '{', '[':
		return nil, &Error{Problem: "a value is an object or an array itself", Remedy: "write numbers, true, false and names"}
	}
	n := 0
	for b := s.rest[n]; b != ',' && b != '}' && b != ']' && !isSpace(b); b = s.rest[n] {
		n++
	}
	word := s.rest[:n]
	s.rest = s.rest[n:]
	if string(word) == "null" {
		return nil, nil
	}
	return word, nil
}

// text takes a string.
func (s *scanner) text() ([]byte, error) {
	n, escaped := 1, false
	for ; s.rest[n] != '"'; n++ {
		if s.rest[n] == '\\' {
			escaped = true
			n++
		}
	}
	quoted := s.rest[:n+1]
	s.rest = s.rest[n+1:]
	if !escaped {
		return quoted[1:n], nil
	}
	var text string
	err := json.Unmarshal(quoted, &text)
	return []byte(text), err
}
