package levels

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

// linux is the address plan of a generic Linux.
func linux() Plan {
	return Plan{
		Range: Band{1, 99}, Pool: Band{10, 49},
		Reserved: []Reserve{{Transport, Band{70, 79}}, {"foreign", Band{99, 99}}},
	}
}

// timer is a group of one timer, named as the group.
func timer(name string, period, cost time.Duration) Group {
	return Group{name, []Callback{{Name: name + "/t", Period: period, Cost: cost}}}
}

// listener is a group of one callback without a rate of its own.
func listener(name string, cost time.Duration) Group {
	return Group{name, []Callback{{Name: name + "/in", Cost: cost}}}
}

func assign(t *testing.T, o Options, groups ...Group) *Result {
	t.Helper()
	o.Plan = linux()
	r, err := Assign(groups, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// want compares levels written "name@priority: group group; ...".
func (r *Result) want(t *testing.T, want string) {
	t.Helper()
	var got []string
	for _, l := range r.Levels {
		var groups []string
		for _, m := range l.Members {
			groups = append(groups, m.Group)
		}
		at := "ordinary"
		if !l.Ordinary {
			at = l.at()[len("priority "):]
		}
		got = append(got, l.Name+"@"+at+": "+strings.Join(groups, " "))
	}
	if got := strings.Join(got, "; "); got != want {
		t.Errorf("levels\n%s\nwant\n%s", got, want)
	}
}

func (r *Result) wantRemark(t *testing.T, subject string, parts ...string) {
	t.Helper()
	for _, m := range r.Remarks {
		if m.Subject == subject && !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(m.Text, p) }) {
			return
		}
	}
	t.Errorf("no remark on %s with %q in %+v", subject, parts, r.Remarks)
}

// The flight controller of scenario S1: attitude and imu on levels of their
// own, telemetry and the service without a rate on the boot level, spread over
// 10..49 as 49, 30, 10.
func TestFlightController(t *testing.T) {
	imu := listener("imu", 300*time.Microsecond)
	r := assign(t, Options{Chains: []Chain{{"imu", "imu_sensor", 5 * ms, []string{"imu/in"}}}},
		timer("telemetry", 100*ms, 5*ms), listener("set_mode", 2*ms), imu, timer("attitude", ms, 800*time.Microsecond))
	r.want(t, "1ms@49: attitude; 5ms@30: imu; boot@10: telemetry set_mode")
	if why := r.Levels[1].Members[0].Why; why != "imu/in every 5ms, inherited from imu_sensor by chain imu" {
		t.Error(why)
	}
	boot := r.Levels[2]
	if !boot.Boot || r.Levels[0].Boot || r.Levels[1].Boot {
		t.Error("the last level alone is the boot level")
	}
	if got := boot.Members[0].Blocking; got != (Blocking{Longest: 2 * ms, By: "set_mode/in"}) {
		t.Errorf("telemetry is blocked by %v", got)
	}
	r.wantRemark(t, "set_mode", "no timing facts", "boot")
}

func TestEqualPeriodsShareALevel(t *testing.T) {
	// 100 Hz twice, one as a rate and one as a period.
	rate := 100.0
	r := assign(t, Options{}, timer("a", time.Duration(1e9/rate), ms), timer("slow", 50*ms, ms), timer("b", 10*ms, ms))
	r.want(t, "10ms@49: a b; boot@10: slow")
}

func TestOrders(t *testing.T) {
	groups := []Group{
		{"camera", []Callback{{Name: "camera/t", Period: 30 * ms, Deadline: 30 * ms, Cost: ms}}},
		{"detect", []Callback{{Name: "detect/in", Deadline: 5 * ms, Cost: ms}}},
		{"act", []Callback{{Name: "act/in", Cost: ms}}},
		{"control", []Callback{{Name: "control/t", Period: 10 * ms, Cost: ms}}},
		{"log", []Callback{{Name: "log/in", Cost: ms}}},
	}
	chains := []Chain{{"see", "camera/t", 30 * ms, []string{"camera/t", "detect/in", "act/in"}}}
	for _, c := range []struct {
		order Order
		want  string
	}{
		{RateMonotonic, "10ms@49: control; boot@10: camera detect act log"},
		{DeadlineMonotonic, "5ms@49: detect; 10ms@30: control; boot@10: camera act log"},
		{ChainAware, "see/3@49: act; see/2@36: detect; see/1@23: camera; boot@10: control log"}, // floor(39/3) apart
	} {
		assign(t, Options{Order: c.order, Chains: chains}, groups...).want(t, c.want)
	}
}

