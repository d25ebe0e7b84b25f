package trace

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tracetest"
)

const recordings = "../../../../testdata/recordings"

// recorded returns the traces of real nodes.
func recorded(t testing.TB) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(recordings, "ctf"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		if e.IsDir() {
			all = append(all, filepath.Join(recordings, "ctf", e.Name()))
		}
	}
	return all
}

// babeltrace returns what babeltrace2 prints of a trace, with wall time in seconds.
func babeltrace(t *testing.T, path string) string {
	t.Helper()
	if _, err := exec.LookPath("babeltrace2"); errors.Is(err, exec.ErrNotFound) {
		t.Skip("babeltrace2 is not installed: apt-get install babeltrace2")
	}
	out, err := exec.Command("babeltrace2", "--clock-seconds", "--no-delta", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Every event of every trace, with its instant, CPU, process, thread and
// fields, is what babeltrace2 reads, in the same order.
func TestEventsAreBabeltraces(t *testing.T) {
	for _, path := range recorded(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			compareWithBabeltrace(t, path)
		})
	}
}

// So it is in the layouts of which there is no recording: big endian, headers of
// 32 bits, clocks that begin anew within a packet.
func TestWrittenEventsAreBabeltraces(t *testing.T) {
	for name, opt := range layouts {
		t.Run(name, func(t *testing.T) {
			dir := write(t, opt, 2, func(s []*tracetest.Stream, e int) {
				at := uint64(5_000_000_000)
				for i := range 200 {
					at += []uint64{1, 1000, 1 << 20, 1<<27 - 1, 1 << 27, 1<<32 - 1, 1 << 32, 1 << 40}[i%8]
					// No text is empty: babeltrace2 2.0.4 shows the one before for that.
					s[i*i%3%2].Event(at, e, who, uint64(i)<<50, strings.Repeat("x", 1+i%50))
				}
			})
			compareWithBabeltrace(t, dir)
		})
	}
}

func compareWithBabeltrace(t *testing.T, path string) {
	lines := bufio.NewScanner(strings.NewReader(babeltrace(t, path)))
	lines.Buffer(nil, 1<<20)
	fields := map[string][]string{}
	tr, err := Open(path, Options{Wants: func(event string) ([]string, int) { return fields[event], 0 }})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	for _, d := range tr.Domains {
		namesOf(d, fields)
	}
	n := 0
	tr.Each(context.Background(), func(e *Event) {
		if e.Gap != nil {
			t.Fatalf("gap after %d events: %+v", n, *e.Gap)
		}
		if n++; !lines.Scan() {
			t.Fatalf("babeltrace2 has %d events, not more", n-1)
		}
		line := lines.Text()
		if got := sameForm(tr, e, fields[e.Class.Name], line); got != "" {
			t.Fatalf("event %d: %s, babeltrace2 has\n%s", n, got, line)
		}
	})
	if lines.Scan() {
		t.Errorf("%d events, babeltrace2 has more", n)
	}
}

func namesOf(d *Domain, fields map[string][]string) {
	for _, s := range d.meta.Streams {
		for _, e := range s.Events {
			if e.Fields == nil {
				continue
			}
			var names []string
			for _, f := range e.Fields.Fields {
				names = append(names, f.Name)
			}
			fields[e.Name] = names
		}
	}
}

var lineForm = regexp.MustCompile(`^\[(\d+)\.(\d{9})\] \S* ?(\S+): \{ cpu_id = (\d+) \}, \{ (.*?) \}, \{ (.*?) ?\}$`)

// sameForm compares an event with a line of babeltrace2, and returns what differs.
func sameForm(tr *Trace, e *Event, fields []string, line string) string {
	m := lineForm.FindStringSubmatch(line)
	if m == nil {
		return "no event"
	}
	at := e.At + tr.Clock.WallOffset
	if got, want := fmt.Sprintf("%d.%09d", at/1e9, at%1e9), m[1]+"."+m[2]; got != want {
		return "at " + got
	}
	if e.Class.Name != m[3] || strconv.Itoa(int(e.CPU)) != m[4] {
		return fmt.Sprintf("%s on CPU %d", e.Class.Name, e.CPU)
	}
	for _, want := range []string{fmt.Sprintf("vtid = %d", e.TID), fmt.Sprintf("vpid = %d", e.PID), fmt.Sprintf("procname = %q", cut(e.Proc))} {
		if !strings.Contains(m[5], want) {
			return want
		}
	}
	var got []string
	for i, name := range fields {
		got = append(got, name+" = "+show(e, i))
	}
	if all := strings.Join(got, ", "); all != strings.TrimSpace(normal(m[6])) {
		return all
	}
	return ""
}

var hexNumber = regexp.MustCompile(` = 0x([0-9A-F]+)`)

// normal writes hexadecimal numbers as decimal ones.
func normal(s string) string {
	return hexNumber.ReplaceAllStringFunc(s, func(h string) string {
		n, _ := strconv.ParseUint(h[5:], 16, 64)
		return fmt.Sprintf(" = %d", n)
	})
}

func show(e *Event, i int) string {
	d := e.decoder
	for _, o := range e.Class.plan {
		if o.slot != int16(slotWanted+i) {
			continue
		}
		switch {
		case o.code == opString:
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(e.Text(i))) + `"`
		case o.code == opText:
			var all []string
			for j, c := range d.texts[slotWanted+i] {
				all = append(all, fmt.Sprintf("[%d] = %d", j, c))
			}
			return "[ " + strings.Join(all, ", ") + " ]"
		case o.signed:
			return strconv.FormatInt(e.Int(i), 10)
		}
		return strconv.FormatUint(e.Uint(i), 10)
	}
	return "?"
}
