// Command examples writes the recordings under testdata/examples, which the
// help's answers to what people ask are shown on: cases of package synth, whose
// docs say what is in them, and the rows of a control loop.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/takt-rt/takt/internal/synth"
)

//go:generate go run . ../../../testdata/examples

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: examples DIRECTORY")
	}
	for name, c := range map[string]synth.Case{
		"play-at-10x":         synth.TenfoldPlayback(),
		"camera-drops-frames": synth.CameraDropsFrames(),
	} {
		dir := filepath.Join(os.Args[1], name)
		if err := os.RemoveAll(dir); err != nil {
			log.Fatal(err)
		}
		if err := synth.WriteBag(dir, c.Topics, c.All(), synth.BagOptions{}); err != nil {
			log.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(os.Args[1], "loop.csv"), []byte(loopRows()), 0o666); err != nil {
		log.Fatal(err)
	}
}
