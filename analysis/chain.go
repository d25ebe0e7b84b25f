package analysis

import (
	"github.com/takt-rt/takt/stats"
	"github.com/takt-rt/takt/timeline"
)

// A NamedChain is a chain of callbacks to be measured whatever else is found.
type NamedChain struct {
	Name      string
	Callbacks []string // names, from the source on; at most 10
}

// Bounds of the search for chains. What is beyond them is not followed, and a
// finding says so.
const (
	maxLength  = 10   // callbacks of a chain
	maxPaths   = 1024 // followed in all
	maxOrigins = 8    // of one job or sample
	keptSent   = 64   // samples of one writer whose origins are remembered
)

// A path is a way that causes have taken, from a source to one callback: the
// callback and the path to the one before. Its figures are those of the chain
// that ends there.
type path struct {
	callback timeline.EntityID
	before   *path // nil at the source
	length   int
	next     map[timeline.EntityID]*path

	outputs           uint64
	source            timeline.Instant // that the last output goes back to, if any in this generation
	generation        int
	reaction, reduced stats.Summary
	again             stats.Summary // until replaced, of outputs that were by another of no newer read
}

// An origin is where the value that a job or sample carries comes from: when
// the source was read, and the path from there.
type origin struct {
	path *path
	at   timeline.Instant
}

// origins are those of one job or sample, one for each path.
type origins struct {
	list [maxOrigins]origin
	n    int
}

// add adds an origin; of two on the same path the newer counts. It reports
// whether there was room.
func (o *origins) add(x origin) bool {
	for i := range o.list[:o.n] {
		if o.list[i].path == x.path {
			o.list[i].at = max(o.list[i].at, x.at)
			return true
		}
	}
	if o.n == maxOrigins {
		return false
	}
	o.list[o.n] = x
	o.n++
	return true
}

// A carrier is a sample under way and its origins.
type carrier struct {
	number  uint64
	origins origins
}

// chains follow causes: a sample carries the origins of the job that published
// it to the jobs that take it.
type chains struct {
	pool       *stats.Pool
	root       path
	count      int                             // of paths
	beyond     bool                            // some were not followed
	sent       map[timeline.EntityID][]carrier // by writer; by number modulo keptSent
	heads      map[string]bool                 // callbacks that named chains begin with
	generation int                             // how often a hole cut the causes
}

func newChains(opt []NamedChain, p *stats.Pool) chains {
	c := chains{pool: p, sent: map[timeline.EntityID][]carrier{}, heads: map[string]bool{}}
	for _, n := range opt {
		if len(n.Callbacks) > 0 {
			c.heads[n.Callbacks[0]] = true
		}
	}
	return c
}

// start gives a job that starts its origins: those of its sample, else itself.
// A sample from outside goes back to its publication.
func (c *chains) start(j *openJob, e *timeline.Event) {
	read := e.At
	if e.Has(timeline.HasSent) {
		read = e.Sent
	}
	if !c.take(j, e.Cause) || c.heads[j.of.entity.Name] {
		c.grow(j, &c.root, read)
	}
}

// take gives a job the origins of a sample that it takes, and reports whether
// they are known. A timer's callback that reads is no source any more.
func (c *chains) take(j *openJob, of timeline.Cause) bool {
	s := c.carried(of)
	if s == nil {
		return false
	}
	j.of.inner = true
	for _, o := range s.origins.list[:s.origins.n] {
		c.grow(j, o.path, o.at)
	}
	return true
}

func (c *chains) carried(of timeline.Cause) *carrier {
	kept := c.sent[of.Entity]
	i := int(of.Number % keptSent)
	if of.Entity == 0 || i >= len(kept) || kept[i].number != of.Number || kept[i].origins.n == 0 {
		return nil
	}
	return &kept[i]
}

// grow adds an origin to a job, its path longer by the job's callback.
func (c *chains) grow(j *openJob, before *path, at timeline.Instant) {
	p := j.of.way
	if p == nil || p.before != before { // as a rule a callback is reached the same way again
		p = c.path(before, j.of.entity.ID)
		j.of.way = p
	}
	if p == nil || !j.origins.add(origin{p, at}) {
		c.beyond = true
	}
}

func (c *chains) path(before *path, callback timeline.EntityID) *path {
	if p := before.next[callback]; p != nil {
		return p
	}
	if before.length == maxLength || c.count == maxPaths {
		return nil
	}
	if before.next == nil {
		before.next = map[timeline.EntityID]*path{}
	}
	c.count++
	p := &path{
		callback: callback, before: before, length: before.length + 1,
		reaction: stats.In(c.pool), reduced: stats.In(c.pool), again: stats.In(c.pool),
	}
	before.next[callback] = p
	return p
}

// publish remembers what a sample carries.
func (c *chains) publish(j *openJob, e *timeline.Event) {
	kept, i := c.sent[e.Entity], int(e.Number%keptSent)
	if len(kept) <= i {
		kept = append(kept, make([]carrier, i+1-len(kept))...)
		c.sent[e.Entity] = kept
	}
	kept[i] = carrier{e.Number, j.origins}
}

// end takes the end of a job: its output is there.
func (c *chains) end(j *openJob, at timeline.Instant) {
	for _, o := range j.origins.list[:j.origins.n] {
		if o.path.length > 1 {
			o.path.output(o.at, at, c.generation)
		}
	}
}

// output takes an output that goes back to a source that was read at source.
func (p *path) output(source, at timeline.Instant, generation int) {
	p.reduced.Add(seconds(at.Sub(source)), int64(at))
	if p.outputs > 0 && p.generation == generation {
		since := seconds(at.Sub(p.source))
		if source > p.source {
			p.reaction.Add(since, int64(at))
		} else {
			p.again.Add(since, int64(at))
		}
	}
	p.outputs++
	p.source, p.generation = source, generation
}

// overwrite returns the times from the read of a source until the output based
// on it was replaced. If that was by an output of a newer read, it is the
// reaction time too.
func (p *path) overwrite() *stats.Summary {
	var all stats.Summary
	all.Merge(&p.reaction)
	all.Merge(&p.again)
	return &all
}

// cut forgets what was under way when part of the timeline is missing.
func (c *chains) cut() {
	c.generation++
	clear(c.sent)
}
