package gazebo

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/takt-rt/takt/internal/golden"
)

// The values of the published article: 0.001 s x 200 Hz is a bound of 0.2,
// x 250 Hz one of 0.25.
func TestClassicUpdateRate(t *testing.T) {
	data, err := os.ReadFile("../../testdata/seeds/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Frames struct {
			Classic []struct {
				StepS  json.Number `json:"max_step_size_s"`
				RateHz json.Number `json:"real_time_update_rate_hz"`
				Bound  json.Number `json:"rtf_bound"`
			} `json:"gazebo_classic"`
		} `json:"frames"`
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Frames.Classic) != 2 {
		t.Fatalf("%d values", len(golden.Frames.Classic))
	}
	for _, g := range golden.Frames.Classic {
		p := newPlan(t, Request{Wish: wish(t, g.Bound.String(), g.StepS.String())})
		if want := "<real_time_update_rate>" + g.RateHz.String() + "</real_time_update_rate>"; p.Worlds[0].Wanted.ClassicFile[1] != want {
			t.Errorf("factor %s: %s, want %s", g.Bound, p.Worlds[0].Wanted.ClassicFile[1], want)
		}
		if got := *classicBound(rat(t, g.StepS.String()), rat(t, g.RateHz.String())); got != float(rat(t, g.Bound.String())) {
			t.Errorf("bound %g, want %s", got, g.Bound)
		}
	}
}

