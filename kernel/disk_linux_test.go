package kernel

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// df asks the same of the kernel; whoever else writes meanwhile may cost a few MB.
func TestFreeAgreesWithDf(t *testing.T) {
	dir := t.TempDir()
	got, err := Free(dir)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("df", "--block-size=1", "--output=avail", dir).Output()
	if err != nil {
		t.Skipf("no df of coreutils here: %v", err)
	}
	want, err := strconv.ParseInt(strings.Fields(string(out))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if d := got - want; d < -1<<30 || d > 1<<30 {
		t.Errorf("%d bytes free, df says %d", got, want)
	}
}

func TestFreeOfNothing(t *testing.T) {
	if _, err := Free("/nowhere/at/all"); err == nil || !strings.Contains(err.Error(), "/nowhere/at/all") {
		t.Errorf("the error is %v; it must name the path", err)
	}
}
