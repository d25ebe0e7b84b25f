package sim

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// shrunk returns a system that still fails, and of which nothing can be left
// out or shortened.
func (s *scenarioSystem) shrunk(fails func(*scenarioSystem) bool) *scenarioSystem {
	for again := true; again; {
		again = false
		for _, smaller := range s.smaller() {
			if smaller.timesAreSet() && fails(smaller) {
				s, again = smaller, true
				break
			}
		}
	}
	return s
}

// What a failure prints is small, and is read back as the same system.
func TestShrunk(t *testing.T) {
	misses := func(s *scenarioSystem) bool {
		tick := newTickSim(s)
		tick.run()
		missed := int64(0)
		for _, f := range tick.figures().Callbacks {
			missed += f.Missed
		}
		return missed >= 2
	}
	for seed := range uint64(50) {
		s := randomSystem(seed)
		if !misses(s) {
			continue
		}
		small := s.shrunk(misses)
		if len(small.Threads) > 2 || len(small.Callbacks) > 2 || len(small.Contexts) > 1 {
			t.Errorf("system %d is not small: %s", seed, small.text(t))
		}
		var again scenarioSystem
		if err := json.Unmarshal([]byte(small.text(t)), &again); err != nil {
			t.Fatal(err)
		}
		if !misses(&again) {
			t.Errorf("system %d is another one when read back: %s", seed, small.text(t))
		}
	}
}

// timesAreSet reports whether every callback takes time and every timer has a
// period: without, a run does not get on.
func (s *scenarioSystem) timesAreSet() bool {
	for _, c := range s.Callbacks {
		if slices.Min(c.Cost) == 0 || c.Kind == "timer" && c.Period == 0 {
			return false
		}
	}
	return true
}

// smaller lists systems with one thing less.
func (s *scenarioSystem) smaller() (list []*scenarioSystem) {
	try := func(change func(c *scenarioSystem)) {
		c := s.clone()
		change(c)
		if !reflect.DeepEqual(c, s) {
			list = append(list, c)
		}
	}
	for i := range s.Threads {
		try(func(c *scenarioSystem) { c.removeThread(i) })
	}
	for i := range s.Callbacks {
		try(func(c *scenarioSystem) { c.removeCallback(i) })
	}
	for i := range s.Contexts {
		try(func(c *scenarioSystem) { c.removeContext(i) })
	}
	for i := range s.Sources {
		try(func(c *scenarioSystem) { c.Sources = slices.Delete(c.Sources, i, i+1) })
	}
	for i := range s.Topics {
		try(func(c *scenarioSystem) { c.Topics = slices.Delete(c.Topics, i, i+1) })
	}
	try(func(c *scenarioSystem) { c.CPUs = 1; c.unpin() })
	try((*scenarioSystem).unpin)
	try(func(c *scenarioSystem) { c.Policy = "" })
	try(func(c *scenarioSystem) { c.LockProtocol = "" })
	for i := range s.Threads {
		for _, change := range plainerThread {
			try(func(c *scenarioSystem) { change(c, i) })
		}
	}
	for i := range s.Contexts {
		for _, change := range plainerContext {
			try(func(c *scenarioSystem) { change(c, i) })
		}
	}
	for i := range s.Callbacks {
		for _, change := range plainerCallback {
			try(func(c *scenarioSystem) { change(c, i) })
		}
	}
	return append(list, s.shorter()...)
}

var plainerThread = []func(c *scenarioSystem, i int){
	func(c *scenarioSystem, i int) { c.Threads[i].GreedyCap = 0 },
	func(c *scenarioSystem, i int) { c.Threads[i].Drain, c.Threads[i].GreedyCap = "", 0 },
	func(c *scenarioSystem, i int) { c.Threads[i].SpinPeriod = 0 },
	func(c *scenarioSystem, i int) { c.Threads[i].CycleBudget = 0 },
	func(c *scenarioSystem, i int) { c.Threads[i].KernelBudget = scenarioBudget{} },
}

