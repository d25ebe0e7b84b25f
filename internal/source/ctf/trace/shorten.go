package trace

// shorten turns numbers that nobody wants into gaps, and joins gaps where
// whole bytes follow each other. The plan must have all its slots.
func (p plan) shorten() plan {
	short := make(plan, 0, len(p))
	for _, o := range p {
		if o.code == opInt && o.slot == noSlot {
			o = op{code: opSkip, slot: noSlot, align: o.align, size: o.size}
		}
		if o.code == opSkip && o.size == 0 && o.align == 1 {
			continue
		}
		if n := len(short) - 1; n >= 0 && short[n].joins(&o) {
			short[n].align = max(short[n].align, o.align)
			short[n].size += o.size
			continue
		}
		short = append(short, o)
	}
	return short
}

// joins reports whether the gap o begins where the gap before it ends, whatever
// comes before both.
func (before *op) joins(o *op) bool {
	switch {
	case before.code != opSkip || o.code != opSkip || before.size+o.size > maxRun:
		return false
	case before.size == 0:
		return true
	}
	return o.align == 1 || o.align == 8 && before.align%8 == 0 && before.size%8 == 0
}
