package timeline

import "sync"

// Async returns a sink that hands everything on to sink from a goroutine of
// its own, in order, so that reading and analysing go on at the same time.
// The caller must call wait after the last event and before it looks at sink.
func Async(sink Sink) (s Sink, wait func()) {
	a := &async{work: make(chan func(), ahead), spare: make(chan []Event, ahead+1), sink: sink}
	var g sync.WaitGroup
	g.Go(func() {
		for f := range a.work {
			f()
		}
	})
	return a, func() {
		close(a.work)
		g.Wait()
	}
}

// ahead is how many batches may wait.
const ahead = 64

type async struct {
	work  chan func()
	spare chan []Event // memory of batches that were handed on
	sink  Sink
}

func (a *async) Start(o Origin)    { a.work <- func() { a.sink.Start(o) } }
func (a *async) Describe(e Entity) { a.work <- func() { a.sink.Describe(e) } }

func (a *async) Events(batch []Event) {
	var own []Event
	select {
	case own = <-a.spare:
	default:
	}
	own = append(own[:0], batch...)
	a.work <- func() {
		a.sink.Events(own)
		select {
		case a.spare <- own:
		default:
		}
	}
}
