package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/takt-rt/takt/analysis"
	"github.com/takt-rt/takt/internal/page"
	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// openTopics is how many topics are shown unfolded: the worst ones.
const openTopics = 10

// An htmlTopic is a topic with its place in the page and what is wrong with it.
type htmlTopic struct {
	*analysis.Topic
	id    string
	marks []page.Mark
	rank  int // of the worst mark: 0 an error or a broken limit, 1 a warning or an open one, 2 nothing
}

// worstTopics orders the topics that had messages by what is wrong with them,
// then by how many nominal intervals the longest one is.
func worstTopics(r *Report) (all []htmlTopic) {
	for _, t := range r.Topics {
		if t.Count > 0 {
			all = append(all, marked(r, t))
		}
	}
	slices.SortStableFunc(all, func(a, b htmlTopic) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(stretched(b.Topic), stretched(a.Topic)))
	})
	for i := range all {
		all[i].id = fmt.Sprintf("topic-%d", i+1)
	}
	return all
}

// marked counts what is wrong with a topic.
func marked(r *Report, t *analysis.Topic) htmlTopic {
	var broken, open, errors, warnings int
	for _, c := range r.Verdict.Contracts {
		if c.Subject == "topic "+t.Name {
			broken += count(c.Result == Fail)
			open += count(c.Result == Inconclusive)
		}
	}
	for _, f := range r.Verdict.Findings {
		if f.Subject == t.Name {
			errors += count(f.Severity == timeline.Error)
			warnings += count(f.Severity == timeline.Warning)
		}
	}
	m := htmlTopic{Topic: t, rank: 2}
	mark := func(n, rank int, tone page.Tone, words string) {
		if n > 0 {
			m.marks = append(m.marks, page.Mark{Tone: tone, Word: words})
			m.rank = min(m.rank, rank)
		}
	}
	mark(broken, 0, page.Bad, quantity.Count(broken, "limit")+" broken")
	mark(errors, 0, page.Bad, quantity.Count(errors, "error"))
	mark(open, 1, page.Doubt, fmt.Sprintf("%d inconclusive", open))
	mark(warnings, 1, page.Doubt, quantity.Count(warnings, "warning"))
	return m
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// stretched is how many nominal intervals the longest one is; 0 if that is not
// known or means nothing, as for topics that the middleware publishes when it must.
func stretched(t *analysis.Topic) float64 {
	if n := t.NominalS(); n > 0 && !analysis.Middleware(t.Name) {
		return t.IntervalS.Max / n
	}
	return 0
}

func (h *html) topicsSection() page.Section {
	s := page.Section{ID: "topics", Title: "Topics"}
	if len(h.topics) > 0 {
		s.Blocks = append(s.Blocks, h.overview())
	}
	for i := range h.topics {
		s.Blocks = append(s.Blocks, h.topic(&h.topics[i], i < openTopics))
	}
	var silent []string
	for _, t := range h.report.Topics {
		if t.Count == 0 {
			silent = append(silent, t.Name)
		}
	}
	if len(silent) > 0 {
		s.Blocks = append(s.Blocks, page.Text("Without messages: "+strings.Join(silent, ", ")+"."))
	}
	return s
}
