package analysis

import "time"

// late says whose the longest interval is, for topics that are periodic but
// for some long intervals. The evidence is the publisher's own interval
// between the same two messages: by publish time where recorded, else by wall
// stamps; simulated stamps only tell whether the clock stood still.
func late(t *topic, f *Topic, c *Clock) *Late {
	w := t.worst
	if f.IntervalS == nil || !f.Periodic || w.length == 0 || w.lacks { // what was lost is not late
		return nil
	}
	nominal := f.IntervalS.P50
	l := &Late{WorstIntervalS: seconds(w.length)}
	var own time.Duration
	switch {
	case w.hasSent && f.PublishIntervalS != nil:
		l.Evidence, own = "publish time", w.sent
		l.PublisherStddevS, l.PathStddevS = &f.PublishIntervalS.Stddev, &f.PathS.Stddev
	case w.hasStamp && f.Stamps.Domain == "wall":
		l.Evidence, own = "stamp", w.stamp
		l.PublisherStddevS, l.PathStddevS = &f.StampIntervalS.Stddev, &f.AgeS.Stddev
	case w.hasSim && c != nil && c.RTF != nil && *c.RTF > 0:
		return stalled(l, seconds(w.sim) / *c.RTF, nominal, c.IntervalS.P50)
	default:
		return nil
	}
	l.WorstPublisherS = ptr(seconds(own))
	l.By = blame(l.WorstIntervalS-nominal, seconds(own)-nominal, nominal)
	return l
}

// blame splits what an interval had too much: two thirds or more of it in the
// publisher's own interval is the publisher's, a third or less the path's.
func blame(excess, publishers, nominal float64) string {
	switch {
	case excess <= nominal/2:
		return "nobody"
	case publishers >= excess*2/3:
		return "publisher"
	case publishers <= excess/3:
		return "path"
	}
	return "both"
}

// stalled finds intervals that were long because the simulator was slow:
// simulated time passed at less than half its usual pace, over several ticks.
func stalled(l *Late, expected, nominal, tick float64) *Late {
	w := l.WorstIntervalS
	if w-nominal <= nominal/2 || w <= 3*tick || expected > w/2 {
		return nil
	}
	l.By, l.Evidence = "clock", "/clock"
	return l
}
