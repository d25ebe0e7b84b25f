package plan

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim/compile"
	"github.com/takt-rt/takt/timeline"
)

// A SystemSetup is a system and the run that is asked for. The zero value works
// but for System.
type SystemSetup struct {
	System  *model.System
	Length  time.Duration // of the run; default 60 s
	Seed    uint64        // of all that is drawn
	Typical bool          // execution times of one value are the typical ones instead of the worst
	Strict  bool          // more ranks than levels is an error, whatever the file says

	// Sets is how many sets of phases are tried beside the file's; 0 is none.
	Sets int
	// PhaseSet is which of them the run is at, from 1; 0 is at the file's phases.
	PhaseSet int

	Explain string       // NODE/CALLBACK whose worst response is taken apart; "" is none
	Gantt   *GanttWindow // to be drawn; nil is none

	Open  func(path string) (fs.File, error) // of files of samples; nil refuses them
	Trace timeline.Sink                      // takes the run; nil is nobody
	// Progress is told now and then which share of the virtual time of all runs
	// has passed; nil is nobody.
	Progress func(share float64)
}

// A GanttWindow is what is drawn of a run: From to To after its start, or if To
// is 0, around the worst response of the callback explained, or of the one that
// comes nearest to its deadline.
type GanttWindow struct{ From, To time.Duration }

const defaultSystemLength = 60 * time.Second

// The limits of what may be asked for, far beyond what anybody waits for.
const (
	longestSystemRun = 366 * 24 * time.Hour
	mostPhaseSets    = 1_000_000
)

func (s *SystemSetup) check() error {
	switch {
	case s.Length < 0 || s.Length > longestSystemRun:
		return fmt.Errorf("a run of %v; ask for more than 0s, up to a year", s.Length)
	case s.Sets < 0 || s.Sets > mostPhaseSets:
		return fmt.Errorf("%d sets of phases; ask for 0 to %d", s.Sets, mostPhaseSets)
	case s.PhaseSet < 0 || s.PhaseSet > mostPhaseSets:
		return fmt.Errorf("phase set %d; they are numbered from 1, up to %d", s.PhaseSet, mostPhaseSets)
	case s.PhaseSet > 0 && s.Sets > 0:
		return errors.New("one set of phases and a sweep of them; ask for one of the two")
	}
	return nil
}

// A systemPlan is a setup and what was built of it.
type systemPlan struct {
	*SystemSetup
	length time.Duration
	built  *compile.Built
	names  map[string]place
	load   *load
	worst  []swept // in the order of the file, once there was a sweep
	ran    float64 // seconds of virtual time, over all runs
}

// A place is where a callback is in the system built.
type place struct{ thread, callback int }

func newSystemPlan(s *SystemSetup) (*systemPlan, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	system := s.System
	if s.Strict && system.Design != nil {
		design := *system.Design
		design.Machine.Strict = true
		copied := *system
		copied.Design, system = &design, &copied
	}
	built, err := compile.Compile(system, compile.Options{Seed: s.Seed, Typical: s.Typical, Open: s.Open})
	if err != nil {
		return nil, err
	}
	p := &systemPlan{SystemSetup: s, length: cmp.Or(s.Length, defaultSystemLength), built: built, names: map[string]place{}}
	for i := range built.System.Threads {
		for j := range built.System.Threads[i].Callbacks {
			p.names[built.System.Threads[i].Callbacks[j].Name] = place{i, j}
		}
	}
	if _, known := p.names[s.Explain]; s.Explain != "" && !known {
		return nil, p.unknown(s.Explain)
	}
	p.load = newLoad(system.Design, p.loadThreads(), p.samples())
	return p, nil
}

// maxListed is how many callbacks a message lists.
const maxListed = 20

func (p *systemPlan) unknown(name string) error {
	refs := callbacksOf(p.System.Design)
	var list []string
	for _, c := range refs[:min(len(refs), maxListed)] {
		list = append(list, c.name)
	}
	if len(refs) > maxListed {
		list = append(list, "...")
	}
	return fmt.Errorf("%s has no callback %q to be explained; name one as NODE/CALLBACK: %s", p.System.File, name, strings.Join(list, ", "))
}

// loadThreads are the threads of the system built.
func (p *systemPlan) loadThreads() (list []loadThread) {
	for i := range p.built.System.Threads {
		t := &p.built.System.Threads[i]
		made := loadThread{name: t.Name, cpu: t.CPU, width: t.Workers}
		for j := range t.Callbacks {
			if p.built.Callbacks[i][j] != nil {
				made.callbacks = append(made.callbacks, t.Callbacks[j].Name)
			}
		}
		list = append(list, made)
	}
	return list
}

// samples finds the execution times that were read for the system built.
func (p *systemPlan) samples() samplesOf {
	of := map[string][]time.Duration{}
	for i, list := range p.built.Callbacks {
		for j, c := range list {
			if c != nil && c.Execution.Samples != "" {
				of[c.Execution.Samples] = p.built.System.Threads[i].Callbacks[j].Costs
			}
		}
	}
	return func(path string) []time.Duration { return of[path] }
}
