package kernel

import (
	"regexp"
	"testing"
)

func TestBootIsAnID(t *testing.T) {
	if id := Boot(); !regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(id) {
		t.Errorf("the boot is %q", id)
	}
}
