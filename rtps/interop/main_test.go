package interop

import (
	"flag"
	"os"
	"testing"
	"time"
)

var clockFor = flag.Duration("clock", 3*time.Second, "how long /clock runs at 1 kHz")

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	os.RemoveAll(folder) // nothing when it is empty
	os.Exit(code)
}
