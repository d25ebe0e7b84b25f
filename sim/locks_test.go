package sim

import (
	"testing"
	"time"
)

// low holds the lock from 0; high, low2 and mid come at 1, 2 and 3 ms. With
// inheritance low ends as soon as it can, and low2 does not even start before.
// Without, mid runs while high waits. The freed lock goes to high in both.
func TestLock(t *testing.T) {
	for _, c := range []struct {
		plain bool
		want  []string
	}{
		{false, []string{"low 0s-4ms", "high 1ms-5ms", "mid 5ms-15ms", "low2 15ms-17ms"}},
		{true, []string{"mid 3ms-13ms", "low 0s-14ms", "high 1ms-15ms", "low2 2ms-17ms"}},
	} {
		lock := &Lock{Plain: c.plain}
		locked := func(cb Callback) Callback {
			cb.Lock = lock
			return cb
		}
		s := System{Threads: []Thread{
			threadOf(1, locked(timer("low", 0, 0, 4*ms))),
			threadOf(2, locked(timer("low2", 2*ms, 0, 2*ms))),
			threadOf(5, timer("mid", 3*ms, 0, 10*ms)),
			threadOf(9, locked(timer("high", ms, 0, ms))),
		}}
		run(t, s, time.Second).want(t, c.want...)
	}
}
