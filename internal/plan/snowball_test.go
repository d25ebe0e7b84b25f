package plan

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestPublishedSnowballs(t *testing.T) {
	data, err := os.ReadFile("../../testdata/seeds/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Snowball struct {
			Cases []struct {
				A          float64  `json:"a_s"`
				B          float64  `json:"b"`
				RTF        float64  `json:"rtf"`
				FixedPoint *float64 `json:"fixed_point_s"`
				Processing *float64 `json:"processing_at_fixed_point_s"`
				Diverges   bool     `json:"diverges"`
			}
		}
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	for _, c := range golden.Snowball.Cases {
		s := NewSnowball(rat(c.A), rat(c.B), rat(c.RTF))
		if s.Converges == c.Diverges {
			t.Errorf("RTF %v: converges %v", c.RTF, s.Converges)
		}
		if s.RTFLimit != 2 { // 1/0.5
			t.Errorf("limit %v, want 2", s.RTFLimit)
		}
		if c.Diverges {
			if s.FixedPoint != nil || s.Processing != nil {
				t.Errorf("RTF %v: a fixed point of %v and %v", c.RTF, known(s.FixedPoint), known(s.Processing))
			}
			continue
		}
		wantNumber(t, "fixed point", s.FixedPoint, *c.FixedPoint)
		wantNumber(t, "processing", s.Processing, *c.Processing)
	}
}

func TestSnowballText(t *testing.T) {
	for _, c := range []struct {
		rtf  float64
		want string
	}{
		{1, "At RTF 1 the rounds settle: every 400 ms of simulated time, taking 400 ms of wall time each.\nFrom round to round the distance from there shrinks to 50 %.\n"},
		{1.5, "every 1.2 s of simulated time, taking 800 ms of wall time each."},
		{2, "At RTF 2 the rounds grow without limit.\nEach interval is 400 ms of simulated time longer than the one before.\nThey settle below an RTF of 2.\n"},
		{2.5, "Each interval is 1.25 times the one before and more.\n"},
	} {
		var b bytes.Buffer
		if err := NewSnowball(rat(0.2), rat(0.5), rat(c.rtf)).Text(&b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("RTF %v does not say %q:\n%s", c.rtf, c.want, b.String())
		}
	}
}
