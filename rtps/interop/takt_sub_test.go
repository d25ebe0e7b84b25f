package interop

// A subscriber says what takt's peer received.
type subscriber struct {
	o *options
	n int // samples, greetings not among them
}

func (s *subscriber) take(payload []byte) {
	seq, size, right := formats[s.o.form].read(payload)
	if seq == 0 && right {
		say("greeting")
		return
	}
	word := "sample"
	if !right {
		word = "corrupt"
	}
	say("%s %d %d", word, seq, size)
	if s.n++; s.n == s.o.count {
		say("done %d", s.n)
	}
}
