//go:build interop

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
	if len(missing()) == 0 {
		if dir, err := built(); dir != "" && err == nil {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}
