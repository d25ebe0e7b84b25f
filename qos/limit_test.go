package qos

import (
	"math"
	"testing"
	"time"
)

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		l      Limit
		d      time.Duration
		finite bool
		text   string
	}{
		{Limit{}, 0, false, "infinite"},
		{Within(math.MaxInt64), 0, false, "infinite"},
		{Within(0), 0, true, "0s"},
		{Within(1500 * time.Millisecond), 1500 * time.Millisecond, true, "1.5s"},
	} {
		if d, finite := c.l.Duration(); d != c.d || finite != c.finite || c.l.String() != c.text {
			t.Errorf("%v, %v, %v; want %v, %v, %s", d, finite, c.l, c.d, c.finite, c.text)
		}
	}
}