func newPlan(t testing.TB, r Request) *Plan {
	t.Helper()
	p, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The request as the article and gz-sim's source have it, with all three values.
func TestRequest(t *testing.T) {
	w := newPlan(t, Request{File: readWorlds(t, "conveyor.sdf"), Wish: wish(t, "0.2", "")}).Worlds[0].Wanted
	const want = "gz service -s /world/default/set_physics --reqtype gz.msgs.Physics --reptype gz.msgs.Boolean --timeout 2000" +
		" --req 'max_step_size: 0.004, real_time_factor: 0.2, gravity: {x: 0, y: 0, z: -9.8}'"
	if w.SetPhysics != want || w.ListServices != "gz service -l" {
		t.Errorf("%s\nwant\n%s", w.SetPhysics, want)
	}
	const old = "ign service -s /world/default/set_physics --reqtype ignition.msgs.Physics --reptype ignition.msgs.Boolean --timeout 2000"
	if !strings.HasPrefix(w.SetFortress, old+" --req 'max_step_size: 0.004,") {
		t.Errorf("%s\nwant\n%s", w.SetFortress, old)
	}
	if *w.WallPerStepS != 0.02 { // 4 ms / 0.2
		t.Errorf("%g s of wall time a step, want 0.02", *w.WallPerStepS)
	}
}

func TestRequestKeepsTheWorldsGravity(t *testing.T) {
	f := parseText(t, `<sdf><world name="moon"><gravity>0 1e-2 -1.62</gravity></world></sdf>`)
	got := newPlan(t, Request{File: f, Wish: wish(t, "0.5", "0.002")}).Worlds[0].Wanted.SetPhysics
	if want := "'max_step_size: 0.002, real_time_factor: 0.5, gravity: {x: 0, y: 0.01, z: -1.62}'"; !strings.HasSuffix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// AsValidTopic of gz-transport: spaces to underscores, @ ~ // := out.
func TestNamesOfServices(t *testing.T) {
	for world, want := range map[string]string{
		"":            "/world/NAME/set_physics",
		"my world":    "/world/my_world/set_physics",
		"a@b~c//d:=e": "/world/abcde/set_physics",
		"it's; rm":    `'/world/it'\''s;_rm/set_physics'`,
	} {
		if got := shellWord(servicePath(world)); got != want {
			t.Errorf("%q: %s, want %s", world, got, want)
		}
	}
}

// A file at factor 0 that is only given another step has no factor to send:
// one of 0 would be left out by the receiver.
func TestNoRequestForAsFastAsPossible(t *testing.T) {
	p := newPlan(t, Request{File: readWorlds(t, "office.sdf"), Wish: wish(t, "", "0.002")})
	if w := p.Worlds[0].Wanted; w.SetPhysics != "" || w.ClassicFile != nil || w.WallPerStepS != nil {
		t.Errorf("%+v", w)
	}
}

func TestFindings(t *testing.T) {
	physics := func(inner string) string {
		return "<sdf><world name='w'><physics>" + inner + "</physics></world></sdf>"
	}
	for _, c := range []struct {
		name, text, rtf string
		want            string // the ids, in order
	}{
		{"nothing", physics("<max_step_size>0.001</max_step_size>"), "0.2", ""},
		{"two profiles", "<sdf><world name='w'><physics/><physics default='true'/></world></sdf>", "", "physics-profiles"},
		{"Classic's rate", physics("<real_time_update_rate>1000</real_time_update_rate>"), "", "update-rate-ignored"},
		{"as fast as possible", physics("<real_time_factor>0</real_time_factor>"), "", "as-fast-as-possible"},
		{"as good as 0", physics("<real_time_factor>9e-10</real_time_factor>"), "", "as-fast-as-possible"},
		{"plugins without UserCommands", "<sdf><world name='w'><plugin name='gz::sim::systems::Physics' filename='gz-sim-physics-system'/></world></sdf>", "", "set-physics-missing"},
		{"with the old name", "<sdf><world name='w'><plugin name='ignition::gazebo::systems::UserCommands' filename='libignition-gazebo-user-commands-system.so'/></world></sdf>", "", ""},
		{"a plugin of a model", "<sdf><world name='w'><model><plugin name='a'/></model></world></sdf>", "", ""},
		{"2.148 s a step", physics("<max_step_size>0.001</max_step_size>"), "0.0004655", "period-overflow"}, // 1 ms / 0.0004655 = 2.148 s
		{"2.147 s a step", physics("<max_step_size>0.001</max_step_size>"), "0.0004658", ""},                // 2.1468 s
		{"1/60 s, rounded", physics("<max_step_size>0.0166667</max_step_size>"), "", "step-not-exact"},
		{"1/60 s, rounded more", physics("<max_step_size>0.0167</max_step_size>"), "", "step-not-exact"},
		{"1/60 s, to more than ns", physics("<max_step_size>0.016666666666</max_step_size>"), "", "step-not-exact step-cut"},
		{"1/50 s is a decimal", physics("<max_step_size>0.02</max_step_size>"), "", ""},
		{"1.04 ms is no double", physics("<max_step_size>0.00104</max_step_size>"), "", "step-cut"},
	} {
		p := newPlan(t, Request{File: parseText(t, c.text), Wish: wish(t, c.rtf, "")})
		var ids []string
		for _, f := range p.Worlds[0].Findings {
			ids = append(ids, f.ID)
			if f.Subject != "w" || f.Text == "" {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// 60 steps of 0.0166667 s pass 1.000002 s.
func TestStepNotExactSaysByHowMuch(t *testing.T) {
	got := stepFindings("w", rat(t, "0.0166667"))[0].Text
	if want := "a step of 0.0166667 s is not 1/60 s: 60 steps pass 1.000002 s of simulated time, and what is due every 1/60 s takes 1 step"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := stepFindings("w", rat(t, "0.016666"))[0].Text; !strings.HasSuffix(got, "takes 2 steps") {
		t.Error(got)
	}
}

func TestPlanRefuses(t *testing.T) {
	for _, c := range []struct {
		r    Request
		want string
	}{
		{Request{Wish: wish(t, "1e-10", "")}, "for as fast as possible; use a larger one"},
		{Request{Wish: wish(t, "", "1e-10")}, "a step of 0.0000000001 s cannot be used; use one from 1ns to 1h"},
		{Request{Wish: wish(t, "", "3601")}, "a step of 3601 s cannot be used"},
		{Request{Controllers: []*big.Rat{rat(t, "1e-9")}}, "a controller of 0.000000001 Hz cannot be planned"},
		{Request{Controllers: []*big.Rat{rat(t, "1e10")}}, "a controller of 10000000000 Hz cannot be planned"},
		{Request{File: readWorlds(t, "shapes.sdf"), World: "mars"}, `has no world "mars"`},
	} {
		if _, err := New(c.r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A controller's rate in both clocks: 250/3 Hz, at factor 0.2 a fifth of that.
func TestControllerOnTheWall(t *testing.T) {
	p := newPlan(t, Request{File: readWorlds(t, "conveyor.sdf"), Wish: wish(t, "0.2", ""), Controllers: []*big.Rat{rat(t, "100")}})
	c := p.Worlds[0].Controllers[0]
	if c.Steps != 3 || math.Abs(c.GatedHz-250.0/3) > 1e-12 || math.Abs(*c.GatedWallHz-50.0/3) > 1e-12 || *c.StepForS != 0.0025 || *c.StepGivesHz != 100 {
		t.Errorf("%+v", c)
	}
}

// The golden files guard the layout; no line of prose is wider than 100 columns.
func TestGolden(t *testing.T) {
	rates := []*big.Rat{rat(t, "100"), rat(t, "60"), rat(t, "1000")}
	for name, r := range map[string]Request{
		"no-file":         {Wish: wish(t, "0.2", "")},
		"conveyor":        {File: readWorlds(t, "conveyor.sdf"), Wish: wish(t, "0.2", ""), Controllers: rates},
		"save_world":      {File: readWorlds(t, "save_world.sdf"), Wish: wish(t, "0.2", "0.002")},
		"drive_to_pose":   {File: readWorlds(t, "drive_to_pose_controller.sdf")},
		"multiple_worlds": {File: readWorlds(t, "multiple_worlds.sdf"), Controllers: rates[:1]},
	} {
		r.rename()
		p := newPlan(t, r)
		var text, js bytes.Buffer
		if err := p.Text(&text); err != nil {
			t.Fatal(err)
		}
		if err := p.JSON(&js); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, name+".txt", text.Bytes())
		golden.Compare(t, name+".json", js.Bytes())
		for line := range strings.SplitSeq(text.String(), "\n") {
			if utf8.RuneCountInString(line) > width {
				t.Errorf("%s: wider than %d: %s", name, width, line)
			}
		}
	}
}

// rename gives the file the name that a user would type.
func (r *Request) rename() {
	if r.File != nil {
		r.File.Name = strings.TrimPrefix(r.File.Name, "../../")
	}
}

// Names come from outside: nothing of them controls the terminal.
func TestNamesAreHarmless(t *testing.T) {
	f := parseText(t, "<sdf><world name='a\x1b[2J\n\u202eb'/></sdf>")
	var b bytes.Buffer
	if err := newPlan(t, Request{File: f, Wish: wish(t, "0.2", "")}).Text(&b); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\u202e") {
		t.Errorf("%q", b.String())
	}
}

// Without a file the request carries a gravity that may not be the world's.
func TestAssumedGravityIsSaid(t *testing.T) {
	f := newPlan(t, Request{Wish: wish(t, "0.2", "")}).Worlds[0].Findings
	if len(f) != 1 || f[0].ID != "gravity-assumed" {
		t.Errorf("%+v", f)
	}
	if f := newPlan(t, Request{Controllers: []*big.Rat{rat(t, "100")}}).Worlds[0].Findings; len(f) != 0 {
		t.Errorf("nothing is requested: %+v", f)
	}
}
