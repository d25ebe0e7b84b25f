package qos

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A matrix has a row for each offered value and in it a column for each
// requested one: y if DDS 1.4, 2.2.3, lets the two connect, n if not.
type matrix []string

// wantMatrix tries every pair of n values that set puts into policies.
func wantMatrix(t *testing.T, p Policy, want matrix, set func(*Policies, int)) {
	t.Helper()
	for o := range want {
		for r := range want {
			var offered, requested Policies
			set(&offered, o)
			set(&requested, r)
			var policies []Policy
			if want[o][r] == 'n' {
				policies = []Policy{p}
			}
			if got := policiesOf(Match(offered, requested)); !slices.Equal(got, policies) {
				t.Errorf("%v: value %d offered, %d requested: mismatches %v, want %v", p, o, r, got, policies)
			}
		}
	}
}

func policiesOf(all []Mismatch) (ps []Policy) {
	for _, m := range all {
		ps = append(ps, m.Policy)
	}
	return ps
}

func TestOrderedKinds(t *testing.T) {
	two := matrix{"yn", "yy"}
	three := matrix{"ynn", "yyn", "yyy"}
	four := matrix{"ynnn", "yynn", "yyyn", "yyyy"}
	wantMatrix(t, ReliabilityPolicy, two, func(p *Policies, i int) {
		p.Reliability = []Reliability{BestEffort, Reliable}[i]
	})
	wantMatrix(t, DurabilityPolicy, four, func(p *Policies, i int) {
		p.Durability = []Durability{Volatile, TransientLocal, Transient, Persistent}[i]
	})
	wantMatrix(t, LivelinessPolicy, three, func(p *Policies, i int) {
		p.Liveliness = []Liveliness{Automatic, ManualByParticipant, ManualByTopic}[i]
	})
	wantMatrix(t, DestinationOrderPolicy, two, func(p *Policies, i int) {
		p.DestinationOrder = []DestinationOrder{ByReception, BySource}[i]
	})
	wantMatrix(t, PresentationPolicy, three, func(p *Policies, i int) {
		p.Presentation.Scope = []Scope{InstanceScope, TopicScope, GroupScope}[i]
	})
	wantMatrix(t, PresentationPolicy, two, func(p *Policies, i int) { p.Presentation.Coherent = i == 1 })
	wantMatrix(t, PresentationPolicy, two, func(p *Policies, i int) { p.Presentation.Ordered = i == 1 })
}

func TestOwnershipMustBeEqual(t *testing.T) {
	wantMatrix(t, OwnershipPolicy, matrix{"yn", "ny"}, func(p *Policies, i int) {
		p.Ownership = []Ownership{Shared, Exclusive}[i]
	})
}

// An offer may not be longer than the request; infinite is the longest.
func TestTimes(t *testing.T) {
	limits := []Limit{{}, Within(time.Second), Within(time.Second - 1), Within(0)}
	want := matrix{
		"ynnn", // infinite offered
		"yynn",
		"yyyn",
		"yyyy", // none at all
	}
	wantMatrix(t, DeadlinePolicy, want, func(p *Policies, i int) { p.Deadline = limits[i] })
	wantMatrix(t, LivelinessPolicy, want, func(p *Policies, i int) { p.Lease = limits[i] })
	budgets := []time.Duration{math.MaxInt64, time.Second, time.Second - 1, 0}
	wantMatrix(t, LatencyBudgetPolicy, want, func(p *Policies, i int) { p.LatencyBudget = budgets[i] })
}

// The first that a writer offers must be among those that the reader reads
// (DDS-XTypes 1.3, 7.6.3.1.2); no list means XCDR1.
func TestRepresentation(t *testing.T) {
	lists := [][]Representation{nil, {XCDR1}, {XCDR2}, {XCDR1, XCDR2}, {XCDR2, XCDR1}, {XML}}
	wantMatrix(t, RepresentationPolicy, matrix{
		"yynyyn", // offers XCDR1, by default
		"yynyyn", // XCDR1
		"nnyyyn", // XCDR2
		"yynyyn", // XCDR1 first
		"nnyyyn", // XCDR2 first
		"nnnnny", // XML
	}, func(p *Policies, i int) { p.Representation = lists[i] })
}

func TestWhatIsNotCompared(t *testing.T) {
	a := Policies{History: KeepAll(), Lifespan: Within(time.Second), MinSeparation: time.Second, Strength: 3}
	if got := append(Match(a, Policies{}), Match(Policies{}, a)...); len(got) != 0 {
		t.Errorf("history, lifespan, time based filter and strength are not compared, got %v", got)
	}
}

