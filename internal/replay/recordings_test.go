package replay_test

import (
	"testing"

	"github.com/takt-rt/takt/internal/replay"
	"github.com/takt-rt/takt/internal/source/ctf"
	"github.com/takt-rt/takt/sched"
)

const recordings = "../../testdata/recordings/ctf/"

// record reads a trace of the recordings.
func record(t *testing.T, name string) *replay.Recorder {
	t.Helper()
	src, err := ctf.Open(recordings+name, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	r := replay.NewRecorder()
	if _, err := src.Run(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return r
}

func run(t *testing.T, name string, opt replay.Options) *replay.Result {
	t.Helper()
	res, err := replay.Replay(record(t, name), opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// The jobs are the callback_start events that babeltrace2 counts. Every start
// that is not equal is one of the few which nothing in the trace explains: late,
// by the wake-up of a thread or a sample sent again; and one out of order, after
// such a sample.
func TestRecordings(t *testing.T) {
	for _, c := range []struct {
		name              string
		jobs, late, order int
	}{
		{"talker-listener", 23, 0, 0},
		{"two-talkers", 41, 0, 0},
		{"pipeline-3-timers", 671, 0, 0},
		{"pipeline-cyclonedds", 508, 0, 0},
		{"pipeline-fastrtps", 549, 0, 0},
		{"intra-process-cycle", 22, 0, 0},
		{"jazzy-slow-timer", 1192, 8, 1},
	} {
		res := run(t, c.name, replay.Options{})
		if res.Jobs != c.jobs || res.Left != 0 || res.Reasons[replay.Late] != c.late || res.Reasons[replay.Order] != c.order || res.Equal != c.jobs-c.late-c.order {
			t.Errorf("%s: %d jobs, %d left, %d equal, %v; want %d jobs, %d late, %d out of order, the others equal", c.name, res.Jobs, res.Left, res.Equal, res.Reasons, c.jobs, c.late, c.order)
		}
	}
}

// In jazzy-slow-timer the timer of 10 ms skips releases while its callback
// sleeps, 19 times. A rule that makes up for them has the callback ready at once.
func TestRuleThatSkipsNothingDisagrees(t *testing.T) {
	rule := replay.WaitSet()
	rule.NoSkip = true
	right := run(t, "jazzy-slow-timer", replay.Options{}).Reasons[replay.Late]
	wrong := run(t, "jazzy-slow-timer", replay.Options{Single: rule}).Reasons[replay.Late]
	if wrong < right+15 {
		t.Errorf("%d late starts by a rule that skips nothing, %d by rcl's; want at least 15 more", wrong, right)
	}
}

func TestNothingToReplay(t *testing.T) {
	res, err := replay.Replay(replay.NewRecorder(), replay.Options{})
	if err != nil || res.Jobs != 0 || len(res.Findings) != 1 || res.Findings[0].ID != "replay-nothing" {
		t.Errorf("%+v, %v; want the finding replay-nothing", res, err)
	}
}

// Wrong rules must not fit: an events executor serves in the order of arrival,
// a group of a multi-threaded executor looks anew before every dispatch. Where
// two callbacks are hardly ever ready together no trace can tell.
func TestWrongRulesDisagree(t *testing.T) {
	events := replay.Rule{Name: "events", Each: true, NoSkip: true, New: func(c []sched.Callback) (sched.Machine, error) { return sched.NewEvents(c) }}
	for _, c := range []struct {
		name  string
		opt   replay.Options
		least int // out of order
	}{
		{"intra-process-cycle", replay.Options{Single: events}, 5},
		{"intra-process-cycle", replay.Options{Single: replay.Group()}, 5},
		{"pipeline-3-timers", replay.Options{Multi: events}, 1},
		{"pipeline-3-timers", replay.Options{Multi: replay.WaitSet()}, 1},
		{"pipeline-cyclonedds", replay.Options{Multi: events}, 1},
		{"pipeline-fastrtps", replay.Options{Multi: events}, 1},
	} {
		if n := run(t, c.name, c.opt).Reasons[replay.Order]; n < c.least {
			t.Errorf("%s by a wrong rule: %d out of order, want %d or more", c.name, n, c.least)
		}
	}
}
