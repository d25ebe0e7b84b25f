package compile_test

import (
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/sim"
	"github.com/takt-rt/takt/sim/compile"
)

// The files in the documentation that say how a system is built can be run.
func TestDocumentedSystemsRun(t *testing.T) {
	text, err := os.ReadFile("../../docs/takt-yaml.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range regexp.MustCompile("(?s)\n```yaml\n(.*?)\n```\n").FindAllSubmatch(text, -1) {
		system, err := model.Parse("takt.yaml", file[1])
		if err != nil {
			t.Errorf("%v\n%s", err, file[1])
			continue
		}
		if system.Design == nil {
			continue
		}
		ran++
		if err := runFor(system, time.Second); err != nil {
			t.Errorf("%v\n%s", err, file[1])
		}
	}
	if ran < 7 {
		t.Errorf("%d files", ran)
	}
}

func runFor(system *model.System, d time.Duration) error {
	built, err := compile.Compile(system, compile.Options{})
	if err != nil {
		return err
	}
	run, err := sim.New(built.System, sim.Unobserved{})
	if err != nil {
		return err
	}
	return run.Run(clock.Mono(0).Add(d))
}
