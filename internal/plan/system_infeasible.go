package plan

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// InfeasibleFinding is the ID of the findings that say what is asked for more
// than it has: what no order of callbacks mends.
const InfeasibleFinding = "infeasible"

// infeasible says what is asked for more than it has, and the remedies: first
// the threads, as no number of CPUs mends those.
func (l *load) infeasible() (list []timeline.Finding) {
	for i := range l.threads {
		if l.overThread(i) {
			list = append(list, l.threadOver(i))
		}
	}
	for i, t := range l.perCPU {
		if over(t, 1) {
			list = append(list, l.cpuOver(i))
		}
	}
	if over(l.all, l.cpus) {
		list = append(list, l.allOver())
	}
	return list
}

func tooMuch(subject, text, remedy string) timeline.Finding {
	return timeline.Finding{ID: InfeasibleFinding, Severity: timeline.Error, Subject: subject, Text: text, Remedy: remedy}
}

func (l *load) threadOver(i int) timeline.Finding {
	t, sum := &l.threads[i], l.perThread[i]
	has := cmp.Or(t.width, 1)
	text := fmt.Sprintf("Its callbacks demand %s, and a thread is on one CPU at a time", sum.said())
	if has > 1 {
		text = fmt.Sprintf("Its callbacks demand %s, and it has %d threads", sum.said(), has)
	}
	remedy := l.cut(t.callbacks, sum, has)
	if len(t.callbacks) > 1 {
		remedy = "Spread its callbacks over more threads: other levels, executors or groups. Or " + remedy
	}
	return tooMuch(t.name, text+sum.lasting(has), capital(remedy))
}

func (l *load) cpuOver(i int) timeline.Finding {
	var on []string
	for _, t := range l.threads {
		if t.cpu == i+1 {
			on = append(on, t.callbacks...)
		}
	}
	sum := l.perCPU[i]
	return tooMuch(fmt.Sprintf("CPU %d", i+1), fmt.Sprintf("The threads pinned to it demand %s of its 1", sum.said())+sum.lasting(1),
		"Pin a thread to another CPU. Or "+l.cut(on, sum, 1))
}

func (l *load) allOver() timeline.Finding {
	var all []string
	for _, c := range l.refs {
		all = append(all, c.name)
	}
	needed := ceil(maximum(l.all.worst, l.all.typical))
	return tooMuch("CPUs", fmt.Sprintf("The callbacks demand %s, and there %s", l.all.said(), areCPUs(l.cpus))+l.all.lasting(l.cpus),
		fmt.Sprintf("Give the system %s. Or %s", quantity.Count(needed, "CPU"), l.cut(all, l.all, l.cpus)))
}

func areCPUs(n int) string {
	if n == 1 {
		return "is 1 CPU"
	}
	return fmt.Sprintf("are %d", n)
}

// said writes the worst demand, and the typical one if it is another.
func (t *total) said() string {
	text := rounded(t.worst) + " CPUs"
	if len(t.unknown) > 0 {
		text = "at least " + text
	}
	if t.worst.Cmp(t.typical) != 0 {
		text += fmt.Sprintf(" at worst (%s typically)", rounded(t.typical))
	}
	return text
}

// lasting says whether the excess lasts.
func (t *total) lasting(has int) string {
	if t.typical.Cmp(big.NewRat(int64(has), 1)) > 0 {
		return ": what is behind falls further behind, and releases are skipped or wait without end whatever the priorities are."
	}
	return ": while runs take their worst times it falls behind, whatever the priorities are."
}

// rounded writes a number of CPUs to two decimals, upwards, so that what is
// over does not look as if it were not.
func rounded(x *big.Rat) string {
	hundredths := ceil(new(big.Rat).Mul(x, big.NewRat(100, 1)))
	return trim(big.NewRat(int64(hundredths), 100).FloatString(2))
}

func ceil(x *big.Rat) int {
	q, rest := new(big.Int).DivMod(x.Num(), x.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return int(q.Int64())
}

func maximum(x, y *big.Rat) *big.Rat {
	if x.Cmp(y) > 0 {
		return x
	}
	return y
}

// cut says by how much the demand must go down, and what would do: the callback
// that demands most, with as much execution time, or as long from run to run, as
// the others leave it. If it cannot make room alone, the greatest are named.
func (l *load) cut(names []string, sum total, has int) string {
	most := l.greatest(names)
	excess := new(big.Rat).Sub(maximum(sum.worst, sum.typical), big.NewRat(int64(has), 1))
	text := fmt.Sprintf("take %s of a CPU off the callbacks", rounded(excess))
	if excess.Cmp(big.NewRat(1, 1)) >= 0 {
		text = fmt.Sprintf("take %s CPUs off the callbacks", rounded(excess))
	}
	first := most[0]
	left := new(big.Rat).Sub(l.most(first), excess)
	hz, run := l.rates.callbacks[first], l.run(first)
	if left.Sign() <= 0 || hz == nil || run == nil {
		return text + ": " + l.listed(most) + "."
	}
	execution := time.Duration(floor(new(big.Rat).Mul(new(big.Rat).Quo(left, hz), perSecond)))
	interval := time.Duration(ceil(new(big.Rat).Mul(new(big.Rat).Quo(run, left), perSecond)))
	return fmt.Sprintf("%s: %s. %s fits with at most %s a run instead of %s, or with a run every %s instead of every %s.",
		text, l.listed(most), first, short(execution.Seconds()), short(ratio(run)), short(interval.Seconds()), short(ratio(new(big.Rat).Inv(hz))))
}

// perSecond is how many nanoseconds a second has.
var perSecond = big.NewRat(int64(time.Second), 1)

func floor(x *big.Rat) int64 { return new(big.Int).Div(x.Num(), x.Denom()).Int64() }

// most is the greater of a callback's demands, and run what one run of it
// takes, by the same measure.
func (l *load) most(name string) *big.Rat { return greater(l.demands[name]) }
func (l *load) run(name string) *big.Rat  { return greater(l.runs[name]) }

func greater(d demand) *big.Rat {
	switch {
	case d.worst == nil:
		return d.typical
	case d.typical == nil:
		return d.worst
	}
	return maximum(d.worst, d.typical)
}

// namedMost is how many callbacks a remedy names.
const namedMost = 3

// greatest returns the callbacks whose demand is known, the greatest first.
func (l *load) greatest(names []string) []string {
	list := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return l.most(n) == nil })
	slices.SortStableFunc(list, func(a, b string) int { return l.most(b).Cmp(l.most(a)) })
	return list[:min(len(list), namedMost)]
}

func (l *load) listed(names []string) string {
	var list []string
	for _, n := range names {
		list = append(list, fmt.Sprintf("%s demands %s", n, rounded(l.most(n))))
	}
	return strings.Join(list, ", ")
}
