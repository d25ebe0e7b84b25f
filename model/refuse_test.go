package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each file must be refused with exactly the given messages, less "takt.yaml:".
var refused = []struct {
	name, file string
	want       []string
}{
	// The whole file.
	{"empty", "", []string{" is empty; begin it with takt: 1, or write one with takt init"}},
	{"only comments", "# takt: 1\n", []string{" is empty; begin it with takt: 1, or write one with takt init"}},
	{"no mapping", "hello\n", []string{" is not a system file: it has no keys; begin it with takt: 1, or write one with takt init"}},
	{"a list", "- takt: 1\n", []string{" is not a system file: it has no keys; begin it with takt: 1, or write one with takt init"}},
	{"no keys", "{}\n", []string{" is not a system file: it has no keys; begin it with takt: 1, or write one with takt init"}},
	{"not UTF-8", "takt: 1\n# \xff\n", []string{"2: is not UTF-8 text; save the file as UTF-8"}},
	{"two documents", "takt: 1\n---\ntakt: 1\n", []string{"3: a second YAML document begins here; keep one document in the file"}},
	{"another after the end", "takt: 1\n...\ntakt: 1\n", []string{"3: a second YAML document begins here; keep one document in the file"}},
	{"tab", "takt: 1\nclock:\n\tmax_tick: 1ms\n", []string{"3: is not YAML: found character '\\t' that cannot start any token; correct it, or quote what YAML takes for its own signs"}},
	{"open bracket", "takt: 1\ntopics: {/a: {rate: 1Hz}\n", []string{"2: is not YAML: could not find flow mapping end token '}'; correct it, or quote what YAML takes for its own signs"}},
	{"anchor and alias", "takt: 1\ntopics:\n  /a: &a\n    rate: 1Hz\n  /b: *a\n", []string{
		"3: anchors, aliases and merge keys are not supported; write the values out",
		"5: anchors, aliases and merge keys are not supported; write the values out",
	}},
	{"merge key", "takt: 1\nclock:\n  <<: {max_tick: 1ms}\n", []string{"3: anchors, aliases and merge keys are not supported; write the values out"}},
	{"tag", "takt: !!int 1\n", []string{`1: tags are not supported; write the value without "!!int"`}},
	{"marked key", "? takt\n: 1\n", []string{"1: keys marked with ? are not supported; write KEY: VALUE"}},
	{"directive", "%YAML 1.2\n---\ntakt: 1\n", []string{"1: directives are not supported; remove the line"}},

	// The version.
	{"no version", "topics:\n  /a:\n    rate: 1Hz\n", []string{"1: does not say which version of the system file it is; write takt: 1 in the first line"}},
	{"later version", "machine: x\ntakt: 2\nclock:\n  max_tick: 10\n", []string{`2: takt is "2", a version that this takt does not know; write takt: 1, or use a newer takt`}},
	{"version without a value", "takt:\nclock: {max_tick: 1ms}\n", []string{"1: takt has no value; write takt: 1"}},

	// Keys.
	{"unknown section", "takt: 1\ntopic:\n  /a:\n    rate: 1Hz\n", []string{"2: topic is not known; write topics"}},
	{"misspelt key", "takt: 1\ntopics:\n  /a:\n    max-age: 1ms\n", []string{"4: topics./a.max-age is not known; write max_age"}},
	{"key of another kind", "takt: 1\nclock:\n  period: 1ms\n", []string{
		"3: clock.period is not known; write topic, kind, min_rtf, max_rtf, window, min_window_rtf, max_window_rtf, max_tick or allowed"}},
	{"key in capitals", "takt: 1\ntopics:\n  /a:\n    Rate: 1Hz\n", []string{"4: topics./a.Rate is not known; write rate"}},
	{"key twice", "takt: 1\ntopics:\n  /a:\n    rate: 1Hz\n    rate: 2Hz\n", []string{"5: topics./a.rate is already in line 4; remove one of the two"}},
	{"topic twice", "takt: 1\ntopics:\n  /a:\n    rate: 1Hz\n  \"/a\":\n    rate: 1Hz\n", []string{"5: topics./a is already in line 3; remove one of the two"}},
	{"topic without a name", "takt: 1\ntopics:\n  \"\":\n    rate: 1Hz\n", []string{`3: topics."" is a topic without a name; write it, as in /imu: {max_age: 20ms}`}},

	// Values.
	{"no unit", "takt: 1\ntopics:\n  /imu:\n    max_age: 20\n", []string{"4: topics./imu.max_age has no unit; write 20ms"}},
	{"rate without a unit", "takt: 1\ntopics:\n  /imu:\n    rate: 200\n", []string{"4: topics./imu.rate has no unit; write 200Hz"}},
	{"share without a unit", "takt: 1\ntopics:\n  /imu:\n    rate: 200Hz\n    rate_tolerance: 0.05\n", []string{"5: topics./imu.rate_tolerance has no unit; write 0.05%"}},
	{"negative", "takt: 1\ntopics:\n  /imu:\n    max_age: -20ms\n", []string{"4: topics./imu.max_age is negative; write a duration above zero, such as 20ms"}},
	{"zero", "takt: 1\ntopics:\n  /imu:\n    max_age: 0ms\n", []string{"4: topics./imu.max_age is zero, which cannot hold; write more, such as 20ms, or remove the line"}},
	{"zero factor", "takt: 1\nclock:\n  min_rtf: 0\n", []string{"3: clock.min_rtf is zero, which cannot hold; write more, such as 0.95, or remove the line"}},
	{"not a number", "takt: 1\nclock:\n  min_rtf: .nan\n  max_rtf: .inf\n", []string{
		"3: clock.min_rtf is not a decimal number; write a number such as 0.95",
		"4: clock.max_rtf is not a decimal number; write a number such as 0.95",
	}},
	{"hexadecimal", "takt: 1\nclock:\n  max_rtf: 0x10\n", []string{"3: clock.max_rtf is not a number; write a number such as 0.95"}},
	{"all allowed", "takt: 1\ntopics:\n  /a:\n    kind: soft\n    max_age: 1ms\n    allowed: 100%\n", []string{"6: topics./a.allowed is not below 100%; write less, such as 5%"}},
	{"no value", "takt: 1\ntopics:\n  /a:\n    rate:\n", []string{"4: topics./a.rate has no value; write 16Hz, or remove the line"}},
	{"null", "takt: 1\nclock:\n  max_tick: ~\n", []string{"3: clock.max_tick has no value; write 20ms, or remove the line"}},
	{"list for a value", "takt: 1\nclock:\n  max_tick: [1ms]\n", []string{"3: clock.max_tick is not a single value; write 20ms, or remove the line"}},
	{"block for a value", "takt: 1\nclock:\n  max_tick: |\n    1ms\n", []string{"3: clock.max_tick is not a single value; write 20ms, or remove the line"}},
	{"unknown kind", "takt: 1\ntopics:\n  /a:\n    kind: sfot\n    rate: 1Hz\n    allowed: 1%\n", []string{`4: topics./a.kind is "sfot", which is not known; write soft`}},
	{"unknown clock", "takt: 1\ntopics:\n  /a:\n    rate: 1Hz\n    rate_clock: mono\n", []string{`5: topics./a.rate_clock is "mono", which is not known; write wall or sim`}},
	{"empty clock topic", "takt: 1\nclock:\n  topic: ''\n  max_tick: 1ms\n", []string{"3: clock.topic is empty; write /clock, or remove the line"}},
	{"no topics", "takt: 1\ntopics:\n", []string{"2: topics has no keys and values below it; write lines such as /imu: {max_age: 20ms}, or remove it"}},
	{"empty braces", "takt: 1\ntopics: {}\n", []string{"2: topics has no keys and values below it; write lines such as /imu: {max_age: 20ms}, or remove it"}},
	{"a list of topics", "takt: 1\ntopics:\n  - /a\n", []string{"2: topics has no keys and values below it; write lines such as /imu: {max_age: 20ms}, or remove it"}},
	{"topic without a contract", "takt: 1\ntopics:\n  /a:\n", []string{"3: topics./a has no keys and values below it; write lines such as max_age: 20ms, or remove it"}},

	// Keys that need or contradict each other.
	{"nothing promised", "takt: 1\ntopics:\n  /a:\n    kind: hard\n", []string{"3: topics./a promises nothing; add rate, max_interval, max_age, max_gap or max_behind, or remove it"}},
	{"nothing promised of the clock", "takt: 1\nclock:\n  window: 1s\n", []string{"2: clock promises nothing; add min_rtf, max_rtf, min_window_rtf, max_window_rtf or max_tick, or remove it"}},
	{"allowed by default kind", "takt: 1\ntopics:\n  /a:\n    max_age: 1ms\n    allowed: 1%\n", []string{"5: topics./a.allowed has no meaning in a hard contract; write kind: soft, or remove the line"}},
	{"allowed in firm", "takt: 1\ntopics:\n  /a:\n    kind: firm\n    rate: 1Hz\n    allowed: 1%\n", []string{"6: topics./a.allowed has no meaning in a firm contract; write kind: soft, or remove the line"}},
	{"soft without allowed", "takt: 1\ntopics:\n  /a:\n    kind: soft\n    max_age: 1ms\n", []string{"4: topics./a.kind is soft without an allowed share; write one, such as allowed: 1%"}},
	{"allowed of nothing", "takt: 1\ntopics:\n  /a:\n    kind: soft\n    rate: 1Hz\n    allowed: 1%\n", []string{"4: topics./a.kind is soft without a limit that may be exceeded; add max_interval or max_age, or write kind: hard"}},
	{"firm without a rate", "takt: 1\ntopics:\n  /a:\n    kind: firm\n    max_age: 1ms\n", []string{"4: topics./a.kind is firm without a rate; write the rate that must hold without what is late, such as rate: 16Hz"}},
	{"tolerance of no rate", "takt: 1\ntopics:\n  /a:\n    rate_tolerance: 1%\n    rate_clock: sim\n    max_age: 1ms\n", []string{
		"4: topics./a.rate_tolerance has no rate to say something of; write a rate, or remove the line",
		"5: topics./a.rate_clock has no rate to say something of; write a rate, or remove the line",
	}},
	{"min above max", "takt: 1\nclock:\n  min_rtf: 1.05\n  max_rtf: 0.95\n  max_window_rtf: 1\n  min_window_rtf: 2\n", []string{
		"3: clock.min_rtf is above max_rtf in line 4; write 0.95 or less",
		"6: clock.min_window_rtf is above max_window_rtf in line 5; write 1 or less",
	}},
	{"interval below the period", "takt: 1\ntopics:\n  /a:\n    rate: 200Hz\n    max_interval: 4ms\n    max_gap: 4.7ms\n", []string{
		"5: topics./a.max_interval is shorter than one period at 200Hz; write more than 5ms, or raise the rate",
		"6: topics./a.max_gap is shorter than one period at 200Hz; write more than 5ms, or raise the rate",
	}},

	// Loops.
	{"no loops", "takt: 1\nloops:\n", []string{"2: loops has no keys and values below it; write lines such as control: {deadline: 10ms}, or remove it"}},
	{"loop without a contract", "takt: 1\nloops:\n  control:\n", []string{"3: loops.control has no keys and values below it; write lines such as deadline: 10ms, or remove it"}},
	{"loop without a name", "takt: 1\nloops:\n  '':\n    deadline: 1ms\n", []string{`3: loops."" is a loop without a name; write it, as in control: {deadline: 10ms}`}},
	{"loop twice", "takt: 1\nloops:\n  a: {deadline: 1ms}\n  a: {deadline: 1ms}\n", []string{"4: loops.a is already in line 3; remove one of the two"}},
	{"misspelt loop key", "takt: 1\nloops:\n  a:\n    dealine: 1ms\n", []string{"4: loops.a.dealine is not known; write deadline"}},
	{"topic's key in a loop", "takt: 1\nloops:\n  a:\n    max_age: 1ms\n", []string{
		"4: loops.a.max_age is not known; write kind, period, timer_clock, deadline, violations, max_lateness, jitter, budget or allowed"}},
	{"nothing promised of a loop", "takt: 1\nloops:\n  a:\n    period: 10ms\n    timer_clock: ros\n", []string{
		"3: loops.a promises nothing; add deadline, violations, max_lateness, jitter or budget, or remove it"}},
	{"unknown timer clock", "takt: 1\nloops:\n  a:\n    deadline: 1ms\n    timer_clock: sim\n", []string{`5: loops.a.timer_clock is "sim", which is not known; write steady or ros`}},
	{"deadline without a unit", "takt: 1\nloops:\n  a:\n    deadline: 10\n", []string{"4: loops.a.deadline has no unit; write 10ms"}},
	{"no period", "takt: 1\nloops:\n  a:\n    period: 0ms\n    deadline: 10ms\n", []string{"4: loops.a.period is zero, which cannot hold; write more, such as 20ms, or remove the line"}},
	{"half a violation", "takt: 1\nloops:\n  a:\n    violations: 0.5\n", []string{"4: loops.a.violations is not a whole number of violations; write one, such as 0"}},
	{"negative violations", "takt: 1\nloops:\n  a:\n    violations: -1\n", []string{"4: loops.a.violations is not a whole number of violations; write one, such as 0"}},
	{"violations with a unit", "takt: 1\nloops:\n  a:\n    violations: 1%\n", []string{"4: loops.a.violations is not a whole number of violations; write one, such as 0"}},
	{"too many violations", "takt: 1\nloops:\n  a:\n    violations: 9223372036854775808\n", []string{"4: loops.a.violations is too large; write a smaller number"}},
	{"violations without a value", "takt: 1\nloops:\n  a:\n    violations:\n", []string{"4: loops.a.violations has no value; write 0, or remove the line"}},
	{"lateness without a unit", "takt: 1\nloops:\n  a:\n    max_lateness: 0.05\n", []string{"4: loops.a.max_lateness has no unit; write 0.05ms, or a share of the period such as 5%"}},
	{"lateness of nothing", "takt: 1\nloops:\n  a:\n    max_lateness: 0%\n    jitter: 0ms\n", []string{
		"4: loops.a.max_lateness is zero, which cannot hold; write more, such as 5%, or remove the line",
		"5: loops.a.jitter is zero, which cannot hold; write more, such as 20ms, or remove the line",
	}},
	{"lateness of all the period", "takt: 1\nloops:\n  a:\n    max_lateness: 100%\n", []string{"4: loops.a.max_lateness is not below 100%; write less, such as 5%"}},
	{"lateness twice", "takt: 1\nloops:\n  a:\n    max_lateness: [5%, 1ms]\n", []string{"4: loops.a.max_lateness is not a single value; write 20ms, or remove the line"}},
	{"allowed in a hard loop", "takt: 1\nloops:\n  a:\n    deadline: 1ms\n    allowed: 1%\n", []string{"5: loops.a.allowed has no meaning in a hard contract; write kind: soft, or remove the line"}},
	{"soft loop without allowed", "takt: 1\nloops:\n  a:\n    kind: soft\n    deadline: 1ms\n", []string{"4: loops.a.kind is soft without an allowed share; write one, such as allowed: 1%"}},
	{"soft lateness", "takt: 1\nloops:\n  a:\n    kind: soft\n    max_lateness: 1ms\n    allowed: 1%\n", []string{"4: loops.a.kind is soft without a limit that may be exceeded; add deadline, jitter or budget, or write kind: hard"}},
	{"soft violations", "takt: 1\nloops:\n  a:\n    kind: soft\n    deadline: 1ms\n    violations: 3\n    allowed: 1%\n", []string{
		"6: loops.a.violations has no meaning in a soft contract, of which a share may be late; write it as allowed, or write kind: hard"}},
	{"budget below the period", "takt: 1\nloops:\n  a:\n    period: 10ms\n    budget: 9ms\n", []string{
		"5: loops.a.budget is shorter than the period of 10ms; write that or more, or timer_clock: ros if the timer follows simulated time"}},

	// Several at once, in the order of the lines.
	{"several", "topics:\n  /a:\n    max_gap: 1\n    rte: 1Hz\n  /b:\n    kind: hard\nclock:\n  min_rtf: 0\ntakt: 1\nfoo: 1\n", []string{
		"3: topics./a.max_gap has no unit; write 1ms",
		"4: topics./a.rte is not known; write rate",
		"5: topics./b promises nothing; add rate, max_interval, max_age, max_gap or max_behind, or remove it",
		"8: clock.min_rtf is zero, which cannot hold; write more, such as 0.95, or remove the line",
		"10: foo is not known; write takt, clock, topics, loops, machine, simulation, executors, contexts, nodes, sensors, locks or chains",
	}},
	{"Windows lines", "takt: 1\r\n\r\ntopics:\r\n  /a:\r\n    rate: 1\r\n", []string{"5: topics./a.rate has no unit; write 1Hz"}},
	{"hidden in a name", "takt: 1\ntopics:\n  \"a\\nb\\e[1m\":\n    rate: 1\n", []string{`4: topics."a\nb\x1b[1m".rate has no unit; write 1Hz`}},
}

