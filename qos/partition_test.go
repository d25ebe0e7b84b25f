package qos

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestPartitionsMeet(t *testing.T) {
	list := func(names ...string) []string { return names }
	for _, c := range []struct {
		a, b []string
		want bool
	}{
		{nil, nil, true},
		{nil, list(""), true},
		{nil, list("a"), false},
		{nil, list("a", ""), true},
		{nil, list("*"), true},
		{nil, list("?"), false},
		{list("a"), list("a"), true},
		{list("a"), list("A"), false},
		{list("a", "b"), list("c", "b"), true},
		{list("a*"), list("abc"), true},
		{list("a*"), list("b"), false},
		{list("a*"), list("a*"), false}, // two patterns never match
		{list("a*", "x"), list("a*", "x"), true},
		{list("a*"), list("a?"), false},
		{list("[ab]"), list("b"), true},
		{list("a/*"), list("a/b/c"), true}, // fnmatch without FNM_PATHNAME
	} {
		if PartitionsMeet(c.a, c.b) != c.want || PartitionsMeet(c.b, c.a) != c.want {
			t.Errorf("%q and %q meet: want %v both ways round", c.a, c.b, c.want)
		}
	}
}

// The rules are those of POSIX 1003.1, 2.14 (pattern matching notation).
func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no string // separated by blanks; _ is the empty name
	}{
		{"", "_", "a"},
		{"*", "_ a abc", ""},
		{"?", "a", "_ ab"},
		{"a*c", "ac abc abcc", "a ab cab"},
		{"*a*b*", "ab xaxbx aab", "ba a"},
		{"[abc]", "a c", "d ab _"},
		{"[a-c]x", "ax cx", "dx x"},
		{"[!a-c]", "d ]", "a"},
		{"[^a]", "b", "a"},
		{"[]a]", "] a", "b"},
		{"[!]a]", "b", "] a"},
		{"[a-]", "a -", "b"},
		{"[c-a]", "", "a b c"},
		{`[\]]`, "]", `\`},
		{`\*`, "*", "a"},
		{`a\?`, "a?", "ab"},
		{`\`, `\`, "a"},
		{"[", "[", "a"},
		{"[ab", "[ab", "a"},
	} {
		g := compileGlob(c.pattern)
		for _, name := range strings.Fields(c.yes) {
			if !g.matches(strings.TrimPrefix(name, "_")) {
				t.Errorf("%q does not match %q", c.pattern, name)
			}
		}
		for _, name := range strings.Fields(c.no) {
			if g.matches(strings.TrimPrefix(name, "_")) {
				t.Errorf("%q matches %q", c.pattern, name)
			}
		}
	}
}

// Patterns are put together from pieces that have an equivalent in regular
// expressions, and the package regexp judges.
func TestGlobAgreesWithRegexp(t *testing.T) {
	pieces := []struct{ glob, expr string }{
		{"*", ".*"}, {"?", "."}, {"a", "a"}, {"b", "b"}, {`\*`, `\*`},
		{"[ab]", "[ab]"}, {"[!a]", "[^a]"}, {"[a-c]", "[a-c]"}, {"[]x]", `[\]x]`},
	}
	rapid.Check(t, func(t *rapid.T) {
		var pattern, expr strings.Builder
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(pieces)-1), 0, 8).Draw(t, "pieces") {
			pattern.WriteString(pieces[i].glob)
			expr.WriteString(pieces[i].expr)
		}
		name := rapid.StringOfN(rapid.SampledFrom([]rune("abcx]*")), 0, 10, -1).Draw(t, "name")
		want := regexp.MustCompile("(?s)^" + expr.String() + "$").MatchString(name)
		if got := compileGlob(pattern.String()).matches(name); got != want {
			t.Fatalf("%q matches %q: %v, want %v", pattern.String(), name, got, want)
		}
	})
}

func FuzzPartitionsMeet(f *testing.F) {
	for _, seed := range []string{"a*", "[a-z", "[!]]", `\`, "*?*", "[[:alpha:]]"} {
		f.Add(seed, "abc")
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern)+len(name) > 2*MaxPartitionBytes {
			t.Skip("Check refuses such names")
		}
		if PartitionsMeet([]string{pattern}, []string{name}) != PartitionsMeet([]string{name}, []string{pattern}) {
			t.Errorf("%q and %q meet one way round only", pattern, name)
		}
	})
}

// BenchmarkPartitions shows what the worst names that Check lets pass cost.
func BenchmarkPartitions(b *testing.B) {
	for name, pattern := range map[string]string{
		"stars":    strings.Repeat("*a", MaxPartitionBytes/2-1) + "b",
		"brackets": strings.Repeat("[", MaxPartitionBytes-1),
	} {
		b.Run(fmt.Sprintf("names=%s", name), func(b *testing.B) {
			other := []string{strings.Repeat("a", MaxPartitionBytes-1)}
			for b.Loop() {
				PartitionsMeet([]string{pattern}, other)
			}
		})
	}
}

func TestCheckBoundsPartitions(t *testing.T) {
	half := strings.Repeat("x", MaxPartitionBytes/2-1)
	if err := (Policies{Partition: []string{half, half}}).Check(); err != nil {
		t.Errorf("names at the bound: %v", err)
	}
	err := Policies{Partition: []string{half, half, ""}}.Check()
	if err == nil || !strings.Contains(err.Error(), "4097 bytes") {
		t.Errorf("names beyond the bound: %v", err)
	}
}

func TestCheck(t *testing.T) {
	if err := (Policies{MinSeparation: time.Second, Deadline: Within(time.Second)}).Check(); err != nil {
		t.Errorf("a filter as long as the deadline: %v", err)
	}
	if err := DefaultWriter().Check(); err != nil {
		t.Errorf("default writer: %v", err)
	}
	for want, p := range map[string]Policies{
		"a time based filter of 2s passes no sample within the deadline of 1s": {MinSeparation: 2 * time.Second, Deadline: Within(time.Second)},
		"the lease of -1ns is negative":                                        {Lease: Within(-1)},
		"the lifespan of -1ns is negative":                                     {Lifespan: Within(-1)},
		"the latency budget of -1ns is negative":                               {LatencyBudget: -1},
		"the history depth of -1 is negative":                                  {History: KeepLast(-1)},
		"reliability has the value 2; DDS knows 0 to 1":                        {Reliability: 2},
		"durability has the value -1; DDS knows 0 to 3":                        {Durability: -1},
		"presentation scope has the value 3; DDS knows 0 to 2":                 {Presentation: Presentation{Scope: 3}},
	} {
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
