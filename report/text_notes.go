package report

import (
	"fmt"
	"strings"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/quantity"
)

// notes says what is odd about a topic.
func (t *text) notes(topic *analysis.Topic) string {
	list := notes(topic)
	if n := t.shown(len(list), 3); n < len(list) {
		list = append(list[:n:n], "...")
	}
	return strings.Join(list, "; ")
}

func notes(t *analysis.Topic) []string {
	list := lossNotes(t)
	note := func(set bool, format string, args ...any) {
		if set {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	note(t.TransientLocal && !t.Periodic, "latched: rate and age mislead")
	if g := t.Gaps; g != nil && g.Count > 0 && len(g.Longest) > 0 {
		note(!analysis.Middleware(t.Name), "%s, longest %s at %s", quantity.Count(g.Count, "gap"), quantity.Seconds(g.Longest[0].LengthS), quantity.At(g.Longest[0].AtS))
	}
	if s := t.Stamps; s != nil {
		note(s.Missing > 0, "%d missing by the stamps", s.Missing)
		note(s.Backward > 0, "%s backward", quantity.Count(s.Backward, "stamp"))
		note(s.Zero > 0 && !analysis.Middleware(t.Name), "%s zero", quantity.Count(s.Zero, "stamp"))
		note(s.Equal > 0, "%s repeated", quantity.Count(s.Equal, "stamp"))
		note(s.Domain == "mixed", "stamps of more than one clock")
		note(s.Domain == "not-wall" && t.AgeS == nil, "stamps are not wall time")
	}
	if b := t.Bursts; b != nil {
		note(b.MaxSize > 2 && !analysis.Middleware(t.Name), "%s of up to %d", quantity.Count(b.Count, "burst"), b.MaxSize)
	}
	if l := t.Late; l != nil {
		note(lateWords[l.By] != "", "longest interval %s", lateWords[l.By])
	}
	note(silentAtEnd(t), "silent for the last %s", deref(t.EndSilenceS, quantity.Seconds))
	note(t.OutOfOrder > 0, "%d out of order", t.OutOfOrder)
	note(t.Unreadable > 0, "%s unreadable", quantity.Count(t.Unreadable, "interval"))
	note(len(t.Transforms) > 0, "%s", transformWords(t.Transforms))
	if s := t.Service; s != nil {
		note(true, "%s", serviceWords(s))
	}
	return list
}

// lateWords say whose a longest interval is; where it is nobody's there is nothing to say.
var lateWords = map[string]string{
	"publisher": "is the publisher's",
	"path":      "is the path's",
	"both":      "is the publisher's and the path's",
	"clock":     "is the simulator's: it stood still",
}

// silentAtEnd reports whether a topic ended well before its recording: for
// longer than a second and than three times its longest interval.
func silentAtEnd(t *analysis.Topic) bool {
	return t.EndSilenceS != nil && t.IntervalS != nil && *t.EndSilenceS > max(1, 3*t.IntervalS.Max)
}

func deref(v *float64, words func(float64) string) string {
	if v == nil {
		return ""
	}
	return words(*v)
}

// transformWords tells of a topic's transforms by the one that is silent for longest.
func transformWords(list []*analysis.Topic) string {
	s := quantity.Count(len(list), "transform")
	var worst *analysis.Topic
	for _, t := range list {
		if t.IntervalS != nil && (worst == nil || t.IntervalS.Max > worst.IntervalS.Max) {
			worst = t
		}
	}
	if worst == nil {
		return s
	}
	return fmt.Sprintf("%s, longest interval %s of %s", s, quantity.Seconds(worst.IntervalS.Max), worst.Name)
}

func serviceWords(s *analysis.Service) string {
	words := quantity.Count(s.Calls, "call")
	for _, side := range []struct {
		name   string
		series *analysis.Series
	}{{"client", s.ClientS}, {"server", s.ServerS}} {
		if side.series != nil {
			words += fmt.Sprintf(", %s mean %s max %s", side.name, quantity.Seconds(side.series.Mean), quantity.Seconds(side.series.Max))
		}
	}
	return words
}
