package rows

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-rt/takt/timeline"
)

// A log writes down what a sink was given, and checks the order of time.
type log struct {
	t        testing.TB
	origin   timeline.Origin
	entities []timeline.Entity
	events   []timeline.Event
}

func (l *log) Start(o timeline.Origin)    { l.origin = o }
func (l *log) Describe(e timeline.Entity) { l.entities = append(l.entities, e) }

func (l *log) Events(batch []timeline.Event) {
	for _, e := range batch {
		if n := len(l.events); n > 0 && e.At < l.events[n-1].At {
			l.t.Errorf("an event at %d after one at %d", e.At, l.events[n-1].At)
		}
		l.events = append(l.events, e)
	}
}

// story tells the events in short: callback, job, what, when and what else.
func (l *log) story() (lines []string) {
	kinds := map[timeline.Kind]string{
		timeline.JobReleased: "released", timeline.JobStarted: "started", timeline.Mark: "marked", timeline.JobEnded: "ended",
	}
	for _, e := range l.events {
		line := fmt.Sprintf("%d: %s %d %s", e.At, l.entities[e.Entity-1].Name, e.Number, kinds[e.Kind])
		if e.Value != 0 {
			line += fmt.Sprint(" ", e.Value)
		}
		if e.Has(timeline.HasROS) {
			line += fmt.Sprint(" ros ", int64(e.ROS))
		}
		lines = append(lines, line)
	}
	return lines
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// read runs a file of that name and text.
func read(t testing.TB, name, text string) (*log, timeline.Outcome, error) {
	t.Helper()
	s, err := Open(write(t, name, text), nil)
	if err != nil {
		return nil, timeline.Outcome{}, err
	}
	defer s.Close()
	l := &log{t: t}
	o, err := s.Run(context.Background(), l)
	return l, o, err
}

// mustRead is read of what can be read, without findings.
func mustRead(t testing.TB, name, text string) *log {
	t.Helper()
	l, o, err := read(t, name, text)
	if err != nil {
		t.Fatal(err)
	}
	if o.Partial || len(o.Findings) > 0 {
		t.Fatalf("outcome %+v", o)
	}
	return l
}

// Two runs, the second marked: the same in every form.
var twoRuns = []string{
	"100: loop 1 started ros 7", "130: loop 1 ended ros 8",
	"200: loop 2 started ros 17", "200: loop 2 marked 1", "230: loop 2 ended ros 18",
}

func TestForms(t *testing.T) {
	for _, c := range []struct{ what, name, kind, text string }{
		{"header", "loop.csv", "rows-csv", "start_mono_ns,start_ros_ns,end_mono_ns,end_ros_ns,mark\n100,7,130,8,False\n200,17,230,18,True\n"},
		{"any order", "loop.csv", "rows-csv", "mark,end_ros_ns,start_ros_ns,end_mono_ns,start_mono_ns\nfalse,8,7,130,100\ntrue,18,17,230,200\n"},
		{"no header", "loop.csv", "rows-csv", "100,7,130,8,0\n200,17,230,18,1\n"},
		{"scheduled and name left empty", "loop.csv", "rows-csv", "100,7,130,8,,,\n200,17,230,18,1,,\n"},
		{"Windows", "loop.csv", "rows-csv", "\ufeffstart_mono_ns,start_ros_ns,end_mono_ns,end_ros_ns,mark\r\n100,7,130,8,False\r\n200,17,230,18,True\r\n"},
		{"spaces and blank lines", "loop.csv", "rows-csv", "\n start_mono_ns, start_ros_ns, end_mono_ns, end_ros_ns, mark\n\n100, 7, 130, 8, False\n200, 17, 230, 18, True \n\n"},
		{"quoted", "loop.csv", "rows-csv", "\"start_mono_ns\",\"start_ros_ns\",\"end_mono_ns\",\"end_ros_ns\",\"mark\"\n\"100\",\"7\",\"130\",\"8\",\"False\"\n200,17,230,18,True\n"},
		{"no newline at the end", "loop.csv", "rows-csv", "100,7,130,8,0\n200,17,230,18,1"},
		{"named", "rows.txt", "rows-csv", "start_mono_ns,start_ros_ns,end_mono_ns,end_ros_ns,mark,name\n100,7,130,8,0,loop\n200,17,230,18,1,loop\n"},
		{"objects", "loop.jsonl", "rows-jsonl", `{"start_mono_ns": 100, "start_ros_ns": 7, "end_mono_ns": 130, "end_ros_ns": 8, "mark": false}
{"mark":true,"end_ros_ns":18,"end_mono_ns":230,"start_ros_ns":17,"start_mono_ns":200,"name":null}
`},
		{"arrays", "loop.jsonl", "rows-jsonl", "[100, 7, 130, 8, false]\n[200,17,230,18,true,null,\"\\u006coop\"]"},
	} {
		t.Run(c.what, func(t *testing.T) {
			l := mustRead(t, c.name, c.text)
			if diff := cmp.Diff(twoRuns, l.story()); diff != "" {
				t.Error(diff)
			}
			if l.origin.Kind != c.kind || l.origin.Base.Clock != timeline.MonoClock {
				t.Errorf("origin %+v", l.origin)
			}
			want := []timeline.Entity{{ID: 1, Kind: timeline.TimerEntity, Name: "loop"}}
			if diff := cmp.Diff(want, l.entities); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOnlyStartAndEndAreNeeded(t *testing.T) {
	l := mustRead(t, ".csv", "end_mono_ns,start_mono_ns\n130,100\n")
	want := []string{"100: callback 1 started", "130: callback 1 ended"}
	if diff := cmp.Diff(want, l.story()); diff != "" {
		t.Error(diff)
	}
}

// What one row does not know is unknown for that row only; 0 is a time.
func TestUnknownIsNotZero(t *testing.T) {
	l := mustRead(t, "a.csv", "start_mono_ns,start_ros_ns,end_mono_ns,end_ros_ns\n100,,130,8\n200,0,230,\n")
	want := []string{"100: a 1 started", "130: a 1 ended ros 8", "200: a 2 started ros 0", "230: a 2 ended"}
	if diff := cmp.Diff(want, l.story()); diff != "" {
		t.Error(diff)
	}
}

// Callbacks that were written one after the other, or at their ends, come in
// order of time, and each counts its own jobs.
func TestEventsAreInOrderOfTime(t *testing.T) {
	const head = "start_mono_ns,end_mono_ns,name\n"
	want := []string{
		"100: slow 1 started", "110: fast 1 started", "115: fast 1 ended",
		"120: fast 2 started", "124: fast 2 ended", "125: slow 1 ended",
		"125: slow 2 started", "125: slow 2 ended",
	}
	for what, text := range map[string]string{
		"at their ends":       "110,115,fast\n120,124,fast\n100,125,slow\n125,125,slow\n",
		"one after the other": "100,125,slow\n125,125,slow\n110,115,fast\n120,124,fast\n",
		"as they began":       "100,125,slow\n110,115,fast\n120,124,fast\n125,125,slow\n",
	} {
		t.Run(what, func(t *testing.T) {
			if diff := cmp.Diff(want, mustRead(t, "x.csv", head+text).story()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Runs of one callback that overlap are counted as they started.
func TestOverlappingRuns(t *testing.T) {
	l := mustRead(t, "x.csv", "start_mono_ns,end_mono_ns\n20,30\n10,40\n")
	want := []string{"10: x 1 started", "20: x 2 started", "30: x 2 ended", "40: x 1 ended"}
	if diff := cmp.Diff(want, l.story()); diff != "" {
		t.Error(diff)
	}
}

// The clock that a timer follows is the one that its releases are on.
func TestScheduledInstantsNameTheClock(t *testing.T) {
	const head = "start_mono_ns,start_ros_ns,end_mono_ns,end_ros_ns,mark,scheduled_ns\n"
	for _, c := range []struct {
		rows string
		want timeline.Clock
	}{
		{"5000,90,5010,90,,4990\n6000,190,6010,190,,5990\n", timeline.MonoClock},
		{"5000,90,5010,90,,89\n6000,190,6010,190,,189\n", timeline.SimClock},
		{"5000,90,5010,90,,89\n6000,190,6010,190,,5990\n", timeline.UnknownClock},
		{"5000,5000,5010,5010,,4990\n", timeline.UnknownClock},
		{"5000,,5010,,,4990\n", timeline.MonoClock},
	} {
		l := mustRead(t, "x.csv", head+c.rows)
		if got := l.entities[0].TimerClock; got != c.want {
			t.Errorf("%q: clock %v, want %v", c.rows, got, c.want)
		}
		if e := l.events[0]; e.Kind != timeline.JobReleased || e.At != 5000 || e.Number != 1 {
			t.Errorf("%q begins with %+v", c.rows, e)
		}
	}
}

func TestBadRowsAreRefused(t *testing.T) {
	const head = "start_mono_ns,start_ros_ns,end_mono_ns,end_ros_ns,mark,scheduled_ns\n"
	const good = "100,7,130,8,0,\n"
	for _, c := range []struct{ text, want string }{
		{"start_mono_ns,start_ros_ns\n1,2\n", `x:1: the header has no column end_mono_ns but "start_mono_ns", "start_ros_ns"; `},
		{"start_mono_ns;end_mono_ns\n1;2\n", `x:1: the header has no column start_mono_ns but "start_mono_ns;end_mono_ns"; a row needs start_mono_ns and end_mono_ns, and commas`},
		{"start_mono_ns,end_mono_ns,start_mono_ns\n", `x:1: the header names start_mono_ns twice`},
		{"1,2,3,4\n", "x:1: there is no header, and 4 columns; write 5 to 7 columns in the order start_mono_ns, start_ros_ns, "},
		{"1,2,3,4,0,6,a,8\n", "x:1: there is no header, and 8 columns"},
		{"100,7,130,8,0\n200,17,230,18\n300,27,330,28,0\n", "x:2: row 2: it has 4 columns, and the first line has 5"},
		{head + good + "200,17,230\n" + good, "x:3: row 2: it has 3 columns, and the first line has 6"},
		{head + good + ",17,230,18,,\n", "x:3: row 2: start_mono_ns is missing"},
		{head + good + "200,17,,18,,\n", "x:3: row 2: end_mono_ns is missing"},
		{head + good + "200,17,130,18,,\n", "x:3: row 2: end_mono_ns 130 is before start_mono_ns 200; read both with time.monotonic_ns()"},
		{head + good + "-200,17,230,18,,\n", "x:3: row 2: start_mono_ns -200 is negative"},
		{head + good + "2e2,17,230,18,,\n", `x:3: row 2: start_mono_ns "2e2" is not a whole number of nanoseconds`},
		{head + good + "200,17.0,230,18,,\n", `x:3: row 2: start_ros_ns "17.0" is not a whole number`},
		{head + good + "200,17,99999999999999999999,18,,\n", `x:3: row 2: end_mono_ns "99999999999999999999" is not a whole number of nanoseconds below 2^63`},
		{head + good + "200,17,230,18,yes,\n", `x:3: row 2: mark "yes" is neither true nor false; write true or false`},
		{head + good + "1700000000000000000,17,1700000000000000030,18,,\n", "x:3: row 2: start_mono_ns 1700000000000000000 and end_mono_ns count since 1970: "},
		{head + good + "200,17,1700000000000000030,18,,\n", "x:3: row 2: start_mono_ns 200 and end_mono_ns 1700000000000000030 are of different clocks"},
		{head + good + "200,17,90000000000000,18,,\n", "x:3: row 2: end_mono_ns is 25 h after start_mono_ns: they are of different clocks, or not in nanoseconds"},
		{head + good + "200,1700000000000000000,230,18,,\n", "x:3: row 2: start_ros_ns 1700000000000000000 and end_ros_ns 18 are of different clocks"},
		{head + good + "200,17,230,18,,1700000000000000000\n", "x:3: row 2: scheduled_ns 1700000000000000000 is more than a day from the start on either clock"},
		{head + good + head + good, "x:3: row 2: a second header begins where start_mono_ns should be; give each run a file of its own"},
		{head + "200,17,230,18,,\n" + good, "x:3: row 2: x ended at 130, before its row 1 began at 200; give each run of the node a file of its own, or sort"},
		{head + good + "200,\"17,230,18,,\n" + good, `x:3: row 2: "200,\"17,230,18,," is not CSV: a quote is not closed`},
		{head + good + strings.Repeat("1", longest) + "\n" + good, "x:3: row 2: the line is longer than 64 KiB"},
		{"start_mono_ns,end_mono_ns,name\n1,2," + strings.Repeat("n", 300) + "\n", "x:2: row 1: name \"" + strings.Repeat("n", 40) + "\"... has more than 256 bytes"},
		{"start_mono_ns,end_mono_ns,name\n1,2,a\x1bb\n", `x:2: row 1: name "a\x1bb" is not plain text`},
		{`{"start_mono_ns": 1}` + "\n", "x:1: row 1: end_mono_ns is missing"},
		{`{"start_mono_ns": 1, "end_mono_ns": {}}` + "\n", "x:1: row 1: a value is an object or an array itself"},
		{`{"start_mono_ns": 1, "end_mono_ns": 1.5}` + "\n", `x:1: row 1: end_mono_ns "1.5" is not a whole number`},
		{`{"start_mono_ns": 1, "end_mono_ns": 2}` + "\n\n7\n", "x:3: row 2: \"7\" is neither an object nor an array"},
		{`{"start_mono_ns": 1, "end_mono_ns": 2}` + "\n{\"start_mono_ns\": 1,\n", "x:2: row 2: \"{\\\"start_mono_ns\\\": 1,\" is not JSON: unexpected end of JSON input"},
		{"[1,2,3,4]\n", "x:1: row 1: there is no header, and 4 columns"},
	} {
		l, _, err := read(t, "x", c.text)
		if err == nil || !strings.Contains(err.Error(), string(filepath.Separator)+c.want) {
			t.Errorf("%.60q: got %v, want %s", c.text, err, c.want)
		}
		if l != nil && len(l.events) > 0 {
			t.Errorf("%.60q: %d events were sent before", c.text, len(l.events))
		}
	}
}

// A name for each row is no name.
func TestTooManyNames(t *testing.T) {
	var b strings.Builder
	b.WriteString("start_mono_ns,end_mono_ns,name\n")
	for i := range mostNames + 1 {
		fmt.Fprintf(&b, "%d,%d,run %d\n", i, i, i)
	}
	_, _, err := read(t, "x", b.String())
	if err == nil || !strings.Contains(err.Error(), "x:10002: row 10001: the file has more than 10000 names") {
		t.Error(err)
	}
}

// Times that jump are the node's own business: it reads 0 before the first
// /clock, and simulations start anew.
func TestROSTimeMayJump(t *testing.T) {
	l := mustRead(t, "x.csv", "100,0,130,1700000000000000000,0\n200,90,230,5,0\n")
	if len(l.events) != 4 {
		t.Errorf("%d events", len(l.events))
	}
}

// What a killed recorder had written is kept; the row that it did not finish is not.
func TestCutFile(t *testing.T) {
	const five = "100,7,130,8,False\n200,17,230,18,True\n"
	const head = "start_mono_ns,end_mono_ns,name\n100,130,loop\n200,230,loop\n"
	for what, c := range map[string]struct {
		text string
		rows int
	}{
		"columns missing":       {five + "300,27,33", 2},
		"mark incomplete":       {five + "300,27,330,28,Tr", 2},
		"mark not begun":        {five + "300,27,330,28,", 2},
		"digits missing":        {"start_mono_ns,end_mono_ns\n100,130\n200,230\n300,3", 2},
		"digits missing, later": {"end_mono_ns,start_mono_ns\n130,100\n230,200\n330,30", 2},
		"name incomplete":       {head + "300,330,lo", 2},
		"a name that is known":  {head + "300,330,loop", 3},
		"JSON":                  {"[100,7,130,8,false]\n[200,17,230,18,true]\n[300,27,330,28,fal", 2},
		"JSON, number":          {"{\"start_mono_ns\":100,\"end_mono_ns\":130}\n{\"start_mono_ns\":200,\"end_mono_ns\":230", 1},
	} {
		t.Run(what, func(t *testing.T) {
			l, o, err := read(t, "loop", c.text)
			if err != nil {
				t.Fatal(err)
			}
			starts := 0
			for _, e := range l.events {
				if e.Kind == timeline.JobStarted {
					starts++
				}
			}
			cut := strings.Count(c.text, "\n")+1 > c.rows && !strings.HasSuffix(c.text, "\n") && what != "a name that is known"
			if starts != c.rows || o.Partial != cut {
				t.Errorf("%d rows, partial %v", starts, o.Partial)
			}
			if cut && (len(o.Findings) != 1 || o.Findings[0].ID != "rows-cut") {
				t.Errorf("findings %+v", o.Findings)
			}
			if len(l.entities) != 1 {
				t.Errorf("entities %+v", l.entities)
			}
		})
	}
}

func TestFileWithoutRows(t *testing.T) {
	_, o, err := read(t, "x.csv", "start_mono_ns,end_mono_ns\n")
	if err != nil || o.Partial || len(o.Findings) != 1 || o.Findings[0].ID != "rows-absent" {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestOtherColumnsAreNamed(t *testing.T) {
	for _, text := range []string{
		"start_mono_ns,thread,end_mono_ns\n100,7,130\n",
		"{\"start_mono_ns\":100,\"thread\":\"a}\\\"]b\",\"end_mono_ns\":130}\n",
	} {
		l, o, err := read(t, "x", text)
		if err != nil || len(o.Findings) != 1 || o.Findings[0].ID != "rows-not-read" || !strings.Contains(o.Findings[0].Text, "thread") {
			t.Errorf("%q: %+v, %v", text, o, err)
		}
		if len(l.events) != 2 {
			t.Errorf("%q: %d events", text, len(l.events))
		}
	}
}

func TestInterrupted(t *testing.T) {
	s, err := Open(write(t, "x", "100,7,130,8,0\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o, err := s.Run(ctx, &log{t: t})
	if err != nil || !o.Partial || len(o.Findings) != 1 || o.Findings[0].ID != "interrupted" {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		"":                            false,
		"just a note":                 false,
		"start_mono_ns":               true,
		"name, end_mono_ns\n":         true,
		"\ufeff\n\nend_ros_ns,":       true,
		"1,2":                         true,
		" 123 , 456,x":                true,
		"[1, 2, 3":                    true,
		"1.5,2.5":                     false,
		"1":                           false,
		"t,x,y\n1,2,3\n":              false,
		`{"start_mono_ns":1}`:         true,
		`{"schema":"takt.report/1"}`:  false,
		`{"text":"no start_mono_ns"}`: false,
	} {
		if got := Is(strings.NewReader(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
