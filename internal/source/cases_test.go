package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/takt-rt/takt/internal/source"
	"github.com/takt-rt/takt/internal/synth"
)

// The cases from practice come out right as recordings of either kind.
func TestCases(t *testing.T) {
	for _, c := range synth.Cases() {
		for _, kind := range []string{"mcap", "db3"} {
			t.Run(c.Name+"/"+kind, func(t *testing.T) {
				f, _ := analyze(t, write(t, c, kind), source.Options{})
				for _, err := range c.Check(f) {
					t.Error(err)
				}
			})
		}
	}
}

func write(t *testing.T, c synth.Case, kind string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "case."+kind)
	if kind == "db3" {
		if err := synth.WriteDB3(path, c.Topics, c.All()); err != nil {
			t.Fatal(err)
		}
		return path
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := synth.WriteMCAP(f, c.Topics, c.All(), synth.MCAPOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
