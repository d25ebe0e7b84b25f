package interop

import "testing"

// incompatible returns a scenario in which both sides name a policy by its id
// in DDS (2.2.3) and do not match.
func incompatible(policy string, pubArgs, subArgs []string) func(*testing.T, string, string) {
	return func(t *testing.T, pub, sub string) {
		s := start(t, sub, "sub", subArgs...)
		p := start(t, pub, "pub", append([]string{"--greet"}, pubArgs...)...)
		for _, peer := range []*peer{p, s} {
			lines := peer.want("incompatible")
			if got := lines[len(lines)-1]; got != "incompatible "+policy {
				t.Errorf("%s says %q, want policy %s", peer.name, got, policy)
			}
			if len(lines) != 1 {
				t.Errorf("%s also says %q", peer.name, lines[:len(lines)-1])
			}
		}
	}
}

func deadline(t *testing.T, pub, sub string) {
	args := append(flags(12, 10, 50), "--reliable", "--deadline-ms", "300")
	p, s := meet(t, pub, args, sub, args)
	p.want("deadline")
	s.want("deadline")
}

// manualLiveliness: a writer that has to assert itself by writing stops to write.
func manualLiveliness(t *testing.T, pub, sub string) {
	args := append(flags(12, 10, 50), "--reliable", "--liveliness", "topic", "--lease-ms", "500")
	p, s := meet(t, pub, args, sub, args)
	s.want("liveliness 1 0")
	s.want("liveliness 0 1")
	p.want("liveliness-lost")
}

// automaticLiveliness: the participant asserts its writers, until it is stopped.
func automaticLiveliness(t *testing.T, pub, sub string) {
	args := append(flags(12, 0, 50), "--reliable", "--lease-ms", "1000")
	p, s := meet(t, pub, args, sub, args)
	s.want("sample 20")
	p.pause()
	s.want("liveliness 0 1")
	p.resume()
	s.want("liveliness 1 0")
	s.want("sample")
}