func TestDefaultsConnect(t *testing.T) {
	if got := Match(DefaultWriter(), DefaultReader()); len(got) != 0 {
		t.Errorf("default writer and reader: %v", got)
	}
}

// A pair without a common partition raises no status, whatever else differs.
func TestPartitionIsNoIncompatibility(t *testing.T) {
	o := Policies{Partition: []string{"left"}}
	r := Policies{Partition: []string{"right"}, Reliability: Reliable, Durability: TransientLocal}
	if got, want := policiesOf(Match(o, r)), []Policy{DurabilityPolicy, PartitionPolicy, ReliabilityPolicy}; !slices.Equal(got, want) {
		t.Errorf("Match names %v, want %v", got, want)
	}
	if got, want := policiesOf(Incompatible(o, r)), []Policy{DurabilityPolicy, ReliabilityPolicy}; !slices.Equal(got, want) {
		t.Errorf("Incompatible names %v, want %v", got, want)
	}
}

func TestMismatchInWords(t *testing.T) {
	ms := func(n int) Limit { return Within(time.Duration(n) * time.Millisecond) }
	for _, c := range []struct {
		offered, requested Policies
		want               string // completes "the reader wants ": the rest is the same for all
	}{
		{Policies{}, Policies{Reliability: Reliable}, "reliable, the writer offers best effort"},
		{Policies{}, Policies{Durability: TransientLocal}, "transient local, the writer offers volatile"},
		{Policies{Deadline: ms(200)}, Policies{Deadline: ms(100)}, "a sample every 100ms, the writer offers a sample every 200ms"},
		{Policies{}, Policies{Deadline: ms(100)}, "a sample every 100ms, the writer offers no deadline"},
		{Policies{LatencyBudget: time.Millisecond}, Policies{}, "a latency budget of 0s, the writer offers a latency budget of 1ms"},
		{Policies{Ownership: Exclusive}, Policies{}, "shared ownership, the writer offers exclusive ownership"},
		{Policies{}, Policies{Liveliness: ManualByTopic, Lease: ms(1500)},
			"manual by topic liveliness within 1.5s, the writer offers automatic liveliness without a lease"},
		{Policies{Partition: []string{"a", "b*"}}, Policies{}, `partition "", the writer offers partition "a" or "b*"`},
		{Policies{}, Policies{DestinationOrder: BySource}, "order by source, the writer offers order by reception"},
		{Policies{}, Policies{Presentation: Presentation{GroupScope, true, true}},
			"group presentation, coherent, ordered, the writer offers instance presentation"},
		{Policies{Representation: []Representation{XCDR2, XCDR1}}, Policies{}, "XCDR1, the writer offers XCDR2"},
		{Policies{Representation: []Representation{7}}, Policies{Representation: []Representation{XCDR1, XCDR2}},
			"XCDR1 or XCDR2, the writer offers unknown (7)"},
	} {
		got := Match(c.offered, c.requested)
		want := "the reader wants " + c.want + ": they never connect"
		if len(got) != 1 || got[0].String() != want {
			t.Errorf("got  %v\nwant %s", got, want)
		}
	}
}

func TestWordsAndRemedyNameTheTwo(t *testing.T) {
	m := Match(Policies{}, Policies{Reliability: Reliable})[0]
	if got, want := m.Words("/lidar", "/driver"), "/lidar wants reliable, /driver offers best effort: they never connect"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := m.Remedy("/lidar", "/driver"), "let /driver offer reliable, or /lidar want best effort"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

var (
	anyLimit = rapid.Custom(func(t *rapid.T) Limit {
		return Within(time.Duration(rapid.SampledFrom([]int64{0, 1, 5, 10, math.MaxInt64}).Draw(t, "limit")))
	})
	anyPartition = rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "ab", "a*", "?", "[ab]"}), 0, 3)
)

func anyPolicies(t *rapid.T, name string) Policies {
	upTo := func(n int) int { return rapid.IntRange(0, n).Draw(t, name) }
	return Policies{
		Reliability:      Reliability(upTo(1)),
		Durability:       Durability(upTo(3)),
		Deadline:         anyLimit.Draw(t, name),
		Liveliness:       Liveliness(upTo(2)),
		Lease:            anyLimit.Draw(t, name),
		Ownership:        Ownership(upTo(1)),
		Partition:        anyPartition.Draw(t, name),
		Presentation:     Presentation{Scope(upTo(2)), upTo(1) == 1, upTo(1) == 1},
		DestinationOrder: DestinationOrder(upTo(1)),
		LatencyBudget:    time.Duration(upTo(3)),
		Representation:   rapid.SliceOfN(rapid.SampledFrom([]Representation{XCDR1, XML, XCDR2}), 0, 3).Draw(t, name),
	}
}

