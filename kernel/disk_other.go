//go:build !linux

package kernel

// Free needs Linux.
func Free(string) (int64, error) { return 0, &NeedsLinuxError{"asking how much of a disk is free"} }
