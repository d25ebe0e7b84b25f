package replay

import (
	"cmp"
	"slices"
)

// An executor is what runs the callbacks of some nodes on some threads. A
// timeline does not name it: nodes that share a thread share their executor.
type executor struct {
	threads []*thread   // by number
	streams []*stream   // each replayed for itself
	left    []*callback // in no stream
}

// executors returns them in the order in which they began to run callbacks.
func (r *Recorder) executors() []*executor {
	s := sets{}
	for _, c := range r.order {
		for _, j := range c.jobs {
			s.join(r.owner(c), onThread(j.thread))
		}
	}
	byRoot := map[int64]*executor{}
	var all []*executor
	members := map[*executor][]*callback{}
	for _, c := range r.order {
		if len(c.jobs) == 0 {
			continue
		}
		root := s.root(r.owner(c))
		x := byRoot[root]
		if x == nil {
			x = &executor{}
			byRoot[root] = x
			all = append(all, x)
		}
		members[x] = append(members[x], c)
		for _, j := range c.jobs {
			if !slices.Contains(x.threads, j.thread) {
				x.threads = append(x.threads, j.thread)
			}
		}
	}
	for _, x := range all {
		slices.SortFunc(x.threads, func(a, b *thread) int { return cmp.Compare(a.number, b.number) })
		r.divide(x, members[x])
	}
	return all
}

// owner is who a callback belongs to, as a member of sets: its node, or itself
// if that is not known.
func (r *Recorder) owner(c *callback) int64 {
	if parent := r.entities[c.entity].Parent; parent != 0 {
		return int64(parent)
	}
	return int64(c.entity)
}

// onThread is a thread as a member of sets.
func onThread(t *thread) int64 { return -1 - int64(t.number) }

// divide makes the streams of an executor: all of one thread, or each node's of
// several. Callbacks that overlap with others of their node are in a group that
// may, or in groups of their own: each is a stream if it does not overlap itself.
func (r *Recorder) divide(x *executor, callbacks []*callback) {
	if len(x.threads) == 1 {
		x.streams = []*stream{r.newStream(callbacks)}
		return
	}
	byNode := map[int64][]*callback{}
	var nodes []int64
	for _, c := range callbacks {
		n := r.owner(c)
		if byNode[n] == nil {
			nodes = append(nodes, n)
		}
		byNode[n] = append(byNode[n], c)
	}
	for _, n := range nodes {
		x.add(r, byNode[n])
	}
}

func (x *executor) add(r *Recorder, group []*callback) {
	s := r.newStream(group)
	switch {
	case !s.overlaps():
		x.streams = append(x.streams, s)
	case len(group) == 1:
		x.left = append(x.left, group[0])
	default:
		for _, c := range group {
			x.add(r, []*callback{c})
		}
	}
}

// overlaps reports whether jobs of the stream ran at the same time.
func (s *stream) overlaps() bool {
	for i, j := range s.jobs[1:] {
		if j.start < s.jobs[i].end && j.thread != s.jobs[i].thread {
			return true
		}
	}
	return false
}

// sets are disjoint sets of numbers.
type sets map[int64]int64

func (s sets) root(a int64) int64 {
	for s[a] != 0 && s[a] != a {
		if up := s[s[a]]; up != 0 {
			s[a] = up // halve the path, so that long ones stay cheap
		}
		a = s[a]
	}
	return a
}

func (s sets) join(a, b int64) {
	a, b = s.root(a), s.root(b)
	s[a], s[b] = b, b
}
