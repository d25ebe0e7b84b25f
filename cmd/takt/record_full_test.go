package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A disk of 64 KiB fills within seconds. The recording ends by itself, says so
// with the remedy, and the file holds all that it had said is in it.
func TestRecordOnAFullDisk(t *testing.T) {
	k := newTalker(t, "std_msgs/msg/Float64", 500*time.Microsecond, float64Message)
	dir := t.TempDir()
	disk, kept := filepath.Join(dir, "disk"), filepath.Join(dir, "kept.mcap")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(disk, "run.mcap")
	record := recordCommand(k, path)
	p := startRecord(t, onSmallDisk(t, disk, path, kept, append(record.Args, "--reserve", "0B")))
	if code := p.wait(); code != 3 {
		t.Fatalf("exit code %d: %s", code, &p.errs)
	}
	for _, want := range []string{"recording to " + path, "no space left on device", "all but the last batch is in the file", "free some space, or record elsewhere", "wrote " + path} {
		if !strings.Contains(p.errs.String(), want) {
			t.Errorf("does not say %q:\n%s", want, &p.errs)
		}
	}
	got, o := readKept(t, kept, k.topic)
	got.contiguous(t)
	if n := uint64(len(got.samples) + got.losses); p.events == 0 || n < p.events || !o.Partial {
		t.Errorf("%d events are there, and it had said %d; outcome %+v", n, p.events, o)
	}
}

// onSmallDisk returns a command on a file system of its own, mounted at dir,
// from which a file is copied before it goes.
func onSmallDisk(t *testing.T, dir, from, to string, args []string) *exec.Cmd {
	t.Helper()
	const mount = `mount -t tmpfs -o size=64k none "$1"`
	const script = mount + ` && { from="$2" to="$3"; shift 3; "$@"; code=$?; cp "$from" "$to"; exit $code; }`
	for _, how := range []string{"-m", "-Urm"} {
		if exec.Command("unshare", how, "sh", "-c", mount, "sh", dir).Run() == nil {
			return exec.Command("unshare", append([]string{how, "sh", "-c", script, "sh", dir, from, to}, args...)...)
		}
	}
	t.Skip("no file system may be mounted here, neither as root nor in a user namespace: unshare -m and -Urm both fail")
	return nil
}
