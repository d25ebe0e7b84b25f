package interop

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

const document = "../../docs/interop.md"

// names are the vendors' names in the document.
var names = map[string]string{"cyclone": "Cyclone DDS", "fastdds": "Fast DDS", "takt": "takt"}

const preface = `# Interoperability

takt beside %s and %s, each a program of its own,
on one machine's loopback interface: what a publisher and a subscriber went
through together. The content of every sample is compared, its place in the
order, and how many there are. The vendors' programs are in
` + "`rtps/interop/peers`" + `, takt's is the test itself.

A row that reads "yes" passed when this page was written, by
` + "`go test ./rtps/interop -run Matrix -update`" + `. It runs with the other tests;
` + "`scripts/test`" + ` keeps /clock up for 30 s, a plain run for 3 s. A dash is what
does not exist: only Fast DDS has shared memory here, and takt's writers assert
their liveliness automatically, never by hand.

Best effort of 1 MiB and more has receive buffers of several MiB, for which
net.core.rmem_max must be 4 MiB. Into a socket of Linux's default size, which
is what Fast DDS takes unless told otherwise, few of such samples fit whole;
reliable ones are repaired.

`

// A ledger notes which rows passed.
type ledger struct {
	mu     sync.Mutex
	passed []row
}

func (l *ledger) note(t *testing.T, r row) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !t.Failed() && !t.Skipped() {
		l.passed = append(l.passed, r)
	}
}

// write writes the document of the rows that passed.
func (l *ledger) write(t *testing.T) {
	if err := os.WriteFile(document, []byte(render(t, l.passed)), 0o644); err != nil {
		t.Error(err)
	}
}

// TestDocument fails if the document lacks a row of the matrix, names one that
// is none, or speaks of other versions than those at hand.
func TestDocument(t *testing.T) {
	if *update {
		t.Skip("it is being written")
	}
	programs(t)
	var all []row
	for _, s := range scenarios() {
		all = append(all, s.rows()...)
	}
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if want := render(t, all); string(text) != want {
		t.Errorf("%s is not of this matrix or these versions; run go test ./rtps/interop -run Matrix -update\ngot\n%s\nwant\n%s",
			document, text, want)
	}
}

func render(t *testing.T, passed []row) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, preface, names["cyclone"]+" "+version(t, "cyclone"), names["fastdds"]+" "+version(t, "fastdds"))
	columns := (&scenario{}).rows()
	b.WriteString("| |")
	for _, c := range columns {
		fmt.Fprintf(&b, " %s to %s |", names[c.pub], names[c.sub])
	}
	b.WriteString("\n|" + strings.Repeat("---|", len(columns)+1) + "\n")
	for _, s := range scenarios() {
		fmt.Fprintf(&b, "| %s |", s.name)
		for _, c := range columns {
			cell := "-"
			if slices.Contains(passed, row{s.name, c.pub, c.sub}) {
				cell = "yes"
			}
			fmt.Fprintf(&b, " %s |", cell)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// version asks the program of a vendor which library it was built with.
func version(t *testing.T, vendor string) string {
	t.Helper()
	out, err := exec.Command(program(t, vendor), "version").Output()
	if err != nil {
		t.Fatalf("version of %s: %v", vendor, err)
	}
	return strings.TrimSpace(string(out))
}
