package model

// needLimit refuses a contract without one of the keys that promise something.
func (s *section) needLimit(limits []string) {
	if len(s.given) > 0 && s.lacks(limits...) {
		s.fail("promises nothing", "add "+oneOf(limits)+", or remove it")
	}
}

// checkAllowed refuses an allowed share where it has no meaning, and its
// absence where it has. The keys of counted are the limits that it is of.
func (s *section) checkAllowed(kind Kind, counted ...string) {
	switch kind {
	case Hard, Firm:
		if s.has("allowed") {
			s.given["allowed"].fail("has no meaning in a "+string(kind)+" contract", "write kind: soft, or remove the line")
		}
	case Soft:
		if s.lacks("allowed") {
			s.given["kind"].fail("is soft without an allowed share", "write one, such as allowed: 1%")
		}
		if s.lacks(counted...) {
			s.given["kind"].fail("is soft without a limit that may be exceeded", "add "+oneOf(counted)+", or write kind: hard")
		}
	}
}
