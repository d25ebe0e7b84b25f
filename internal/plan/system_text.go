package plan

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/model"
	"github.com/takt-rt/takt/report/gantt"
	"github.com/takt-rt/takt/timeline"
)

// Text writes the plan for a person: what is infeasible before anything else,
// then the demand, the threads, and what the run came to.
func (a *System) Text(w io.Writer) error {
	var b strings.Builder
	a.writeInfeasible(&b)
	a.writeGiven(&b)
	a.writeLoad(&b)
	a.writeExecutors(&b)
	a.writeCallbacks(&b)
	a.writeSubscriptions(&b)
	a.writeChains(&b)
	a.writeContracts(&b)
	a.writeSweep(&b)
	a.writeExplanation(&b)
	if err := a.writeGantt(&b); err != nil {
		return err
	}
	for _, found := range a.Findings {
		if found.ID != InfeasibleFinding {
			fmt.Fprintf(&b, "\n%s (%s, %s)\n  %s\n", found.ID, found.Severity, found.Subject, wrap(found.Text, 2))
			writeRemedy(&b, found)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeRemedy(b *strings.Builder, f timeline.Finding) {
	if f.Remedy != "" {
		fmt.Fprintf(b, "  -> %s\n", wrap(f.Remedy, 5))
	}
}

func (a *System) writeInfeasible(b *strings.Builder) {
	for _, found := range a.Findings {
		if found.ID == InfeasibleFinding {
			fmt.Fprintf(b, "INFEASIBLE  %s\n", wrap(found.Subject+": "+found.Text, 12))
			writeRemedy(b, found)
		}
	}
	if !a.Load.Feasible {
		b.WriteByte('\n')
	}
}

func (a *System) writeGiven(b *strings.Builder) { fmt.Fprintln(b, wrap(a.given(), 0)) }

func (a *System) given() string {
	threads := 0
	for i := range a.Executors {
		for j := range a.Executors[i].Threads {
			threads += a.Executors[i].Threads[j].Workers
		}
	}
	text := fmt.Sprintf("%s: %s on %s and %s.", a.Given.File, quantity.Count(len(a.Callbacks), "callback"),
		quantity.Count(threads, "thread"), quantity.Count(a.Load.CPUs, "CPU"))
	text += fmt.Sprintf(" Run for %s in virtual time with %s execution times, seed %d", short(a.Given.Length), a.Given.Times, a.Given.Seed)
	if a.Given.RTF != nil {
		text += ", RTF " + number(*a.Given.RTF)
	}
	if a.Given.PhaseSet > 0 {
		text += fmt.Sprintf(", at phase set %d", a.Given.PhaseSet)
	}
	if a.Partial {
		text += "; PARTIAL, it ended before its time"
	}
	return text + "."
}

// rows starts a table: text to the left in the first column, figures to the right.
func rows(b *strings.Builder) *tabwriter.Writer { return tabwriter.NewWriter(b, 0, 0, 2, ' ', 0) }

// cpus writes a demand in CPUs.
func cpus(x float64) string { return trim(fmt.Sprintf("%.3f", x)) }

func (a *System) writeLoad(b *strings.Builder) {
	l := a.Load
	fmt.Fprintf(b, "\nDemand in CPUs: %s typically, %s at worst, of %d\n", cpus(l.Typical), cpus(l.Worst), l.CPUs)
	t := rows(b)
	fmt.Fprintln(t, "  callback\tthread\truns per s\ttypical\tworst")
	for _, c := range l.Callbacks {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", c.Callback, c.Thread, orDash(c.Rate, rate), orDash(c.Typical, cpus), orDash(c.Worst, cpus))
	}
	t.Flush()
	for _, c := range l.PerCPU {
		fmt.Fprintf(b, "  CPU %d: %s typically, %s at worst%s\n", c.CPU, cpus(c.Typical), cpus(c.Worst), ifOver(c.Over))
	}
}

func ifOver(over bool) string {
	if over {
		return ", OVER"
	}
	return ""
}

func rate(hz float64) string { return trim(fmt.Sprintf("%.3f", hz)) }

func orDash(x *float64, write func(float64) string) string {
	if x == nil {
		return "-"
	}
	return write(*x)
}

func (a *System) writeExecutors(b *strings.Builder) {
	fmt.Fprintf(b, "\nThreads, as they would be allocated\n")
	t := rows(b)
	fmt.Fprintln(t, "  thread\texecutor\tpriority\tCPU\tdemand\tcallback groups")
	loads := map[string]ThreadLoad{}
	for _, l := range a.Load.Threads {
		loads[l.Thread] = l
	}
	for i := range a.Executors {
		for j := range a.Executors[i].Threads {
			s := &a.Executors[i].Threads[j]
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s%s\t%s\n", s.name(), a.Executors[i].Kind, s.priority(), s.cpu(),
				cpus(loads[s.Thread].Worst), ifOver(loads[s.Thread].Over), s.groups())
		}
	}
	t.Flush()
	for i := range a.Executors {
		for j := range a.Executors[i].Threads {
			a.Executors[i].Threads[j].writeWhy(b)
		}
	}
}

func (s *SystemThread) name() string {
	if s.Workers > 1 {
		return fmt.Sprintf("%s, %d of them", s.Thread, s.Workers)
	}
	return s.Thread
}

func (s *SystemThread) priority() string {
	if s.Priority == nil {
		return "ordinary"
	}
	return fmt.Sprint(*s.Priority)
}

func (s *SystemThread) cpu() string {
	if s.CPU == 0 {
		return "any"
	}
	return fmt.Sprint(s.CPU)
}

func (s *SystemThread) groups() string {
	var list []string
	for _, g := range s.Groups {
		list = append(list, g.Group)
	}
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, ", ")
}

// writeWhy says why a level is one, and who enforces its budget.
func (s *SystemThread) writeWhy(b *strings.Builder) {
	if s.Why == "" {
		return
	}
	fmt.Fprintf(b, "  %s: %s\n", s.Thread, wrap(strings.Join([]string{s.Why, s.Chosen}, "; "), 4))
	for _, g := range s.Groups {
		if g.Merged {
			fmt.Fprintf(b, "    %s\n", wrap(fmt.Sprintf("%s has no level of its own; it may wait for %s", g.Group, g.Blocking), 6))
		}
	}
	if x := s.Budget; x != nil {
		fmt.Fprintf(b, "    %s\n", wrap(fmt.Sprintf("budget of %s per %s, enforced by the %s: %s", short(x.Amount), short(x.Period), x.Enforcer, x.Why), 6))
	}
}

func (a *System) writeCallbacks(b *strings.Builder) {
	fmt.Fprintf(b, "\nCallbacks; a response is from release to end, lateness from release to start\n")
	t := rows(b)
	fmt.Fprintln(t, "  callback\tdeadline\treleased\tstarted\tmissed\tskipped\tworst response\tmean\tworst lateness\tmean")
	for i := range a.Callbacks {
		c := &a.Callbacks[i]
		fmt.Fprintf(t, "  %s\t%s\t%s\t%d\t%s\t%d\t%s\t%s\t%s\t%s\n", c.Callback, ifAny(c.Deadline), counted(c.Released), c.Started, counted(c.Missed), c.Skipped,
			known(c.WorstResponse), known(c.MeanResponse), known(c.WorstLateness), known(c.MeanLateness))
	}
	t.Flush()
}

func ifAny(s float64) string {
	if s == 0 {
		return "-"
	}
	return short(s)
}

func counted(n *uint64) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}

