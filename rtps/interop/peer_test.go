//go:build interop

package interop

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	// domain is one that no other test of takt joins; rows run one after the
	// other, so that their participants do not meet.
	domain = "44"
	// patience is how long an expected line may take on a loaded machine. The
	// longest wait by design is the lease of a killed peer, 20 s in Fast DDS.
	patience = 40 * time.Second
)

// A peer is a running program of a vendor. Its lines are read in order, each
// once.
type peer struct {
	t     *testing.T
	name  string
	cmd   *exec.Cmd
	stdin io.Closer
	lines chan string // closed when the program has ended
	seen  []string    // what was read of lines
	errs  bytes.Buffer
}

// start runs the program of a vendor ("cyclone", "fastdds") and waits until
// its endpoint exists. The test's end stops it.
func start(t *testing.T, vendor, role string, args ...string) *peer {
	t.Helper()
	p := &peer{t: t, name: vendor + " " + role, lines: make(chan string, 1<<16)}
	p.cmd = exec.Command(filepath.Join(programs(t), vendor), append([]string{role, "--domain", domain}, args...)...)
	p.cmd.Stderr = &p.errs
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.stdin = stdin
	go p.read(stdout)
	t.Cleanup(p.kill)
	p.want("ready")
	return p
}

func (p *peer) read(stdout io.Reader) {
	for s := bufio.NewScanner(stdout); s.Scan(); {
		p.lines <- s.Text()
	}
	close(p.lines)
}

// want reads on to the line, or to one that continues it by further words,
// and returns all lines read on the way, that one included.
func (p *peer) want(line string) (read []string) {
	p.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case got, open := <-p.lines:
			if !open {
				p.t.Fatalf("%s ended before it said %q\n%s", p.name, line, p.said())
			}
			p.seen, read = append(p.seen, got), append(read, got)
			if got == line || strings.HasPrefix(got, line+" ") {
				return read
			}
		case <-timeout:
			p.t.Fatalf("%s did not say %q within %v\n%s", p.name, line, patience, p.said())
		}
	}
}

// said is the end of what the peer said, for messages.
func (p *peer) said() string {
	tail := p.seen[max(0, len(p.seen)-20):]
	return fmt.Sprintf("it said, at last:\n\t%s", strings.Join(tail, "\n\t"))
}

// stop ends the peer as a program ends that leaves its domain properly, and
// returns the lines not read so far.
func (p *peer) stop() (rest []string) {
	p.t.Helper()
	p.stdin.Close()
	timeout := time.After(patience)
	for {
		select {
		case got, open := <-p.lines:
			if open {
				p.seen, rest = append(p.seen, got), append(rest, got)
				continue
			}
			if err := p.cmd.Wait(); err != nil {
				p.t.Errorf("%s ended with %v\n%s", p.name, err, p.errs.String())
			}
			return rest
		case <-timeout:
			p.t.Fatalf("%s did not end within %v\n%s", p.name, patience, p.said())
		}
	}
}

// kill ends the peer without a word to anyone. It may have ended before.
func (p *peer) kill() {
	if p.cmd.ProcessState != nil {
		return
	}
	p.cmd.Process.Kill()
	for range p.lines { // the pipe must be empty before Wait closes it
	}
	p.cmd.Wait()
}

func (p *peer) pause()  { p.signal(syscall.SIGSTOP) }
func (p *peer) resume() { p.signal(syscall.SIGCONT) }

func (p *peer) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatalf("signal %v to %s: %v", s, p.name, err)
	}
}
