package takt_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/takt-rt/takt/"

// floors is the house: a package may import those on floors below its own.
// Of two that match, the longer name counts.
var floors = map[string]int{
	"clock":               0,
	"internal/quantity":   0,
	"internal/schematest": 0, // for tests
	"internal/golden":     0, // for tests
	"stats":               1,
	"cdr":                 1,
	"qos":                 1,
	"sched":               1,
	"internal/page":       1, // self-contained HTML pages of figures and charts
	"rosmsg":              2,
	"timeline":            2,
	"model":               2,
	"rtps":                2,
	"kernel":              2,
	"rtps/udp":            3,
	"timeline/file":       3,
	"bounds":              3,
	"sim":                 3,
	"analysis":            3,
	"report":              4,
	"ros":                 4,
	"internal/synth":      4, // written recordings, for tests and benchmarks
	"internal/source":     5,
	"internal/plan":       5,
	"internal/replay":     5,
	"internal/infer":      5,
	"internal/gazebo":     5,
	"internal/bench":      6,
	"internal/mutate":     6,
	"cmd":                 7,
}

// forbidden are imports that the floors alone would allow.
var forbidden = []struct{ who, what, why string }{
	{"analysis", "os", "an analysis reads events, not files"},
	{"analysis", "github.com/takt-rt/takt/rosmsg", "events carry stamps; decoding messages is the sources' work"},
	{"analysis", "github.com/takt-rt/takt/model", "figures do not depend on what was promised"},
	{"sched", "os", "the rules read no clock and no file"},
	{"sim", "os", "time is virtual there"},
	{"bounds", "github.com/takt-rt/takt/timeline", "closed forms know no events"},
	{"rtps/wire", "net", "the wire format is bytes; sockets are the edge's work"},
	{"rtps/wire", "github.com/takt-rt/takt/ros", "RTPS knows no name of ROS"},
	{"rtps", "net", "the machines know addresses, not sockets; rtps/udp has those"},
	{"rtps", "os", "the machines read no clock and no file"},
	{"ros", "os", "the environment is asked for through a function"},
	{"stats", "time", "summaries know values, not clocks"},
	{"rosmsg", "os", "schemas and messages are bytes; files are the sources' work"},
	{"timeline", "os", "events know no files; timeline/file does"},
	{"report", "os", "a report is a value and goes to the writer it is given"},
	{"clock", "C", "the binary is static"},
}

type listed struct {
	ImportPath string
	Imports    []string
	CgoFiles   []string
}

func TestImportsRunDownTheHouse(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		floor, known := floorOf(name)
		if !known {
			t.Errorf("%s has no floor: give it one in the table", name)
		}
		if len(p.CgoFiles) > 0 {
			t.Errorf("%s uses cgo: the binary is static", name)
		}
		for _, i := range p.Imports {
			below, inHouse := strings.CutPrefix(i, module)
			if f, _ := floorOf(below); inHouse && f >= floor && !strings.HasPrefix(name, below+"/") && !strings.HasPrefix(below, name+"/") {
				t.Errorf("%s (floor %d) imports %s (floor %d): imports run downward only", name, floor, below, f)
			}
			for _, no := range forbidden {
				if name == no.who && i == no.what {
					t.Errorf("%s imports %s: %s", name, i, no.why)
				}
			}
		}
	}
}

func floorOf(name string) (floor int, known bool) {
	for n := name; n != ""; n = n[:max(strings.LastIndexByte(n, '/'), 0)] {
		if f, ok := floors[n]; ok {
			return f, true
		}
	}
	return 0, false
}

func packages(t *testing.T) (all []listed) {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,CgoFiles", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(p.ImportPath, module) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		t.Fatal("go list named no package")
	}
	return all
}
