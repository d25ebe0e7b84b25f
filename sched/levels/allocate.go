package levels

import "fmt"

// allocate gives each level its priority, the levels coming with the most
// urgent first. Those that are not pinned are spread evenly over the pool:
// number k of n gets high - floor(k (high - low) / (n - 1)), or the nearest
// priority that is free, of two the less urgent. They keep their order.
func (p *Plan) allocate(all []*draft) error {
	var open []*draft
	for _, l := range all {
		switch {
		case l.apart:
			l.level.Ordinary = true
			l.level.Chosen = "the ordinary policy, as nothing is known of its groups"
		case l.fixed():
			l.level.Priority = l.pin.Priority
			l.level.Chosen = "pinned"
		default:
			open = append(open, l)
		}
	}
	free := p.free(all)
	if len(open) > len(free) {
		return fmt.Errorf("%d levels need a priority each, but the pool %v has %d free; widen the pool, allow fewer levels, or pin less", len(open), p.Pool, len(free))
	}
	next := 0
	for k, l := range open {
		ideal := p.most(p.Pool)
		if n := len(open); n > 1 {
			ideal -= k * (p.Pool.High - p.Pool.Low) / (n - 1)
		}
		last := len(free) - (len(open) - k) // the rest need theirs
		at := nearest(free[next:last+1], ideal) + next
		next = at + 1
		l.level.Priority = p.priority(free[at])
		l.level.Chosen = p.chosen(k, len(open), l.level.Priority, p.priority(ideal))
	}
	return nil
}

// free returns the urgencies of the pool that nobody has, the most urgent first.
func (p *Plan) free(all []*draft) (free []int) {
	taken := map[int]bool{}
	for _, l := range all {
		if l.fixed() {
			taken[l.pin.Priority] = true
		}
	}
	for u := p.most(p.Pool); u >= p.least(p.Pool); u-- {
		if q := p.priority(u); !taken[q] && !p.reserved(q) {
			free = append(free, u)
		}
	}
	return free
}

func (p *Plan) reserved(priority int) bool {
	for _, r := range p.Reserved {
		if r.Band.has(priority) {
			return true
		}
	}
	return false
}

// priority is the reverse of urgency.
func (p *Plan) priority(urgency int) int {
	if p.SmallerIsUrgent {
		return -urgency
	}
	return urgency
}

// nearest returns the index of the value nearest to ideal, of two equally near
// the less urgent one, in values that fall.
func nearest(values []int, ideal int) int {
	best := 0
	for i, v := range values {
		if distance(v, ideal) <= distance(values[best], ideal) {
			best = i
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }

func (p *Plan) chosen(k, n, got, ideal int) string {
	why := fmt.Sprintf("number %d of %d, spread evenly over the pool %v", k+1, n, p.Pool)
	if got != ideal {
		why += fmt.Sprintf("; %d is not free", ideal)
	}
	return why
}
