package kernel

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Free returns how many bytes are free, to a process without privileges, on the
// file system that a path is on. The path must exist.
func Free(path string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, fmt.Errorf("asking how much of the disk of %s is free: %w", path, err)
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
