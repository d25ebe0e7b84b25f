package sim

import (
	"cmp"
	"slices"
)

// dispatch is rule 1 (d): CPUs are handed out and threads without a callback
// take their steps, until nothing changes.
func (s *tickSim) dispatch() {
	for changed := true; changed; {
		changed = false
		s.handOut()
		for _, t := range s.threads {
			for t.running && t.job == nil && s.isRunnable(t) {
				s.step(t)
				changed = true
			}
		}
	}
}

// handOut gives the CPUs to the most urgent runnable threads (rule 4).
func (s *tickSim) handOut() {
	for _, t := range s.threads {
		s.lookAt(t)
		t.running = false
	}
	queue := slices.Clone(s.threads)
	slices.SortStableFunc(queue, s.compare)
	free := s.cpus
	taken := make([]bool, s.cpus)
	for _, t := range queue {
		if !t.runnable || free == 0 || t.cpu >= 0 && taken[t.cpu] || t.reservation.usedUp() {
			continue
		}
		if t.cpu >= 0 {
			taken[t.cpu] = true
		}
		t.running = true
		free--
	}
}

// lookAt finds whether a thread is runnable, and since when.
func (s *tickSim) lookAt(t *tickThread) {
	runnable := s.isRunnable(t)
	if runnable && !t.runnable {
		t.since = s.now
		t.reservation.wake(s.now)
	}
	t.runnable = runnable
}

func (s *tickSim) isRunnable(t *tickThread) bool {
	if t.job != nil {
		return !t.job.waiting
	}
	return t.inCycle || s.wouldStart(t)
}

// compare puts the more urgent of two threads first: reservations by their
// deadline (rule 21), then priorities, then who is runnable for longer (rule
// 5). The sort that uses it is stable, so threads that are equal in all stay
// in their order.
func (s *tickSim) compare(a, b *tickThread) int {
	if a.reservation.amount > 0 && b.reservation.amount > 0 {
		return cmp.Compare(a.reservation.deadline, b.reservation.deadline)
	}
	if a.reservation.amount > 0 {
		return -1
	}
	if b.reservation.amount > 0 {
		return 1
	}
	return cmp.Or(cmp.Compare(s.priority(b), s.priority(a)), cmp.Compare(a.since, b.since))
}

// priority is a thread's own, or with inheritance that of the most urgent
// thread which waits for the lock it holds (rule 7).
func (s *tickSim) priority(t *tickThread) int {
	priority := t.priority
	if s.inherit && t.job != nil && !t.job.waiting && t.job.callback.lock != nil {
		for _, w := range s.threads {
			if w.waitsFor(t.job.callback.lock) {
				priority = max(priority, w.priority)
			}
		}
	}
	return priority
}

func (t *tickThread) waitsFor(lock *tickLock) bool {
	return t.job != nil && t.job.waiting && t.job.callback.lock == lock
}

// free hands a lock to the waiter of highest own priority; the order of
// threads decides between equals.
func (s *tickSim) free(lock *tickLock) {
	lock.holder = nil
	var next *tickThread
	for _, t := range s.threads {
		if t.waitsFor(lock) && (next == nil || t.priority > next.priority) {
			next = t
		}
	}
	if next != nil {
		next.job.waiting = false
		lock.holder = next.job
	}
}

// useCPUs lets the threads that hold a CPU compute until the next instant.
func (s *tickSim) useCPUs() {
	for _, t := range s.threads {
		if t.running {
			t.job.left--
			if t.reservation.amount > 0 {
				t.reservation.left--
			}
		}
	}
}

// A tickReservation is a kernel budget (rule 21).
type tickReservation struct {
	amount, period int64 // amount 0: no reservation
	left, deadline int64
}

func (r *tickReservation) usedUp() bool { return r.amount > 0 && r.left == 0 }

func (r *tickReservation) refill(now int64) {
	if r.usedUp() && now > 0 && now >= r.deadline {
		r.left = r.amount
		r.deadline += r.period
	}
}

// wake compares left/(deadline-now) with amount/period without dividing.
func (r *tickReservation) wake(now int64) {
	if r.amount > 0 && (r.deadline <= now || r.left*r.period > r.amount*(r.deadline-now)) {
		r.left = r.amount
		r.deadline = now + r.period
	}
}
