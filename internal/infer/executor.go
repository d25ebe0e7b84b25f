package infer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
)

// An executor is nodes that share threads.
type executor struct {
	nodes   []*node
	threads []int32
}

// addExecutors writes the executors and their nodes.
func (b *builder) addExecutors() {
	for i, x := range b.share() {
		e := model.Executor{Name: fmt.Sprintf("executor_%d", i+1), Kind: model.SingleThreaded}
		said := fmt.Sprintf("thread %d", x.threads[0])
		if len(x.threads) > 1 {
			e.Kind, e.Threads = model.MultiThreaded, len(x.threads)
			said = quantity.Count(len(x.threads), "thread") + " ran callbacks"
		}
		b.comment(said, "executors", e.Name)
		b.design.Executors = append(b.design.Executors, e)
		for _, n := range x.nodes {
			to := model.Node{Name: n.name, Executor: e.Name}
			if len(x.threads) > 1 {
				to.Groups = n.divide()
			}
			b.addCallbacks(n, &to)
			b.design.Nodes = append(b.design.Nodes, to)
		}
	}
}

// share finds the executors, in the order of their first nodes.
func (b *builder) share() (all []*executor) {
	sets := make(sets, len(b.nodes))
	first := map[int32]int{} // node by thread
	for i, n := range b.nodes {
		sets[i] = i
		for _, m := range n.members {
			for _, r := range m.runs {
				if other, ok := first[r.thread]; ok {
					sets.join(other, i)
				} else {
					first[r.thread] = i
				}
			}
		}
	}
	byRoot := map[int]*executor{}
	for i, n := range b.nodes {
		root := sets.root(i)
		if byRoot[root] == nil {
			byRoot[root] = &executor{}
			all = append(all, byRoot[root])
		}
		byRoot[root].nodes = append(byRoot[root].nodes, n)
	}
	for thread, i := range first {
		x := byRoot[sets.root(i)]
		x.threads = append(x.threads, thread)
	}
	for _, x := range all {
		slices.Sort(x.threads)
	}
	return all
}

// divide puts callbacks of a node that overlapped another, or themselves, into
// groups of their own.
func (n *node) divide() (groups []model.Group) {
	type ran struct {
		run
		of *member
	}
	var runs []ran
	for _, m := range n.members {
		for _, r := range m.runs {
			runs = append(runs, ran{r, m})
		}
	}
	slices.SortFunc(runs, func(x, y ran) int { return cmp.Compare(x.start, y.start) })
	alone, again := map[*member]bool{}, map[*member]bool{}
	ends := map[int32]ran{} // under way, by thread
	for _, r := range runs {
		for _, o := range ends {
			switch {
			case o.end <= r.start:
				delete(ends, o.thread)
			case o.thread == r.thread: // one ran within the other
			case o.of == r.of:
				again[r.of] = true
			default:
				alone[o.of], alone[r.of] = true, true
			}
		}
		ends[r.thread] = r
	}
	for _, m := range n.members {
		if alone[m] || again[m] {
			m.group = m.name
			groups = append(groups, model.Group{Name: m.name, Reentrant: again[m]})
		}
	}
	return groups
}

// sets are disjoint sets of numbers from 0.
type sets []int

func (s sets) root(a int) int {
	for s[a] != a {
		s[a] = s[s[a]] // halve the path, so that long ones stay cheap
		a = s[a]
	}
	return a
}

func (s sets) join(a, b int) { s[s.root(b)] = s.root(a) }
