// Package kernel is what takt asks of the operating system that the standard
// library does not give: the monotonic clock as a number, the offset between
// the clocks with its error, and UDP sockets that say when the kernel received
// a datagram and how many it threw away.
//
// It is for Linux. On other systems it compiles, the clocks run, and what needs
// Linux returns a NeedsLinuxError that names it.
package kernel

import "fmt"

// A NeedsLinuxError reports that something exists on Linux only.
type NeedsLinuxError struct{ What string }

func (e *NeedsLinuxError) Error() string {
	return fmt.Sprintf("%s needs Linux; run takt on the Linux host or in a container of it", e.What)
}
