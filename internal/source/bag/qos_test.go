package bag

import "testing"

func TestParseQoS(t *testing.T) {
	for text, want := range map[string]offeredQoS{
		"":   {},
		"[]": {},
		"- history: 3\n  depth: 0\n  reliability: 1\n  durability: 1\n  deadline:\n    sec: 1\n    nsec: 4294967295": {1, true},
		"- history: 3\n  durability: 2\n- history: 3\n  durability: 2":                                               {2, false},
		"- durability: volatile\n- durability: transient_local\n- durability: volatile":                              {3, true},
		"- durability: [1]":                {1, false},
		"- 1\n- two":                       {},
		"durability: 1":                    {},
		"- &a {durability: 1}\n- *a":       {}, // no recorder writes anchors, so they are not followed
		"- durability: 1\n  \t- not: yaml": {},
		"\x00\xff":                         {},
	} {
		if q := parseQoS(text); q != want {
			t.Errorf("%q: %+v, want %+v", text, q, want)
		}
	}
}

func FuzzQoS(f *testing.F) {
	f.Add("- history: 3\n  durability: 1\n  deadline:\n    sec: 1\n    nsec: 4294967295")
	f.Add("- &a [*a, {durability: transient_local}]\n- *a")
	f.Fuzz(func(t *testing.T, text string) {
		if q := parseQoS(text); q.publishers > len(text) || q.transientLocal && q.publishers == 0 {
			t.Errorf("%+v", q)
		}
	})
}