// stronger returns policies that promise at least what p does. Ownership and
// the first representation have no order and stay.
func stronger(t *rapid.T, p Policies) Policies {
	q := anyPolicies(t, "stronger")
	q.Reliability = max(q.Reliability, p.Reliability)
	q.Durability = max(q.Durability, p.Durability)
	q.Liveliness = max(q.Liveliness, p.Liveliness)
	q.DestinationOrder = max(q.DestinationOrder, p.DestinationOrder)
	q.Presentation.Scope = max(q.Presentation.Scope, p.Presentation.Scope)
	q.Presentation.Coherent = q.Presentation.Coherent || p.Presentation.Coherent
	q.Presentation.Ordered = q.Presentation.Ordered || p.Presentation.Ordered
	q.LatencyBudget = min(q.LatencyBudget, p.LatencyBudget)
	q.Deadline = shorter(q.Deadline, p.Deadline)
	q.Lease = shorter(q.Lease, p.Lease)
	q.Ownership = p.Ownership
	q.Representation = p.Representation
	if len(p.Partition) > 0 {
		q.Partition = append(q.Partition, p.Partition...)
	} else {
		q.Partition = append(q.Partition, "") // what none stands for
	}
	return q
}

func shorter(a, b Limit) Limit {
	if a.AtMost(b) {
		return a
	}
	return b
}

// Strengthening an offer never breaks a match, policy by policy; nor does
// weakening a request.
func TestMatchIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weak := anyPolicies(t, "weak")
		strong := stronger(t, weak)
		other := anyPolicies(t, "other")
		wantSubset(t, "a stronger offer", Match(strong, other), Match(weak, other))

		weak.Partition = strong.Partition // more names bring more matches on either side
		wantSubset(t, "a weaker request", Match(other, weak), Match(other, strong))
	})
}

func wantSubset(t *rapid.T, what string, got, of []Mismatch) {
	for _, m := range got {
		if !slices.Contains(policiesOf(of), m.Policy) {
			t.Fatalf("%s brings a mismatch: %v", what, m)
		}
	}
}

// The policies are judged one by one: a pair differs in exactly those in which
// two endpoints that are otherwise default differ.
func TestPoliciesAreIndependent(t *testing.T) {
	parts := map[Policy]func(to *Policies, from Policies){
		DurabilityPolicy:       func(to *Policies, from Policies) { to.Durability = from.Durability },
		PresentationPolicy:     func(to *Policies, from Policies) { to.Presentation = from.Presentation },
		DeadlinePolicy:         func(to *Policies, from Policies) { to.Deadline = from.Deadline },
		LatencyBudgetPolicy:    func(to *Policies, from Policies) { to.LatencyBudget = from.LatencyBudget },
		OwnershipPolicy:        func(to *Policies, from Policies) { to.Ownership = from.Ownership },
		LivelinessPolicy:       func(to *Policies, from Policies) { to.Liveliness, to.Lease = from.Liveliness, from.Lease },
		PartitionPolicy:        func(to *Policies, from Policies) { to.Partition = from.Partition },
		ReliabilityPolicy:      func(to *Policies, from Policies) { to.Reliability = from.Reliability },
		DestinationOrderPolicy: func(to *Policies, from Policies) { to.DestinationOrder = from.DestinationOrder },
		RepresentationPolicy:   func(to *Policies, from Policies) { to.Representation = from.Representation },
	}
	rapid.Check(t, func(t *rapid.T) {
		offered, requested := anyPolicies(t, "offered"), anyPolicies(t, "requested")
		var want []Policy
		for policy, copyPart := range parts {
			var o, r Policies
			copyPart(&o, offered)
			copyPart(&r, requested)
			if len(Match(o, r)) > 0 {
				want = append(want, policy)
			}
		}
		slices.Sort(want)
		if got := policiesOf(Match(offered, requested)); !slices.Equal(got, want) {
			t.Fatalf("mismatches %v, one by one %v", got, want)
		}
	})
}

// Fast DDS has no word of these in the function that matches; all others it compares.
func TestComparedByFastDDS(t *testing.T) {
	var ignored []string
	for p, name := range policyNames {
		if !p.ComparedByFastDDS() {
			ignored = append(ignored, name)
		}
	}
	slices.Sort(ignored)
	if got, want := strings.Join(ignored, ", "), "destination order, latency budget, presentation"; got != want {
		t.Errorf("ignored: %s, want %s", got, want)
	}
}

func BenchmarkMatch(b *testing.B) {
	offered, requested := DefaultWriter(), DefaultReader()
	b.ReportAllocs()
	for b.Loop() {
		Match(offered, requested)
	}
}
