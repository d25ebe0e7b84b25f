package interop

import (
	"fmt"
	"testing"
)

// received returns the sequence numbers of the samples among lines, after
// checking that none was corrupt or of another size and that each came once
// and in order. A size of 0 stands for any.
func received(t *testing.T, lines []string, size int) (seqs []int) {
	t.Helper()
	for _, line := range lines {
		var seq, n int
		if c, _ := fmt.Sscanf(line, "corrupt %d %d", &seq, &n); c > 0 {
			t.Errorf("sample %d arrived with wrong content, %d bytes", seq, n)
		}
		if c, _ := fmt.Sscanf(line, "sample %d %d", &seq, &n); c < 2 {
			continue
		}
		if size != 0 && n != size {
			t.Errorf("sample %d has %d bytes, want %d", seq, n, size)
		}
		if len(seqs) > 0 && seq <= seqs[len(seqs)-1] {
			t.Errorf("sample %d came after sample %d", seq, seqs[len(seqs)-1])
		}
		seqs = append(seqs, seq)
	}
	return seqs
}

// wantAll checks that seqs are first to last, without a hole.
func wantAll(t *testing.T, seqs []int, first, last int) {
	t.Helper()
	if n := last - first + 1; len(seqs) != n {
		t.Errorf("%d samples arrived, want the %d from %d to %d: %v", len(seqs), n, first, last, seqs)
		return
	}
	if seqs[0] != first || seqs[len(seqs)-1] != last {
		t.Errorf("samples %d to %d arrived, want %d to %d", seqs[0], seqs[len(seqs)-1], first, last)
	}
}
