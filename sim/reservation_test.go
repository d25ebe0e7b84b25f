package sim

import (
	"testing"
	"time"
)

// 2 ms per 10 ms.
func reserved(callbacks ...Callback) Thread {
	t := threadOf(1, callbacks...)
	t.Reservation = Reservation{2 * ms, 10 * ms}
	return t
}

// 5 ms of CPU time from a full reservation take 2 + 2 + 1 ms, in periods of 10.
func TestReservationLimits(t *testing.T) {
	run(t, System{Threads: []Thread{reserved(timer("work", 0, 0, 5*ms))}}, time.Second).want(t, "work 0s-21ms")
}

// A reserved thread preempts every priority; of two, the one with the earlier
// deadline runs first: b's is 11 ms, a's 12.
func TestReservationOutranksPriority(t *testing.T) {
	s := System{Threads: []Thread{
		threadOf(99, timer("urgent", 0, 0, 5*ms)),
		reserved(timer("a", 2*ms, 0, ms)),
		reserved(timer("b", ms, 0, 2*ms)),
	}}
	run(t, s, time.Second).want(t, "b 1ms-3ms", "a 3ms-4ms", "urgent 0s-8ms")
}

// What is left at a wake-up is good until the old deadline only if it does not
// exceed the bandwidth by then. After 1 ms from 0, 1 ms is left until 10: at 5
// that is exactly the bandwidth of 2 per 10, and stays, so that the second of
// the 2 ms waits for 10; at 6 it is more, and the budget is full.
func TestReservationWakesUp(t *testing.T) {
	run(t, System{Threads: []Thread{reserved(timer("a", 0, 0, ms), timer("b", 5*ms, 0, 2*ms))}}, time.Second).want(t, "a 0s-1ms", "b 5ms-11ms")
	run(t, System{Threads: []Thread{reserved(timer("a", 0, 0, ms), timer("b", 6*ms, 0, 2*ms))}}, time.Second).want(t, "a 0s-1ms", "b 6ms-8ms")
}
