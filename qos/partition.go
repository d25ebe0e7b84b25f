package qos

import (
	"slices"
	"strings"
)

// wildcards are the bytes that make a partition name a pattern.
const wildcards = "*?["

// PartitionsMeet reports whether a writer and a reader share a partition (DDS
// 1.4, 2.2.3.13): a name of one equals a name of the other, or matches it as a
// pattern. Two patterns never match each other, not even equal ones. No
// partition at all is the one without a name, which "*" matches.
//
// Patterns are those of POSIX fnmatch, byte by byte and without character
// classes such as [:alpha:]. Cyclone DDS knows only * and ?.
func PartitionsMeet(a, b []string) bool {
	a, b = named(a), named(b)
	return anyMatches(a, b) || anyMatches(b, a)
}

func named(names []string) []string {
	if len(names) == 0 {
		return []string{""}
	}
	return names
}

// anyMatches reports whether one of names, those without wildcards, is among
// patterns or matches one.
func anyMatches(patterns, names []string) bool {
	for _, p := range patterns {
		if !isPattern(p) {
			if slices.Contains(names, p) {
				return true
			}
			continue
		}
		g := compileGlob(p)
		if slices.ContainsFunc(names, func(n string) bool { return !isPattern(n) && g.matches(n) }) {
			return true
		}
	}
	return false
}

func isPattern(name string) bool { return strings.ContainsAny(name, wildcards) }