func TestRefused(t *testing.T) {
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse("takt.yaml", []byte(c.file))
			var file *FileError
			if !errors.As(err, &file) || s != nil {
				t.Fatalf("got %v, %v", s, err)
			}
			want := "takt.yaml:" + strings.Join(c.want, "\ntakt.yaml:")
			if err.Error() != want {
				t.Errorf("got\n%s\nwant\n%s", err, want)
			}
		})
	}
}

// Hostile files are refused, and soon: without the bounds some of these take
// minutes, or all of the memory.
func TestBounds(t *testing.T) {
	fill := func(s string) string { return strings.Repeat(s, 100_000/len(s)) }
	names := func(format string) string {
		var b strings.Builder
		for i := range maxKeys + 1 {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ file, want string }{
		"size":               {strings.Repeat(" ", maxBytes+1), ": is larger than 1 MiB; check that it is the system file"},
		"keys":               {"takt: 1\n" + names("k%d: 1\n"), ":12001: more than 12000 keys in one section; split the file"},
		"keys without value": {fill("a:\n"), ":12001: more than 12000 keys in one section; split the file"},
		"topics":             {"takt: 1\ntopics:\n" + names("  /t%d: {rate: 1Hz}\n"), ":12003: more than 12000 keys in one section; split the file"},
		"list":               {fill("-\n"), ":12001: more than 12000 keys in one section; split the file"},
		"brackets":           {fill("["), ":1: is nested more than 32 deep; write it flatter"},
		"braces":             {fill("{a: "), ":1: is nested more than 32 deep; write it flatter"},
		"lists in lists":     {fill("- "), ":1: is nested more than 32 deep; write it flatter"},
		"blank lines":        {"takt: >\n" + fill(" \n"), ":1002: follows 1000 blank lines; remove them"},
		"long name":          {"takt: 1\ntopics: {" + fill("x") + ": {rate: 1}}", ":2: a text of more than 1000 bytes; shorten it"},
		"long value":         {"takt: 1\ntopics: {/a: {max_age: " + fill("9") + "s}}", ":2: a text of more than 1000 bytes; shorten it"},
	} {
		_, err := Parse("takt.yaml", []byte(c.file))
		if err == nil || err.Error() != "takt.yaml"+c.want {
			t.Errorf("%s: got %.200v, want %s", name, err, c.want)
		}
	}
}

func TestVeryManyErrors(t *testing.T) {
	_, err := Parse("takt.yaml", []byte("takt: 1\ntopics:\n"+strings.Repeat("  /a: {rate: 1Hz}\n", 1001)))
	var file *FileError
	if !errors.As(err, &file) || len(file.Errors) != 1000 {
		t.Fatalf("got %v", err)
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 51 || lines[50] != "takt.yaml: 950 more errors" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	if !slices.IsSortedFunc(file.Errors, func(a, b *FieldError) int { return a.Line - b.Line }) {
		t.Error("not in the order of the lines")
	}
}

func TestFieldErrorTellsThePlace(t *testing.T) {
	_, err := Parse("takt.yaml", []byte("takt: 1\ntopics:\n  /imu:\n    max_age: 20\n"))
	var field *FieldError
	if !errors.As(err, &field) {
		t.Fatal(err)
	}
	want := FieldError{File: "takt.yaml", Line: 4, Column: 5, Field: "topics./imu.max_age", Problem: "has no unit", Remedy: "write 20ms"}
	if *field != want {
		t.Errorf("got %+v, want %+v", *field, want)
	}
}
