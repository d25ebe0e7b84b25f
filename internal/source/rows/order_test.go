package rows

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/timeline"
)

// checkJobs looks for what every timeline of rows must keep: the jobs of a
// callback are numbered as they start, from 1, and each ends once, not before.
func checkJobs(t testing.TB, l *log) {
	t.Helper()
	type job struct {
		entity timeline.EntityID
		number uint64
	}
	started, running := map[timeline.EntityID]uint64{}, map[job]bool{}
	for _, e := range l.events {
		j := job{e.Entity, e.Number}
		switch e.Kind {
		case timeline.JobStarted:
			if started[e.Entity]++; e.Number != started[e.Entity] {
				t.Fatalf("job %d of %d started as number %d", started[e.Entity], e.Entity, e.Number)
			}
			running[j] = true
		case timeline.JobEnded:
			if !running[j] {
				t.Fatalf("job %+v ended, which does not run", j)
			}
			delete(running, j)
		}
	}
	if len(running) > 0 {
		t.Fatalf("%d jobs did not end", len(running))
	}
}

// A span is one run, drawn.
type span struct {
	name       string
	start, end int
}

// Whatever the order in which callbacks were written, as long as each one's
// own is that of starts or of ends, the same events come in order of time.
func TestAnyOrderOfCallbacks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var spans []span
		now := map[string]int{}
		for range rapid.IntRange(1, 60).Draw(rt, "runs") {
			name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "name")
			start := now[name] + rapid.IntRange(0, 20).Draw(rt, "pause")
			end := start + rapid.IntRange(0, 30).Draw(rt, "run")
			now[name] = start
			spans = append(spans, span{name, start, end})
		}
		var file []span
		for _, name := range []string{"a", "b", "c"} {
			own := slices.DeleteFunc(slices.Clone(spans), func(s span) bool { return s.name != name })
			if rapid.Bool().Draw(rt, "at their ends") {
				slices.SortStableFunc(own, func(x, y span) int { return cmp.Compare(x.end, y.end) })
			}
			file = merge(rt, file, own)
		}
		text := "start_mono_ns,end_mono_ns,name\n"
		var want []string
		for _, s := range file {
			text += fmt.Sprintf("%d,%d,%s\n", s.start, s.end, s.name)
			want = append(want, fmt.Sprint(s.start, s.name, "started"), fmt.Sprint(s.end, s.name, "ended"))
		}
		l := mustRead(t, "x.csv", text)
		checkJobs(t, l)
		var got []string
		for _, e := range l.events {
			got = append(got, fmt.Sprint(e.At, l.entities[e.Entity-1].Name, map[bool]string{true: "started", false: "ended"}[e.Kind == timeline.JobStarted]))
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			rt.Errorf("from\n%s: got %q, want %q", text, got, want)
		}
	})
}

// merge mixes two files, each in its own order.
func merge(t *rapid.T, a, b []span) (c []span) {
	for len(a) > 0 && len(b) > 0 {
		from := &a
		if rapid.Bool().Draw(t, "from the second") {
			from = &b
		}
		c = append(c, (*from)[0])
		*from = (*from)[1:]
	}
	return append(append(c, a...), b...)
}

// A file in order of start is streamed: only rows that run are held.
func TestRowsInOrderAreNotHeld(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, "%d,%d,%d,%d,False\n", i*10, i, i*10+25, i) // three run at a time
	}
	s, err := Open(write(t, "x.csv", b.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	found, err := s.survey(t.Context())
	if err != nil || found.back != 0 || found.rows != 10_000 {
		t.Errorf("%+v, %v", found, err)
	}
	out := &sender{sink: &log{t: t}, jobs: make([]uint64, 1)}
	in := s.read(0)
	for range found.rows {
		r, err := in.next()
		if err != nil {
			t.Fatal(err)
		}
		out.wait.push(pending{at: r.start, n: in.n, row: r})
		out.until(r.start)
		if len(out.wait) > 3 {
			t.Fatalf("%d rows are held at row %d", len(out.wait), in.n)
		}
	}
}

// What would need too much memory is refused; one row less is not.
func TestHeldRowsAreBounded(t *testing.T) {
	const text = "start_mono_ns,end_mono_ns,name\n30,31,a\n40,41,a\n50,51,a\n10,11,b\n"
	for most, want := range map[int]string{3: "x:5: row 4: more than 3 rows would have to be held to put them in order of time; sort the rows", 4: ""} {
		s, err := Open(write(t, "x", text), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		s.most = most
		_, err = s.Run(t.Context(), &log{t: t})
		if got := fmt.Sprint(err); !strings.Contains(got, want) || want == "" && err != nil {
			t.Errorf("%d rows: %v", most, err)
		}
	}
}
