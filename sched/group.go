package sched

// A Group is a callback group. On one thread it changes nothing; of a
// MultiThreaded, one callback of a group runs at a time, unless it is reentrant:
// then all may, a callback beside itself too.
type Group struct {
	Reentrant bool
}

// A groupState is a group, and what a MultiThreaded knows of it.
type groupState struct {
	reentrant bool
	busy      bool // one of its callbacks runs, so that none may start
	awaited   bool // it is in the wait set
}

// grouping numbers the groups of callbacks in the order in which they are named.
func grouping(callbacks []Callback) (groups []groupState, of []int32) {
	numbers := map[any]int32{} // by *Group, or node
	for i := range callbacks {
		c := &callbacks[i]
		key, reentrant := any(c.Node), false
		if c.Group != nil {
			key, reentrant = c.Group, c.Group.Reentrant
		}
		n, known := numbers[key]
		if !known {
			n = int32(len(groups))
			numbers[key] = n
			groups = append(groups, groupState{reentrant: reentrant, awaited: true})
		}
		of = append(of, n)
	}
	return groups, of
}
