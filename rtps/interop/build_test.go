package interop

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// needs is what building the peers takes, and the Debian package that has it.
var needs = []struct{ what, pkg string }{
	{"gcc", "gcc"},
	{"g++", "g++"},
	{"idlc", "cyclonedds-tools"},
	{"/usr/include/dds/dds.h", "cyclonedds-dev"},
	{"/usr/include/fastdds/dds/core/policy/QosPolicies.hpp", "libfastrtps-dev"},
	{"/usr/include/fastcdr/Cdr.h", "libfastcdr-dev"},
}

// folder is where the programs are, once one was asked for; main_test.go
// removes it.
var folder string

var buildOnce = sync.OnceValue(func() (err error) {
	if folder, err = os.MkdirTemp("", "takt-interop"); err != nil {
		return err
	}
	return build(folder)
})

// programs returns the folder with a program for each vendor, named for it.
func programs(t *testing.T) string {
	t.Helper()
	if missing := missing(); len(missing) > 0 {
		remedy := "apt-get install " + strings.Join(missing, " ")
		if os.Getenv("CI") == "true" {
			t.Fatalf("the peers cannot be built: %s", remedy)
		}
		t.Skipf("the peers cannot be built: %s", remedy)
	}
	if err := buildOnce(); err != nil {
		t.Fatal(err)
	}
	return folder
}

func missing() (pkgs []string) {
	for _, n := range needs {
		_, err := os.Stat(n.what)
		if !filepath.IsAbs(n.what) {
			_, err = exec.LookPath(n.what)
		}
		if err != nil {
			pkgs = append(pkgs, n.pkg)
		}
	}
	return pkgs
}

func build(dir string) error {
	peers, err := filepath.Abs("peers")
	if err != nil {
		return err
	}
	script := `
for f in samples graph16 graph24; do idlc -t "$peers/$f.idl"; done
gcc -O1 -Wall -Wextra -Werror -I. -I"$peers" "$peers"/*.c *.c -lddsc -lpthread -o cyclone
g++ -O1 -Wall -Werror -std=c++17 -I"$peers" "$peers"/fastdds.cpp -lfastrtps -lfastcdr -lpthread -o fastdds`
	c := exec.Command("sh", "-ec", script)
	c.Dir, c.Env = dir, append(os.Environ(), "peers="+peers)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("building the peers: %w\n%s", err, out)
	}
	return nil
}
