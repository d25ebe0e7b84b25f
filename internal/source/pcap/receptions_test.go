package pcap

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/takt-rt/takt/clock"
)

// expectedReception is what a reader got of a stream, by Wireshark's dissection
// of the capture. Fields that are absent there are nil.
type expectedReception struct {
	Reader    string     `json:"reader"`
	Data      *uint64    `json:"data_submessages"`
	Fragments *uint64    `json:"data_frag_submessages"`
	First     int64      `json:"sn_first"`
	Last      int64      `json:"sn_last"`
	Received  *uint64    `json:"sn_received"`
	Missing   [][2]int64 `json:"missing"`
	Late      []struct {
		Sequence int64    `json:"sn"`
		Delay    *float64 `json:"delay_ms"`
	} `json:"late"`
	Repeated *uint64    `json:"repeated_count"`
	FirstAt  *float64   `json:"first_at_s"`
	LastAt   *float64   `json:"last_at_s"`
	AckNacks uint64     `json:"acknacks"`
	Nacked   [][2]int64 `json:"nacked"`
	Acked    int64      `json:"acked_below_last"`
	Silences []struct {
		From float64 `json:"from_s"`
		To   float64 `json:"to_s"`
	} `json:"ack_silences_over_1s"`
	Repaired      [][2]int64 `json:"repaired"`
	NeverRepaired [][2]int64 `json:"nacked_but_never_arrived"`
	RepairDelay   *struct {
		N                int
		Min, Median, Max float64
	} `json:"repair_delay_ms"`
	Complete          []int64            `json:"complete_samples"`
	Incomplete        map[string][]int64 `json:"incomplete_samples"`
	RepeatedFragments uint64             `json:"fragments_repeated"`
	NackFrags         uint64             `json:"nack_frags"`
	NackFragged       []int64            `json:"nack_frag_samples"`
	Delivered         *uint64            `json:"delivered"` // to the application, by its own log
}

// What a reader gets agrees with the dissection, and with what the application
// had: Cyclone DDS lost none of it, but for what a history overwrote.
func checkReceptions(t *testing.T, g *Graph, want expected) {
	t.Helper()
	for _, s := range want.Streams {
		for _, w := range s.Readers {
			r := g.receptions[pair{guid(t, s.Writer), guid(t, w.Reader)}]
			if r == nil {
				t.Errorf("%s: nothing is known of reader %s", s.Topic, w.Reader)
				continue
			}
			t.Run(s.Topic+" at "+r.Reader.Node, func(t *testing.T) {
				if w.Received != nil && *w.Received == 0 {
					if r.Received() != 0 {
						t.Errorf("%d received, want none", r.Received())
					}
					return
				}
				start := clock.Wall(want.First)
				if w.FirstAt != nil && r.Reader.FirstSeen.Sub(start).Seconds() > *w.FirstAt {
					checkLatecomer(t, r, w)
					return
				}
				if s.Last > int64(w.Last) && r.Reader.Left.Set && r.Reader.Left.Value < r.graph.last.Add(-time.Second) {
					checkVisitor(t, r, w)
					return
				}
				checkReception(t, r, w, start)
			})
		}
	}
}

// A reader that left is counted on in the dissection, as what is sent to the
// multicast address goes to its host still. It got what came before.
func checkVisitor(t *testing.T, r *Reception, w expectedReception) {
	if r.Received() != *w.Delivered || int64(r.First()) != w.First || r.Lost+r.Overwritten > 0 ||
		r.AckNacks != w.AckNacks || int64(r.Acked) != w.Acked || int64(r.Last()) != w.Acked-1 {
		t.Errorf("got %+v, want %+v", r, w)
	}
}

// What went to the multicast address before a reader was there is counted in
// the dissection too.
func checkLatecomer(t *testing.T, r *Reception, w expectedReception) {
	if int64(r.First()) <= w.First || int64(r.Last()) != w.Last || len(r.Missing()) > 0 || r.Lost+r.Overwritten > 0 ||
		r.FirstAt < r.Reader.FirstSeen || r.FirstAt.Sub(r.Reader.FirstSeen) > 100*time.Millisecond {
		t.Errorf("got %+v, want %+v", r, w)
	}
}

