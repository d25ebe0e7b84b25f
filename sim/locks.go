package sim

// A lock is the state of a Lock.
type lock struct {
	plain  bool
	holder *thread
}

// lock takes the lock of the callback that t has just started, if it has one.
// It reports false if t has to wait.
func (s *Sim) lock(t *thread) bool {
	l := t.running.lock
	switch {
	case l == nil:
		return true
	case l.holder == nil:
		l.holder = t
		return true
	}
	t.blocked, t.stale = true, true
	if !l.plain {
		l.holder.inherits = max(l.holder.inherits, t.priority)
	}
	return false
}

// unlock frees a lock and gives it to the waiting thread of the highest
// priority, which has nothing to inherit from those that still wait.
func (s *Sim) unlock(l *lock) {
	if l == nil {
		return
	}
	l.holder.inherits = nobody
	l.holder = nil
	for i := range s.threads {
		if t := &s.threads[i]; t.waitsFor(l) && (l.holder == nil || t.priority > l.holder.priority) {
			l.holder = t
		}
	}
	if l.holder != nil {
		l.holder.blocked, l.holder.stale = false, true
	}
}

func (t *thread) waitsFor(l *lock) bool { return t.job != nil && t.blocked && t.running.lock == l }
