package compile

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/takt-rt/takt/model"
)

// Samples are used in turn. A file that several callbacks name is read once.
func TestSamples(t *testing.T) {
	files := fstest.MapFS{"execution/plan.txt": {Data: []byte("1ms\n2.5ms\n300us\n")}}
	opened := 0
	open := func(path string) (fs.File, error) {
		opened++
		return files.Open(path)
	}
	s := systemOf(timer("plan", 10*ms, 0), timer("again", 10*ms, 5*ms))
	for i := range s.Design.Nodes[0].Callbacks {
		s.Design.Nodes[0].Callbacks[i].Execution = model.Execution{Samples: "execution/plan.txt"}
	}
	b := compileWith(t, s, Options{Open: open})
	want := []time.Duration{ms, 2500 * us, 300 * us}
	for _, c := range b.System.Threads[0].Callbacks {
		if !slices.Equal(c.Costs, want) {
			t.Errorf("%s takes %v, want %v", c.Name, c.Costs, want)
		}
	}
	if opened != 1 {
		t.Errorf("the file was opened %d times", opened)
	}
}

func TestBadSamples(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "times.txt: no sample; write a duration",
		"1ms\n\n2ms\n":                      "times.txt:2: ",
		"1ms\n5\n":                          `times.txt:2: "5" has no unit; write 5ms`,
		"1ms\n2ms\nfast\n":                  "times.txt:3: ",
		"10000h\n":                          "times.txt:1: 10000h0m0s is longer than a year",
		"1ms\n" + strings.Repeat("1", 2000): "times.txt:2: longer than a duration",
	} {
		s := systemOf(timer("plan", 10*ms, 0))
		s.Design.Nodes[0].Callbacks[0].Execution = model.Execution{Line: 12, Samples: "times.txt"}
		files := fstest.MapFS{"times.txt": {Data: []byte(text)}}
		_, err := Compile(s, Options{Open: func(path string) (fs.File, error) { return files.Open(path) }})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "takt.yaml:12: nodes.nav.callbacks.plan.execution: ") {
			t.Errorf("%.20q: got %v, want %q", text, err, want)
		}
	}
}

// No text makes the reader panic, and what it reads is durations.
func FuzzSamples(f *testing.F) {
	for _, text := range []string{"1ms\n2us\n", "", "5", "1ms\r\n", "-1ms\n", "\x00\n", "9999999999h\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := readSamples(strings.NewReader(text), "times.txt")
		if (err == nil) != (len(all) > 0) {
			t.Errorf("%v and %d samples", err, len(all))
		}
		for _, d := range all {
			if d < 0 || d > longest {
				t.Errorf("a sample of %v", d)
			}
		}
	})
}