func (a *System) writeSubscriptions(b *strings.Builder) {
	if len(a.Subscriptions) == 0 {
		return
	}
	fmt.Fprintf(b, "\nMessages; an age is from publication to the start of the callback\n")
	t := rows(b)
	fmt.Fprintln(t, "  topic\tcallback\tdepth\tarrived\ttaken\tdropped\tworst age\tmean age")
	for i := range a.Subscriptions {
		s := &a.Subscriptions[i]
		fmt.Fprintf(t, "  %s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n", s.Topic, s.Callback, s.depth(), s.Arrived, s.Taken, s.Dropped, known(s.WorstAge), known(s.MeanAge))
	}
	t.Flush()
}

func (s *SystemSubscription) depth() string {
	if s.Depth == 0 {
		return "all"
	}
	return fmt.Sprint(s.Depth)
}

func (a *System) writeChains(b *strings.Builder) {
	if len(a.Chains) == 0 {
		return
	}
	fmt.Fprintf(b, "\nChains\n")
	t := rows(b)
	fmt.Fprintln(t, "  chain\toutputs\tworst reaction\tmean\tpromised\tworst reduced age\tmean\tpromised\tworst overwrite age")
	for i := range a.Chains {
		c := &a.Chains[i]
		fmt.Fprintf(t, "  %s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.Chain, c.Outputs, known(c.WorstReaction)+ifBroken(c.BreaksReaction), known(c.MeanReaction), known(c.MaxReaction),
			known(c.WorstReducedAge)+ifBroken(c.BreaksAge), known(c.MeanReducedAge), known(c.MaxAge), known(c.WorstOverwriteAge))
	}
	t.Flush()
	fmt.Fprintln(b, "  "+wrap(chainWords, 2))
	for i := range a.Chains {
		if c := &a.Chains[i]; c.Why != "" {
			fmt.Fprintf(b, "  %s: %s\n", c.Chain, c.Why)
		}
	}
}

// chainWords name both definitions of a chain's times.
const chainWords = "Reaction is from an input change just missed by a read of the source to the first output that reflects it; reduced age from the read of the source value to the output based on it, overwrite age until the next output replaces that."

func ifBroken(broken bool) string {
	if broken {
		return " BROKEN"
	}
	return ""
}

