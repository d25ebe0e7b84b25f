package qos

import "fmt"

// A History says how many samples of an instance an endpoint keeps. The zero
// History keeps the last one.
type History struct {
	KeepAll bool
	Depth   int  // without KeepAll: how many; 0 means 1
	Unknown bool // the peer does not tell, as Fast DDS 2.x; the other fields mean nothing
}

// KeepLast returns a history of the last n samples.
func KeepLast(n int) History { return History{Depth: n} }

// KeepAll returns a history that drops no sample.
func KeepAll() History { return History{KeepAll: true} }

func (h History) String() string {
	switch {
	case h.Unknown:
		return "history unknown"
	case h.KeepAll:
		return "keep all"
	}
	return fmt.Sprintf("keep last %d", max(h.Depth, 1))
}
