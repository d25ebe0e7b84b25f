package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/takt-rt/takt/qos"
)

// sameLimits compares limits, which keep their fields to themselves.
var sameLimits = cmp.Comparer(func(a, b qos.Limit) bool { return a == b })

func TestReadGivesBackWhatJSONWrote(t *testing.T) {
	for name, r := range map[string]*Report{"judged": startup(t, promises()), "partial": short(t, nil), "empty": empty(nil), "full": full(), "loops": ofLoops(loopPromises(), manyLoops(t)...)} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := JSON(&b, r); err != nil {
				t.Fatal(err)
			}
			got, err := Read(&b)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(r, got, cmpopts.EquateEmpty(), sameLimits); diff != "" {
				t.Errorf("read back (-want +got):\n%s", diff)
			}
		})
	}
}

// report-1.json was written by the first takt and is not rewritten by -update:
// old reports keep parsing.
func TestReadOldReport(t *testing.T) {
	r, err := Read(bytes.NewReader(readFile(t, "testdata/report-1.json")))
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict.Result != Fail || r.Recording.Messages != 9432 || *r.Clock.RTF != 0.966042961 {
		t.Errorf("read %s, %d messages, RTF %g", r.Verdict.Result, r.Recording.Messages, *r.Clock.RTF)
	}
	if c := Compare(r, startup(t, promises())); c.count(Beyond) != 0 || c.othersChanged() {
		t.Errorf("it differs from the same run's report of today: %+v", c)
	}
}

func TestReadFillsWhatIsMissing(t *testing.T) {
	r, err := Read(strings.NewReader(`{"schema":"takt.report/1","topics":[null,{"name":"/a","transforms":[null]}],"key of a later takt":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Topics) != 1 || len(r.Topics[0].Transforms) != 0 || r.Verdict.Findings == nil {
		t.Errorf("read %+v", r)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"another schema", `{"schema":"takt.report/2"}`, `of schema "takt.report/2", and this takt reads "takt.report/1"; use the takt that wrote it`},
		{"a comparison", `{"schema":"takt.comparison/1"}`, `of schema "takt.comparison/1"`},
		{"other JSON", `{"a":1}`, "names no schema; write one with takt analyze --json"},
		{"no JSON", `takt: 1`, "this is no report"},
		{"nothing", ``, "this is no report"},
		{"half a report", `{"schema":"takt.report/1","topics":[`, "this is no report"},
		{"a wrong type", `{"schema":"takt.report/1","topics":7}`, "topics"},
	} {
		if _, err := Read(strings.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// What Read takes can be shown in every form without a panic and without a
// control character, and survives being written and read again.
func FuzzRead(f *testing.F) {
	f.Add(readFile(f, "testdata/report-1.json"))
	f.Add([]byte(`{"schema":"takt.report/1","clock":{"rtf":1e308,"windows":{},"fighting_rtf":[1,2,3]},"topics":[{"name":"\u001b[2J","count":1,"gaps":{"count":1}}]}`))
	f.Add(readFile(f, "testdata/loop.json"))
	f.Add([]byte(`{"schema":"takt.report/1","clock":{"rtf":1},"loops":[null,{},{"name":"a","callbacks":3,"missed":9},{"name":"a","callbacks":1,"skipped":1,"period_s":-1},{"response_s":{}}]}`))
	var graph bytes.Buffer
	if err := JSON(&graph, graphReport()); err != nil {
		f.Fatal(err)
	}
	f.Add(graph.Bytes())
	f.Add([]byte(`{"schema":"takt.report/1","topics":[{"name":"a","count":1,"writers":[null,{}],"readers":[{"own":true,"qos":{"deadline_ns":"infinite"}}],"mismatches":[{}],"losses":{"rejected":3}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var text, again, rest bytes.Buffer
		for _, err := range []error{
			Text(&text, r, TextOptions{Verbose: true}), Text(&text, r, TextOptions{Width: 40}),
			Compare(r, r).Text(&text, TextOptions{Verbose: true}),
			JSON(&again, r), JUnit(&rest, r), Compare(r, r).JSON(&rest),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if i := bytes.IndexFunc(text.Bytes(), func(c rune) bool { return unicode.IsControl(c) && c != '\n' }); i >= 0 {
			t.Errorf("control character in the text at %d: %q", i, text.Bytes()[i])
		}
		r2, err := Read(&again)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, r2, cmpopts.EquateEmpty(), sameLimits); diff != "" {
			t.Errorf("read again:\n%s", diff)
		}
	})
}