func (a *System) writeContracts(b *strings.Builder) {
	if len(a.Contracts) == 0 {
		return
	}
	fmt.Fprintf(b, "\nContracts of the file, judged by the run: %s\n", strings.ToUpper(string(a.Verdict)))
	for _, c := range a.Contracts {
		text := fmt.Sprintf("%s %s: %s", c.Subject, c.Limit, c.Result)
		if said := firstOf(c.Why, c.Text); said != "" {
			text += ", " + said
		}
		fmt.Fprintf(b, "  %s\n", wrap(text, 4))
	}
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func (a *System) writeSweep(b *strings.Builder) {
	s := a.Sweep
	if s == nil {
		return
	}
	fmt.Fprintf(b, "\n%s\n", a.swept())
	t := rows(b)
	fmt.Fprintln(t, "  callback\tworst response\tat set\tmost violations\tat set\tmost dropped\tat set")
	for i := range s.Callbacks {
		c := &s.Callbacks[i]
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\t%d\t%s\n", c.Callback, known(c.WorstResponse), setNumber(c.Set), counted(c.Violations), setNumber(c.ViolationsSet), c.Dropped, setNumber(c.DroppedSet))
	}
	t.Flush()
	for i := range s.Worst {
		fmt.Fprintf(b, "  set %d: %s\n", s.Worst[i].Set, wrap(s.Worst[i].said(), 4))
	}
	fmt.Fprintf(b, "  %s\n", wrap(fmt.Sprintf("--phase-set N --seed %d runs one of them again.", a.Given.Seed), 2))
}

// swept says what was swept.
func (a *System) swept() string {
	s := a.Sweep
	adverse := min(s.Adverse, s.Sets)
	return fmt.Sprintf("Worst at %s of phases, %d of them adverse and %d drawn by seed %d, and at those of the run",
		quantity.Count(s.Sets, "set"), adverse, s.Sets-adverse, a.Given.Seed)
}

func setNumber(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// mostPhases is how many phases of a set the text has.
const mostPhases = 8

func (s *PhaseSet) said() string {
	var list []string
	for i, p := range s.Phases {
		if i == mostPhases {
			list = append(list, "...")
			break
		}
		list = append(list, p.Of+" "+exact(p.Phase))
	}
	return s.What + ": " + strings.Join(list, ", ")
}

func (a *System) writeExplanation(b *strings.Builder) {
	e := a.Explanation
	if e == nil {
		return
	}
	fmt.Fprintf(b, "\n%s\n", wrap(e.said(), 0))
	t := rows(b)
	for i := range e.Parts {
		p := &e.Parts[i]
		fmt.Fprintf(t, "  %s\t%s\t%s\n", nanos(p.Length), percent(e.share(p)), spent(p.Cause, p.By))
	}
	t.Flush()
	if len(e.Pieces) > len(e.Parts) {
		fmt.Fprintln(b, "In order, from the release")
		t := rows(b)
		for i, p := range e.Pieces {
			if i == mostPieces {
				fmt.Fprintf(t, "  ... %d more (--json has them)\n", len(e.Pieces)-i+e.Left)
				break
			}
			fmt.Fprintf(t, "  %s\t%s\t%s\n", nanos(p.From), nanos(p.Length), spent(p.Cause, p.By))
		}
		t.Flush()
	}
}

// nanos writes nanoseconds exactly: 150.6 ms.
func nanos(n int64) string {
	text := model.FormatDuration(time.Duration(n))
	at := strings.LastIndexAny(text, "0123456789") + 1
	return text[:at] + " " + text[at:]
}

// exact writes what was nanoseconds before it was seconds.
func exact(s float64) string { return nanos(int64(math.Round(s * 1e9))) }

// mostPieces is how many pieces the text has.
const mostPieces = 12

// share is that of a part in the response.
func (e *Explanation) share(p *SpentPart) float64 {
	return float64(p.Length) / float64(max(e.Response, 1))
}

func (e *Explanation) said() string {
	at := ""
	if e.PhaseSet > 0 {
		at = fmt.Sprintf(" at phase set %d", e.PhaseSet)
	}
	return fmt.Sprintf("The worst response of %s%s is that of run %d: %s, from its release at %s to its end at %s. It is made up of",
		e.Callback, at, e.Run, nanos(e.Response), nanos(e.Release), nanos(e.End))
}

func (a *System) writeGantt(b *strings.Builder) error {
	if a.Gantt == nil {
		return nil
	}
	fmt.Fprintf(b, "\n%s\n", a.Gantt.title())
	return a.Gantt.Chart.Text(b, gantt.TextOptions{Width: textWidth})
}

func (g *SystemGantt) title() string {
	text := "Who runs when"
	if g.Of != "" {
		text += ", around the worst response of " + g.Of
	}
	if g.PhaseSet > 0 {
		text += fmt.Sprintf(", at phase set %d", g.PhaseSet)
	}
	return text
}