// A callback that two chains share takes the place on the earlier one.
func TestSharedCallbackTakesTheEarlierChain(t *testing.T) {
	r := assign(t, Options{Order: ChainAware, Chains: []Chain{
		{"brake", "a/t", 10 * ms, []string{"a/in", "fuse/in"}},
		{"map", "b/t", 5 * ms, []string{"b/in", "fuse/in", "draw/in"}},
	}}, listener("a", ms), listener("b", ms), listener("fuse", ms), listener("draw", ms))
	r.want(t, "brake/2@49: fuse; brake/1@36: a; map/3@23: draw; boot@10: b")
}

// Of 10 ranks and 8 levels the last three share one.
func TestMoreRanksThanLevels(t *testing.T) {
	var groups []Group
	for i := range 10 {
		groups = append(groups, timer(string(rune('a'+i)), time.Duration(i+1)*10*ms, time.Duration(i+1)*ms))
	}
	r := assign(t, Options{}, groups...)
	if len(r.Levels) != DefaultMaxLevels {
		t.Fatalf("%d levels", len(r.Levels))
	}
	for i, want := range []Blocking{{10 * ms, "j/t", ""}, {10 * ms, "j/t", ""}, {9 * ms, "i/t", ""}} {
		if m := r.Levels[7].Members[i]; m.Group != groups[7+i].Name || !m.Merged || m.Blocking != want {
			t.Errorf("%+v", m)
		}
		r.wantRemark(t, groups[7+i].Name, "merged", "3 least urgent of 10 ranks", want.String())
	}
	_, err := Assign(groups, Options{Strict: true, Plan: linux()})
	wantError(t, err, "10 ranks of groups and 0 pinned levels, but at most 8 levels; allow more, or let the least urgent ranks merge")
}

func TestNodeSitsAtItsFastestRate(t *testing.T) {
	node := Group{"vision", []Callback{{Name: "dnn", Period: 100 * ms, Cost: 20 * ms}, {Name: "grab", Period: 10 * ms, Cost: ms}}}
	r := assign(t, Options{}, node, timer("slow", 50*ms, 0))
	r.want(t, "10ms@49: vision; boot@10: slow")
	r.wantRemark(t, "vision", "at the rate of grab, 10ms", "block grab: 20ms by dnn")
}

func TestUnknownCostMakesBlockingUnknown(t *testing.T) {
	r := assign(t, Options{}, timer("a", 10*ms, ms), timer("b", 10*ms, 0))
	if got := r.Levels[0].Members[0].Blocking.String(); got != "unknown, as b/t has no execution time" {
		t.Error(got)
	}
	if got := r.Levels[0].Members[1].Blocking.String(); got != "1ms by a/t" {
		t.Error(got)
	}
}

func TestNothingIsKnown(t *testing.T) {
	r := assign(t, Options{}, listener("a", ms), listener("b", ms))
	r.want(t, "boot@ordinary: a b")
}

func TestPins(t *testing.T) {
	groups := []Group{timer("a", ms, ms), timer("b", 5*ms, ms), timer("c", 20*ms, ms), timer("slow", 100*ms, ms), listener("x", ms)}
	for _, c := range []struct {
		name string
		pins []Pin
		want string
	}{
		// The published example: 49, 30, 10, and with a pin at 30 the middle one at 29.
		{"a pin in the middle", []Pin{{Name: "drive", Groups: []string{"slow"}, Priority: 30}}, "1ms@49: a; drive@30: slow; 5ms@29: b; boot@10: c x"},
		{"above the transport", []Pin{{"drive", []string{"slow"}, 85, Transport}}, "drive@85: slow; 1ms@49: a; 5ms@30: b; boot@10: c x"},
		{"a level without a priority", []Pin{{Name: "drive", Groups: []string{"b", "x"}}}, "1ms@49: a; drive@36: b x; 20ms@23: c; boot@10: slow"},
		{"the least urgent is a pin", []Pin{{Name: "drive", Groups: []string{"slow"}, Priority: 10}}, "1ms@49: a; 5ms@30: b; 20ms@11: c x; drive@10: slow"},
		{"a name that is taken", []Pin{{Name: "1ms", Groups: []string{"slow"}, Priority: 20}}, "1ms (2)@49: a; 5ms@30: b; 1ms@20: slow; boot@10: c x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assign(t, Options{Pins: c.pins}, groups...).want(t, c.want)
		})
	}
	against := assign(t, Options{Pins: []Pin{{Name: "drive", Groups: []string{"slow"}, Priority: 30}}}, groups...)
	against.wantRemark(t, "drive", "at priority 30 it is more urgent than 5ms at priority 29")
	for _, r := range against.Remarks {
		if strings.Contains(r.Text, "than 1ms") {
			t.Errorf("it does not outrank 1ms: %+v", r)
		}
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}
