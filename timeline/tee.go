package timeline

// Tee returns a sink that hands everything on to each of sinks, in turn.
func Tee(sinks ...Sink) Sink { return tee(sinks) }

type tee []Sink

func (t tee) Start(o Origin) {
	for _, s := range t {
		s.Start(o)
	}
}

func (t tee) Describe(e Entity) {
	for _, s := range t {
		s.Describe(e)
	}
}

func (t tee) Events(batch []Event) {
	for _, s := range t {
		s.Events(batch)
	}
}
