package qos

import "strings"

// A glob is a pattern, made so that matching takes at most the product of the
// two lengths: names of partitions come from foreign peers.
type glob []globStep

// A globStep takes any run of bytes, or one byte of a set.
type globStep struct {
	star bool
	set  byteSet
}

// A byteSet has one bit for each byte.
type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c/64] |= 1 << (c % 64) }
func (s *byteSet) has(c byte) bool { return s[c/64]>>(c%64)&1 == 1 }

func (s *byteSet) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

func compileGlob(pattern string) (g glob) {
	for len(pattern) > 0 {
		var step globStep
		step, pattern = cutStep(pattern)
		g = append(g, step)
	}
	return g
}

// cutStep reads the first step of a pattern that is not empty.
func cutStep(pattern string) (step globStep, rest string) {
	c := pattern[0]
	switch {
	case c == '*':
		step.star = true
	case c == '?':
		step.set.invert()
	case c == '\\' && len(pattern) > 1:
		pattern = pattern[1:]
		step.set.add(pattern[0])
	case c == '[':
		if set, rest, closed := cutBracket(pattern); closed {
			return globStep{set: set}, rest
		}
		step.set.add(c) // without its end a bracket stands for itself
	default:
		step.set.add(c)
	}
	return step, pattern[1:]
}

// cutBracket reads a bracket expression such as [a-z_] or [!0-9].
func cutBracket(pattern string) (set byteSet, rest string, closed bool) {
	end := bracketEnd(pattern)
	if end < 0 {
		return set, pattern, false
	}
	body := pattern[1:end]
	inverted := body[0] == '!' || body[0] == '^'
	if inverted {
		body = body[1:]
	}
	for body != "" {
		var from, to byte
		from, body = cutMember(body)
		to = from
		if len(body) > 1 && body[0] == '-' {
			to, body = cutMember(body[1:])
		}
		for c := int(from); c <= int(to); c++ {
			set.add(byte(c))
		}
	}
	if inverted {
		set.invert()
	}
	return set, pattern[end+1:], true
}

// bracketEnd returns where the bracket that a pattern begins with is closed,
// or -1. A closing bracket that comes first is a member.
func bracketEnd(pattern string) int {
	first := 1
	if strings.HasPrefix(pattern[1:], "!") || strings.HasPrefix(pattern[1:], "^") {
		first = 2
	}
	for i := first; i < len(pattern); i++ {
		switch {
		case pattern[i] == '\\':
			i++
		case pattern[i] == ']' && i > first:
			return i
		}
	}
	return -1
}

// cutMember reads one byte of a bracket expression that is not at its end.
func cutMember(text string) (c byte, rest string) {
	if text[0] == '\\' && len(text) > 1 {
		text = text[1:]
	}
	return text[0], text[1:]
}

// matches goes back to the latest star only: what an earlier one took can stay.
func (g glob) matches(name string) bool {
	step, at := 0, 0
	star, starAt := -1, 0
	for at < len(name) {
		switch {
		case step < len(g) && g[step].star:
			star, starAt = step, at
			step++
		case step < len(g) && g[step].set.has(name[at]):
			step++
			at++
		case star >= 0:
			starAt++
			step, at = star+1, starAt
		default:
			return false
		}
	}
	for step < len(g) && g[step].star {
		step++
	}
	return step == len(g)
}
