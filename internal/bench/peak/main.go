//go:build unix

// Command peak runs a command, drops its output, and prints its peak resident
// memory and how long it took.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: peak COMMAND [ARGUMENT...]")
	}
	c := exec.Command(os.Args[1], os.Args[2:]...)
	c.Stderr = os.Stderr
	begin := time.Now()
	if err := c.Run(); err != nil {
		log.Fatal(err)
	}
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	fmt.Printf("%d MiB peak, %.1f s\n", usage.Maxrss>>10, time.Since(begin).Seconds())
}