func checkReception(t *testing.T, r *Reception, w expectedReception, start clock.Wall) {
	messages := uint64(0)
	for _, n := range []*uint64{w.Data, w.Fragments} {
		if n != nil {
			messages += *n
		}
	}
	if r.Messages != messages || r.AckNacks != w.AckNacks || int64(r.Acked) != w.Acked ||
		r.NackFrags != w.NackFrags || r.Fragments.Repeated != w.RepeatedFragments || r.Refused+r.Fragments.Refused != 0 {
		t.Errorf("got %+v, want %+v", r, w)
	}
	same(t, "silences", sinceStart(r.Silences, start), silences(w))
	if w.Fragments != nil {
		checkFragments(t, r, w)
		return
	}
	if r.Received() != *w.Received || w.Repeated != nil && r.Repeated != *w.Repeated {
		t.Errorf("%d received, %d of them again, want %d and %v", r.Received(), r.Repeated, *w.Received, w.Repeated)
	}
	if r.Received() == 0 {
		return
	}
	if int64(r.First()) != w.First || int64(r.Last()) != w.Last {
		t.Errorf("samples %d to %d, want %d to %d", r.First(), r.Last(), w.First, w.Last)
	}
	same(t, "seconds of the first and last", []float64{r.FirstAt.Sub(start).Seconds(), r.LastAt.Sub(start).Seconds()},
		[]float64{*w.FirstAt, *w.LastAt})
	same(t, "missing", pairs(r.Missing()), w.Missing)
	same(t, "nacked", pairs(r.Nacked()), w.Nacked)
	same(t, "repaired", pairs(r.Repaired()), w.Repaired)
	same(t, "never repaired", pairs(r.NeverRepaired()), w.NeverRepaired)
	missing := uint64(0)
	for _, m := range r.Missing() {
		missing += m.Len()
	}
	if r.Lost+r.Overwritten != missing {
		t.Errorf("%d lost, %d overwritten, %d missing", r.Lost, r.Overwritten, missing)
	}
	checkLate(t, r, w)
}

func checkLate(t *testing.T, r *Reception, w expectedReception) {
	var got, want, delays []float64
	for _, l := range r.Late {
		got = append(got, float64(l.Sequence), l.Delay.Value.Seconds()*1e3)
		if l.Delay.Set {
			delays = append(delays, l.Delay.Value.Seconds()*1e3)
		}
	}
	for _, l := range w.Late {
		delay := 0.0
		if l.Delay != nil {
			delay = *l.Delay
		}
		want = append(want, float64(l.Sequence), delay)
	}
	if r.LateCount != uint64(len(w.Late)) {
		t.Errorf("%d late, want %d", r.LateCount, len(w.Late))
	}
	slices.Sort(delays)
	same(t, "late, with the delay in ms", got, want)
	if d := w.RepairDelay; d != nil {
		same(t, "repair delay", []float64{float64(len(delays)), delays[0], delays[len(delays)/2], delays[len(delays)-1]},
			[]float64{float64(d.N), d.Min, d.Median, d.Max})
	}
}

func checkFragments(t *testing.T, r *Reception, w expectedReception) {
	same(t, "complete samples", singles(r.seen.ranges), w.Complete)
	got := map[string][]int64{}
	for _, i := range r.Fragments.Incomplete() {
		got[strconv.FormatInt(int64(i.Sequence), 10)] = singles(i.Missing)
	}
	same(t, "incomplete samples", got, w.Incomplete)
	same(t, "samples nacked in part", singles(r.NackFragged()), w.NackFragged)
	if w.Delivered != nil && r.Received() != *w.Delivered {
		t.Errorf("%d received, %d delivered", r.Received(), *w.Delivered)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	near := cmpopts.EquateApprox(0, 1e-6)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), near); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func pairs(all []Range) (out [][2]int64) {
	for _, r := range all {
		out = append(out, [2]int64{int64(r.First), int64(r.Last)})
	}
	return out
}

func singles(all []Range) (out []int64) {
	for _, r := range all {
		for n := r.First; n <= r.Last; n++ {
			out = append(out, int64(n))
		}
	}
	return out
}

func sinceStart(all []Silence, start clock.Wall) (out []float64) {
	for _, s := range all {
		out = append(out, s.From.Sub(start).Seconds(), s.To.Sub(start).Seconds())
	}
	return out
}

func silences(w expectedReception) (out []float64) {
	for _, s := range w.Silences {
		out = append(out, s.From, s.To)
	}
	return out
}

type expectedCall struct {
	Client    string  `json:"client_id_hex"`
	Sequence  int64   `json:"sequence"`
	At        float64 `json:"request_at_s"`
	RoundTrip float64 `json:"wire_round_trip_ms"`
	Server    float64 `json:"server_time_ms_by_source_time"`
}
