package interop

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	// domain is one that no other test of takt joins. Rows run one after the
	// other, or in lanes, so that their participants do not meet.
	domain = "44"
	// patience is how long an expected line may take on a loaded machine. By
	// design none takes more than a few seconds.
	patience = 40 * time.Second
)

// A peer is a running program of a vendor. Its lines are read in order, each
// once, but for those that await puts back.
type peer struct {
	t     *testing.T
	name  string
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan string // closed when the program has ended
	seen  []string    // what was read of lines
	back  []string    // what was put back of it, to be read first
	errs  bytes.Buffer
}

// start runs the program of a vendor and waits until its endpoint exists. The
// test's end stops it.
func start(t *testing.T, vendor, role string, args ...string) *peer {
	t.Helper()
	p := &peer{t: t, name: vendor + " " + role, lines: make(chan string, 1<<16)}
	p.cmd = exec.Command(program(t, vendor), append([]string{role, "--domain", domainOf(t)}, args...)...)
	// With the race detector a program sleeps for 1 s at its end unless told not to.
	p.cmd.Env = append(os.Environ(), peerVariable+"=1", "GORACE=atexit_sleep_ms=0")
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
	p.await("ready")
	return p
}

// program returns the program of a vendor; that of takt is this one.
func program(t *testing.T, vendor string) string {
	t.Helper()
	if vendor != "takt" {
		return filepath.Join(programs(t), vendor)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return own
}

// meet starts a subscriber and a publisher, and returns once a sample has come
// from one to the other. The publisher counts its samples from then on, so that
// a reliable subscriber owes all of them.
func meet(t *testing.T, pub string, pubArgs []string, sub string, subArgs []string) (p, s *peer) {
	t.Helper()
	s = start(t, sub, "sub", subArgs...)
	p = start(t, pub, "pub", append([]string{"--greet"}, pubArgs...)...)
	s.await("greeting")
	p.begin()
	return p, s
}

// begin has a publisher end its greetings.
func (p *peer) begin() {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, "begin\n"); err != nil {
		p.t.Fatalf("%s cannot be told to begin: %v\n%s", p.name, err, p.said())
	}
}

func (p *peer) read(stdout io.Reader) {
	for s := bufio.NewScanner(stdout); s.Scan(); {
		p.lines <- s.Text()
	}
	close(p.lines)
}

// await reads on as want does and puts back all but the last line: a peer may
// say what a scenario is about before it says that it is there.
func (p *peer) await(line string) {
	p.t.Helper()
	read := p.want(line)
	p.back = slices.Concat(read[:len(read)-1], p.back)
}

// want reads on to the line, or to one that continues it by further words,
// and returns all lines read on the way, that one included.
func (p *peer) want(line string) (read []string) {
	p.t.Helper()
	timeout := time.After(patience)
	for {
		got, err := p.next(timeout)
		if err != nil {
			p.t.Fatalf("%s did not say %q: %v\n%s", p.name, line, err, p.said())
		}
		read = append(read, got)
		if got == line || strings.HasPrefix(got, line+" ") {
			return read
		}
	}
}

// next returns the next line, or io.EOF when the program has ended.
func (p *peer) next(timeout <-chan time.Time) (string, error) {
	if len(p.back) > 0 {
		line := p.back[0]
		p.back = p.back[1:]
		return line, nil
	}
	select {
	case line, open := <-p.lines:
		if !open {
			return "", io.EOF
		}
		p.seen = append(p.seen, line)
		return line, nil
	case <-timeout:
		return "", fmt.Errorf("%v have passed", patience)
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
		got, err := p.next(timeout)
		if err == io.EOF {
			break
		}
		if err != nil {
			p.t.Fatalf("%s does not end: %v\n%s", p.name, err, p.said())
		}
		rest = append(rest, got)
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("%s ended with %v\n%s", p.name, err, p.errs.String())
	}
	return rest
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