var plainerContext = []func(c *scenarioSystem, i int){
	func(c *scenarioSystem, i int) { c.Contexts[i].Window = zero(c.Contexts).Window },
	func(c *scenarioSystem, i int) { c.Contexts[i].Window.RequireFit = false },
	func(c *scenarioSystem, i int) { c.Contexts[i].Trigger = zero(c.Contexts).Trigger },
	func(c *scenarioSystem, i int) { c.Contexts[i].Budget = scenarioBudget{} },
	func(c *scenarioSystem, i int) { c.Contexts[i].Bucket = "" },
	func(c *scenarioSystem, i int) { c.Contexts[i].Policy = "" },
}

var plainerCallback = []func(c *scenarioSystem, i int){
	func(c *scenarioSystem, i int) { c.Callbacks[i].Context = "" },
	func(c *scenarioSystem, i int) { c.Callbacks[i].Lock = "" },
	func(c *scenarioSystem, i int) { c.Callbacks[i].Publishes = nil },
	func(c *scenarioSystem, i int) {
		c.Callbacks[i].Publishes = c.Callbacks[i].Publishes[:min(1, len(c.Callbacks[i].Publishes))]
	},
	func(c *scenarioSystem, i int) { c.Callbacks[i].Take = "" },
	func(c *scenarioSystem, i int) { c.Callbacks[i].Overrun = "" },
	func(c *scenarioSystem, i int) { c.Callbacks[i].Depth = 0 },
	func(c *scenarioSystem, i int) { c.Callbacks[i].Cost = c.Callbacks[i].Cost[:1] },
}

// shorter lists systems with one time shortened.
func (s *scenarioSystem) shorter() (list []*scenarioSystem) {
	for _, shorten := range []func(ns int64) int64{func(ns int64) int64 { return ns / 2 }, func(ns int64) int64 { return ns - 1 }} {
		for k, done := 0, false; !done; k++ {
			c, n := s.clone(), -1
			changed := false
			c.mapTimes(func(ns int64) int64 {
				if n++; n == k && ns > 0 {
					changed = true
					return shorten(ns)
				}
				return ns
			})
			done = n < k
			if changed && c.Duration > 0 {
				list = append(list, c)
			}
		}
	}
	return list
}

func (s *scenarioSystem) removeThread(i int) {
	name := s.Threads[i].Name
	if len(s.Threads) == 1 {
		return
	}
	for k := len(s.Callbacks) - 1; k >= 0; k-- {
		if s.Callbacks[k].Thread == name {
			s.removeCallback(k)
		}
	}
	s.Threads = slices.Delete(s.Threads, i, i+1)
}

func (s *scenarioSystem) removeCallback(i int) {
	for k := range s.Contexts {
		x := &s.Contexts[k].Trigger
		x.Callbacks = slices.DeleteFunc(x.Callbacks, func(name string) bool { return name == s.Callbacks[i].Name })
		if len(x.Callbacks) == 0 {
			x.Kind = ""
		}
	}
	s.Callbacks = slices.Delete(s.Callbacks, i, i+1)
}

func (s *scenarioSystem) removeContext(i int) {
	for k := range s.Callbacks {
		if s.Callbacks[k].Context == s.Contexts[i].Name {
			s.Callbacks[k].Context = ""
		}
	}
	s.Contexts = slices.Delete(s.Contexts, i, i+1)
}

func (s *scenarioSystem) unpin() {
	for i := range s.Threads {
		s.Threads[i].CPU = nil
	}
}

// text is a system in the form of the scenario files.
func (s *scenarioSystem) text(t *testing.T) string {
	full, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(full))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(withoutDefaults(tree))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withoutDefaults writes keys as the files do, and leaves out what is not set.
func withoutDefaults(tree any) any {
	switch v := tree.(type) {
	case map[string]any:
		m := map[string]any{}
		for key, value := range v {
			value = withoutDefaults(value)
			if set := value != nil && value != "" && value != false && value != json.Number("0"); set || key == "CPU" && value != nil {
				m[strings.ToLower(key)] = value
			}
		}
		if len(m) == 0 {
			return nil
		}
		return m
	case []any:
		for i := range v {
			v[i] = withoutDefaults(v[i])
		}
	}
	return tree
}
