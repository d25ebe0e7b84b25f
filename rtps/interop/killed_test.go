package interop

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// leased is how a peer is started that is going to be killed. Others notice
// after the lease of its participant.
var leased = []string{"--participant-lease-ms", "2000"}

// publisherKilled: the subscriber takes the new publisher at once, and loses
// the old one when its lease has run out.
func publisherKilled(t *testing.T, pub, sub string) {
	args := append(flags(1000, 0, 50), "--reliable", "--depth", "10")
	p, s := meet(t, pub, append(leased, args...), sub, args)
	wantAll(t, received(t, s.want("sample 20"), 1000), 1, 20)
	p.kill()
	p = start(t, pub, "pub", append(args, "--greet")...)
	lines := s.want("greeting") // what the first one had under way comes before
	p.begin()
	fresh := s.want("sample 20")
	wantAll(t, received(t, fresh, 1000), 1, 20)
	lost := func(line string) bool { return strings.HasPrefix(line, "unmatched ") }
	if !slices.ContainsFunc(append(lines, fresh...), lost) {
		s.want("unmatched")
	}
}

// subscriberKilled: the publisher goes on for the new subscriber, which gets
// all from where it came, and loses the old one when its lease has run out.
func subscriberKilled(t *testing.T, pub, sub string) {
	args := append(flags(1000, 0, 50), "--reliable", "--depth", "0")
	p, s := meet(t, pub, args, sub, append(leased, args...))
	wantAll(t, received(t, s.want("sample 20"), 1000), 1, 20)
	s.kill()
	s = start(t, sub, "sub", args...)
	lines := s.want("sample")
	p.want("unmatched")
	for range 20 {
		lines = append(lines, s.want("sample")...)
	}
	seqs := received(t, lines, 1000)
	// Fast DDS also takes what a Cyclone DDS writer still keeps for the killed one.
	if seqs[0] <= 20 && (pub == "takt" || sub == "takt") {
		t.Errorf("the new subscriber got sample %d, written before it was there", seqs[0])
	}
	wantAll(t, seqs, seqs[0], seqs[0]+len(seqs)-1)
}

func subscriberStopped(t *testing.T, pub, sub string) {
	const count = 400 // 2 s
	args := append(flags(1000, count, 200), "--reliable", "--depth", "0")
	p, s := meet(t, pub, args, sub, args)
	lines := s.want("sample 50")
	s.pause()
	time.Sleep(time.Second) // the silence is what the scenario is about
	s.resume()
	lines = append(lines, s.want("done")...)
	p.want("acked")
	wantAll(t, received(t, lines, 1000), 1, count)
}
