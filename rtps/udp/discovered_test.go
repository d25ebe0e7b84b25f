package udp

import (
	"sync/atomic"
	"testing"

	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps"
)

// A writer that is withdrawn when a participant is found gives it nothing of
// what it keeps for late readers; another writer beside it does.
func TestWithdrawnWriterGivesNothing(t *testing.T) {
	latched := qos.Policies{Reliability: qos.Reliable, Durability: qos.TransientLocal, History: qos.KeepLast(1)}
	for range 10 {
		var secret atomic.Pointer[Writer]
		c := local()
		c.Discovered = func(e rtps.Event, d *rtps.Directory) *Writer {
			if e.Kind == rtps.ParticipantFound && d.Participant(e.Remote.Prefix) != nil {
				return secret.Load()
			}
			return nil
		}
		a := join(t, c)
		secret.Store(writer(t, a, endpoint("secret", latched)))
		public := writer(t, a, endpoint("public", latched))
		for _, w := range []*Writer{secret.Load(), public} {
			if err := w.Write(within(t), sample(1, 16)); err != nil {
				t.Fatal(err)
			}
		}
		b := join(t, local())
		var betrayed, told atomic.Int64
		reader(t, b, endpoint("secret", latched), func(*rtps.Sample) { betrayed.Add(1) })
		reader(t, b, endpoint("public", latched), func(*rtps.Sample) { told.Add(1) })
		eventually(t, "the public sample arrives", func() bool { return told.Load() > 0 })
		if err := public.Write(within(t), sample(2, 16)); err != nil {
			t.Fatal(err)
		}
		if err := public.WaitAcked(within(t)); err != nil {
			t.Fatal(err)
		}
		if n := betrayed.Load(); n != 0 {
			t.Fatalf("the newcomer got %d samples of the writer that was withdrawn, want none", n)
		}
		if err := secret.Load().Write(within(t), sample(3, 16)); err == nil {
			t.Error("a writer that was withdrawn still writes")
		}
		a.Close()
		b.Close()
	}
}
