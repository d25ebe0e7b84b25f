package interop

import (
	"flag"
	"os"
	"testing"
	"time"
)

var (
	clockFor = flag.Duration("clock", 3*time.Second, "how long /clock runs at 1 kHz")
	update   = flag.Bool("update", false, "rewrite docs/interop.md from the rows that pass")
)

func TestMain(m *testing.M) {
	if os.Getenv(peerVariable) != "" {
		os.Exit(runPeer(os.Args[1:]))
	}
	flag.Parse()
	code := m.Run()
	os.RemoveAll(folder) // nothing when it is empty
	os.Exit(code)
}
