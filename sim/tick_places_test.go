package sim

import (
	"encoding/json"
	"slices"
	"testing"
)

// Who goes first of equals, worked out by hand from rules 4, 5 and 13: a thread
// that is not runnable for a while loses its place. In every case p preempts,
// or goes before, the equals a and b.
func TestGivesUpPlaces(t *testing.T) {
	const (
		threads = `"cpus":1,"threads":[{"name":"p","priority":2,"executor":"level"},{"name":"a","priority":1,"executor":"level"`
		rest    = `},{"name":"b","priority":1,"executor":"level"}],"duration_ns":20,"callbacks":[` +
			`{"name":"p","kind":"subscription","thread":"p","topic":"p","cost_ns":4},` +
			`{"name":"b","kind":"subscription","thread":"b","topic":"b","cost_ns":1},` +
			`{"name":"a","kind":"subscription","thread":"a","topic":"a","cost_ns":2,"context":"a"}],`
		open   = `"contexts":[{"name":"a"}],`
		window = `"contexts":[{"name":"a","window":{"duration_ns":2,"frame_ns":4}}],`
	)
	tests := []struct {
		name, system string
		want         []string
	}{
		// a runs until 2, p until 6. Meanwhile b becomes runnable at 3, a at 4.
		{"latched", `{` + threads + rest + open + `"sources":[{"topic":"a","times_ns":[0,4]},{"topic":"p","times_ns":[2]},{"topic":"b","times_ns":[3]}]}`, []string{"a", "p", "b", "a"}},
		// Greedy, a is within its cycle until it finds nothing, for which it needs a CPU.
		{"greedy", `{` + threads + `,"drain":"greedy"` + rest + open + `"sources":[{"topic":"a","times_ns":[0,4]},{"topic":"p","times_ns":[2]},{"topic":"b","times_ns":[3]}]}`, []string{"a", "p", "a", "b"}},
		// With a cap of 1 the cycle is over with the callback.
		{"greedy with a cap", `{` + threads + `,"drain":"greedy","greedy_cap":1` + rest + open + `"sources":[{"topic":"a","times_ns":[0,4]},{"topic":"p","times_ns":[2]},{"topic":"b","times_ns":[3]}]}`, []string{"a", "p", "b", "a"}},
		// a has a place from 0 to 2, when its window closes, and a new one from 4
		// on, when it opens and p ends; b has one from 1 on.
		{"window", `{` + threads + rest + window + `"sources":[{"topic":"p","times_ns":[0]},{"topic":"a","times_ns":[0]},{"topic":"b","times_ns":[1]}]}`, []string{"p", "b", "a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s scenarioSystem
			if err := json.Unmarshal([]byte(tt.system), &s); err != nil {
				t.Fatal(err)
			}
			tick := newTickSim(&s)
			tick.run()
			var got []string
			for _, j := range tick.sequence() {
				got = append(got, j.Callback)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
			if s.differs(t) {
				t.Error("the simulator has another order")
			}
		})
	}
}
