package wire

// A list appends parameters: each is begun, its value written, and ended. The
// writers mirror the reads of value.
type list struct {
	b     []byte
	order Order
	start int // of the parameter begun
}

func (l *list) begin(id ParameterID) {
	l.start = len(l.b)
	l.b = beginParameter(l.b, id, l.order)
}

func (l *list) end() { l.b = endParameter(l.b, l.start, l.order) }

// put writes an optional parameter if it is there.
func put[T any](l *list, id ParameterID, o Optional[T], write func(*list, T)) {
	if o.Set {
		l.begin(id)
		write(l, o.Value)
		l.end()
	}
}

// putAll writes one parameter for each of all.
func putAll[T any](l *list, id ParameterID, all []T, write func(*list, T)) {
	for _, v := range all {
		put(l, id, Some(v), write)
	}
}

// putString writes a parameter of one string unless it is empty.
func putString(l *list, id ParameterID, s string) {
	put(l, id, Optional[string]{s, s != ""}, (*list).string)
}

// putSlice writes one parameter that holds all of s unless that is nothing.
func putSlice[T any](l *list, id ParameterID, s []T, write func(*list, []T)) {
	put(l, id, Optional[[]T]{s, len(s) > 0}, write)
}

// align pads to a multiple of 4 from the start of the value, which the
// parameter's header of 4 bytes does not change.
func (l *list) align() {
	for (len(l.b)-l.start)%4 != 0 {
		l.b = append(l.b, 0)
	}
}

func (l *list) bool(v bool)               { l.b = append(l.b, flag(v, 1)) }
func (l *list) int16(v int16)             { l.b = l.order.AppendUint16(l.b, uint16(v)) }
func (l *list) uint32(v uint32)           { l.b = l.order.AppendUint32(l.b, v) }
func (l *list) int32(v int32)             { l.uint32(uint32(v)) }
func (l *list) sequence(n SequenceNumber) { l.b = n.append(l.b, l.order) }
func (l *list) hash(h [guidLen]byte)      { l.b = append(l.b, h[:]...) }
func (l *list) guid(g GUID)               { l.hash(g.Bytes()) }
func (l *list) vendor(id VendorID)        { l.b = append(l.b, id[:]...) }
func (l *list) locator(v Locator)         { l.b = v.append(l.b, l.order) }
func (l *list) raw(b []byte)              { l.b = append(l.b, b...) }

func (l *list) version(v ProtocolVersion) { l.b = append(l.b, v.Major, v.Minor) }

func (l *list) duration(d Duration) {
	l.int32(d.Seconds)
	l.uint32(d.Fraction)
}

func (l *list) sample(s SampleIdentity) {
	l.guid(s.Writer)
	l.sequence(s.Sequence)
}

func (l *list) bytes(b []byte) {
	l.uint32(uint32(len(b)))
	l.raw(b)
}

func (l *list) string(s string) {
	l.align()
	l.uint32(uint32(len(s) + 1))
	l.b = append(append(l.b, s...), 0)
}

func (l *list) strings(all []string) {
	l.align()
	l.uint32(uint32(len(all)))
	for _, s := range all {
		l.string(s)
	}
}
