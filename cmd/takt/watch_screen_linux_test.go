package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/takt-rt/takt/ros"
)

// On a terminal the screen is the alternate one and q leaves it; the report
// stays behind.
func TestWatchOnATerminal(t *testing.T) {
	publishEvery(t, joinGraph(t, watchDomain, "gazebo"), "/clock", ros.ClockQoS(), 10*time.Millisecond, halfSpeed)
	p := openTerminal(t, 100, 30)
	c := &exec.Cmd{
		Path: executable(t), Args: []string{"takt", "watch"},
		Stdin: p.child, Stdout: p.child, Stderr: p.child,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true},
		Env:         append(os.Environ(), "TERM=xterm-256color"),
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p.child.Close()
	awaitUntil(t, "the topic is on the screen", func() bool { return strings.Contains(p.shown(), "/clock") })
	before := p.shown()
	if _, err := p.File.WriteString("q"); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatalf("%v\n%q", err, p.shown())
	}
	const enter, leave = "\x1b[?1049h", "\x1b[?1049l"
	if !strings.Contains(before, enter) || !strings.Contains(before, "RTF 0.") || !strings.Contains(before, "q ends with the report") {
		t.Errorf("the screen is %q", before)
	}
	awaitUntil(t, "the report is on the terminal", func() bool { return strings.Contains(p.shown(), "takt's own traffic") })
	_, after, left := strings.Cut(p.shown(), leave)
	if !left || !strings.Contains(after, "UNJUDGED") || !strings.Contains(after, "domain 42") {
		t.Errorf("after the screen comes %q", after)
	}
}

// executable is the test binary, which is the command if it is called takt.
func executable(t *testing.T) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// A terminal is a pseudo terminal with a child on its other end.
type terminal struct {
	*os.File
	child *os.File

	mu   sync.Mutex
	text bytes.Buffer // what the child wrote
}

func openTerminal(t *testing.T, columns, rows uint16) *terminal {
	t.Helper()
	f, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	fd := int(f.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows}); err != nil {
		t.Fatal(err)
	}
	p := &terminal{File: f}
	if p.child, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	go p.read()
	return p
}

func (p *terminal) read() {
	buffer := make([]byte, 4096)
	for {
		n, err := p.File.Read(buffer)
		p.mu.Lock()
		p.text.Write(buffer[:n])
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// shown returns all that the child wrote.
func (p *terminal) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}
