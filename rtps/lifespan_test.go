package rtps

import (
	"errors"
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
	"github.com/takt-rt/takt/qos"
	"github.com/takt-rt/takt/rtps/wire"
)

// TestExpiredSamplesAreNotRepaired: of samples at 0 and 60 ms that live 100 ms
// the first is gone just after 100 ms.
func TestExpiredSamplesAreNotRepaired(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepLast(9), TransientLocal: true, Lifespan: 100 * time.Millisecond, Heartbeat: time.Hour})
	w.w.Match(w.now, reader1, true, true)
	w.write(1)
	w.run(60 * time.Millisecond)
	w.write(1)
	w.run(40 * time.Millisecond)
	w.sent = nil
	w.ack(reader1, false, 1, 1)
	w.run(0)
	w.want("2 data 1", "2 heartbeat 1..2!")
	w.run(5 * time.Millisecond)
	w.ack(reader1, false, 1, 1, 2)
	w.run(0)
	w.want("2 gap 1..1", "2 data 2", "2 heartbeat 2..2!")
}

// TestExpiredSamplesGiveRoom in a history that keeps everything, and a reader
// that lacks them is told by the next heartbeat.
func TestExpiredSamplesGiveRoom(t *testing.T) {
	w := newWriterTest(t, WriterConfig{History: qos.KeepAll(), Limit: 2, Lifespan: 10 * time.Millisecond})
	w.w.Match(w.now, reader1, true, false)
	w.ack(reader1, true, 1)
	w.write(2)
	if _, err := w.w.Write(w.now, nil, Change{}); !errors.Is(err, ErrFull) {
		t.Fatalf("a third sample at once: %v, want ErrFull", err)
	}
	w.run(10*time.Millisecond + 1)
	w.sent = nil
	w.write(1)
	w.want("* data 3", "* heartbeat 3..3!")
}

// TestExpiredAtTheReader: written at 10 s by the writer's clock, with a
// lifespan of 100 ms.
func TestExpiredAtTheReader(t *testing.T) {
	at := clock.Wall(10 * time.Second)
	s := Sample{Source: wire.Some(wire.TimestampOf(at))}
	for _, c := range []struct {
		age, lifespan time.Duration
		want          bool
	}{
		{100 * time.Millisecond, 100 * time.Millisecond, false},
		{100*time.Millisecond + 1, 100 * time.Millisecond, true},
		{-time.Second, 100 * time.Millisecond, false}, // its clock is ahead
		{time.Hour, 0, false},
	} {
		if got := s.Expired(at.Add(c.age), c.lifespan); got != c.want {
			t.Errorf("age %v, lifespan %v: expired %v", c.age, c.lifespan, got)
		}
	}
	if (&Sample{}).Expired(at, 1) {
		t.Error("a sample without a source timestamp expired")
	}
}
