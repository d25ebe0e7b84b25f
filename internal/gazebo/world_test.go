package gazebo

import (
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const worlds = "../../testdata/worlds/"

func readWorlds(t testing.TB, name string) *File {
	t.Helper()
	f, err := Read(worlds + name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func parseText(t testing.TB, text string) *File {
	t.Helper()
	f, err := Parse("x.sdf", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What the files say, read in an editor; "" is not given.
var contents = []struct {
	file, world  string
	profiles     int
	physics      string
	step, rtf    string
	rate         string
	gravity      string
	plugins      bool
	userCommands bool
}{
	{"conveyor.sdf", "default", 1, "4ms", "0.004", "1", "", "", true, true},
	{"drive_to_pose_controller.sdf", "drive_to_pose_controller", 1, "default_physics", "0.01", "1", "100", "0 0 -9.8", true, false},
	{"event_trigger.sdf", "default", 1, "fast", "", "0", "", "", true, false},
	{"multiple_worlds.sdf", "world_one", 1, "default", "0.001", "2", "", "", true, false},
	{"multiple_worlds.sdf", "world_two", 1, "default", "0.005", "0", "", "", true, false},
	{"multiple_worlds.sdf", "world_three", 1, "default", "0.02", "0.5", "", "", true, false},
	{"navsat.sdf", "navsat_sensor", 1, "fast", "0.02", "0", "", "", true, false},
	{"office.sdf", "office_world", 1, "10ms", "0.01", "0", "", "", true, true},
	{"physics_options.sdf", "physics_options", 1, "test", "", "0", "", "", true, false},
	{"save_world.sdf", "save_world", 2, "fast", "", "0", "", "0 0 -9.8", true, true},
	{"shapes.sdf", "shapes", 0, "", "", "", "", "", false, false},
	{"tracked_vehicle_simple.sdf", "default", 1, "4ms", "0.004", "1", "", "0 0 -9.8", true, true},
}

func given(x *big.Rat) string {
	if x == nil {
		return ""
	}
	return decimal(x)
}

func TestWorldsAreRead(t *testing.T) {
	for _, c := range contents {
		w, err := readWorlds(t, c.file).Select(c.world)
		if err != nil {
			t.Error(err)
			continue
		}
		p := w.Physics()
		if p == nil {
			p = &Physics{}
		}
		gravity := ""
		if w.GravityGiven {
			gravity = strings.Join([]string{decimal(w.Gravity[0]), decimal(w.Gravity[1]), decimal(w.Gravity[2])}, " ")
		}
		got := []any{len(w.Profiles), p.Name, given(p.Step), given(p.RTF), given(p.UpdateRate), gravity, w.Plugins, w.UserCommands}
		for i, want := range []any{c.profiles, c.physics, c.step, c.rtf, c.rate, c.gravity, c.plugins, c.userCommands} {
			if got[i] != want {
				t.Errorf("%s, %s: %v, want %v (value %d)", c.file, c.world, got[i], want, i)
			}
		}
	}
	files, _ := filepath.Glob(worlds + "*.sdf")
	if len(files) != 10 {
		t.Errorf("%d worlds, want 10", len(files))
	}
}

func TestWhichProfileIsRead(t *testing.T) {
	const two = `<sdf><world name="w"><physics name="a"/><physics name="b" default="true"/></world></sdf>`
	w := parseText(t, two).Worlds[0]
	if w.Physics().Name != "a" || w.ClassicPhysics().Name != "b" {
		t.Errorf("gz-sim reads %s, Classic %s; want a, b", w.Physics().Name, w.ClassicPhysics().Name)
	}
	w = parseText(t, strings.Replace(two, `default="true"`, `default="0"`, 1)).Worlds[0]
	if w.Physics().Name != "a" || w.ClassicPhysics().Name != "a" {
		t.Errorf("none is marked: gz-sim reads %s, Classic %s; want a, a", w.Physics().Name, w.ClassicPhysics().Name)
	}
}

// What Gazebo's parser takes, and a strict one does not.
func TestLenientWhereGazeboIs(t *testing.T) {
	for name, text := range map[string]string{
		"dashes in a comment":  `<sdf><!-- ---- ground ---- --><world name="w"><physics><max_step_size>0.004</max_step_size></physics></world></sdf>`,
		"a bare ampersand":     `<sdf><world name="w"><a>x & y</a><physics><max_step_size>0.004</max_step_size></physics></world></sdf>`,
		"a comment before":     `<sdf><world name="w"><physics><max_step_size><!-- 0.001 --> 4e-3 </max_step_size></physics></world></sdf>`,
		"CDATA":                `<sdf><world name="w"><physics><max_step_size><![CDATA[.004]]></max_step_size></physics></world></sdf>`,
		"a BOM, CRLF, doctype": "\xef\xbb\xbf<?xml version='1.0'?>\r\n<!DOCTYPE sdf>\r\n<sdf>\r\n<world name='w'>\r\n<physics>\r\n<max_step_size>\r\n0.0040\r\n</max_step_size></physics></world></sdf>",
		"the first of two":     `<sdf><world name="w"><physics><max_step_size>0.004</max_step_size><max_step_size>1</max_step_size></physics></world></sdf>`,
		"> in an attribute":    `<sdf><world name="w" note='a>"b'><physics  ><max_step_size >+0.004</max_step_size ></physics></world></sdf>`,
		"Latin-1":              "<?xml version='1.0' encoding='ISO-8859-1'?><sdf><world name='w'><!-- f\xfcr --><physics><max_step_size>0.004</max_step_size></physics></world></sdf>",
	} {
		f, err := Parse("x.sdf", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := given(f.Worlds[0].Physics().Step); got != "0.004" {
			t.Errorf("%s: step %q, want 0.004", name, got)
		}
	}
	if name := parseText(t, `<sdf><world name="a &amp; &quot;b&quot;"/></sdf>`).Worlds[0].Name; name != `a & "b"` {
		t.Errorf("the world is %q", name)
	}
}

// Each refusal names the place and the remedy.
func TestRefusals(t *testing.T) {
	physics := func(inner string) string {
		return "<sdf>\n <world name='w'>\n  <physics>\n   " + inner + "\n  </physics>\n </world>\n</sdf>"
	}
	for _, c := range []struct{ text, want string }{
		{"", "x.sdf: is no XML: it has no element"},
		{"hello", "x.sdf: is no XML: it has no element"},
		{"\xff\xfe<\x00s\x00", "x.sdf: is UTF-16; write it in UTF-8"},
		{"<?xml version='1.0'?>\n<robot name='r'/>", "x.sdf:2:1: the first element is <robot>; name the world file: a robot description (URDF, xacro)"},
		{"<launch/>", "x.sdf:1:1: the first element is <launch>; name an SDF world file"},
		{"<sdf xmlns:xacro='http://ros.org/wiki/xacro'><world name='w'/></sdf>", "x.sdf:1:1: is a xacro file; expand it first"},
		{"<sdf>\n<model name='m'/></sdf>", "x.sdf:1:1: has no <world>; name the world file that includes it"},
		{"<sdf><include/></sdf>", "has no <world>"},
		{"<sdf>\n <world/></sdf>", "x.sdf:2:2: this world has no name"},
		{"<sdf><world name='w'/>\n<world name='w'/></sdf>", `x.sdf:2:1: two worlds are named "w"`},
		{"<sdf>\n<world name='w'>\n</sdf>", "x.sdf:3:1: </sdf> closes <world> of line 2; write </world>"},
		{"<sdf>\n<world name='w'>\n<a>", "x.sdf:3:1: <a> is never closed: the file is cut off"},
		{"<sdf>\n<wor", "x.sdf:2:1: the tag <wor> never ends"},
		{"<sdf>\n<world name='", "x.sdf:2:8: the tag <world> has no whole attribute here; write name=\"value\""},
		{"<sdf>\n<a b=c>", "x.sdf:2:4: the tag <a> has no whole attribute here"},
		{"<sdf><a//>", "x.sdf:1:8: the tag <a> has no whole attribute here"},
		{"<sdf><a <b>", "x.sdf:1:9: the tag <a> has no whole attribute here"},
		{"<sdf>\n<!-- ", "x.sdf:2:1: this comment never ends"},
		{"<sdf>\n<% if x %>", "x.sdf:2:1: no tag begins here"},
		{"</sdf>", "</sdf> closes nothing"},
		{strings.Repeat("<a>", 3), "the first element is <a>"},
		{"<sdf>" + strings.Repeat("<a>", maxDepth), "more than 1000 elements stand within each other"},
		{"<sdf>" + strings.Repeat("<world name='w'/>", maxKept), "more than 1000 elements of worlds"},
		{physics("<max_step_size>-0.001</max_step_size>"), "x.sdf:4:19: max_step_size is negative; write a number above zero"},
		{physics("<max_step_size>0</max_step_size>"), "x.sdf:4:19: max_step_size is zero; write it in seconds, such as 0.001"},
		{physics("<max_step_size>NaN</max_step_size>"), `x.sdf:4:19: max_step_size is "NaN", which is no number; write a decimal`},
		{physics("<max_step_size>inf</max_step_size>"), "which is no number"},
		{physics("<max_step_size>0.001s</max_step_size>"), "which is no number"},
		{physics("<max_step_size>1/60</max_step_size>"), "which is no number"},
		{physics("<max_step_size>0x1p-10</max_step_size>"), "which is no number"},
		{physics("<max_step_size>1e-999999999</max_step_size>"), "which is no number"},
		{physics("<max_step_size>" + strings.Repeat("1", 100) + "</max_step_size>"), "which is no number"},
		{physics("<max_step_size>1e-10</max_step_size>"), "max_step_size is shorter than a nanosecond"},
		{physics("<max_step_size>4e3</max_step_size>"), "max_step_size is longer than an hour"},
		{physics("<max_step_size>${step}</max_step_size>"), "fill in the template first"},
		{physics("<real_time_factor>-1</real_time_factor>"), "x.sdf:4:22: real_time_factor is negative"},
		{physics("<real_time_update_rate>fast</real_time_update_rate>"), "real_time_update_rate is \"fast\""},
		{"<sdf><world name='w'><gravity>0 -9.8</gravity></world></sdf>", `x.sdf:1:31: gravity is "0 -9.8"; write three numbers`},
		{"<sdf><world name='w'><gravity>0 0 down</gravity></world></sdf>", "write three numbers"},
	} {
		_, err := Parse("x.sdf", []byte(c.text))
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || e.Remedy == "" {
			t.Errorf("%.80q: %v, want %s", c.text, err, c.want)
		}
	}
}

// The place is counted in characters; a byte order mark is none.
func TestPlaceCountsCharacters(t *testing.T) {
	_, err := Parse("x.sdf", []byte("\xef\xbb\xbf<sdf><!-- für --><world/></sdf>"))
	if want := "x.sdf:1:18: "; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestSelect(t *testing.T) {
	f := readWorlds(t, "multiple_worlds.sdf")
	for name, want := range map[string]string{
		"":     "holds several worlds; choose one: --world world_one, world_two, world_three",
		"mars": `has no world "mars"; choose one: --world world_one, world_two, world_three`,
	} {
		if _, err := f.Select(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	if w, err := readWorlds(t, "shapes.sdf").Select(""); err != nil || w.Name != "shapes" {
		t.Error(err)
	}
}

func TestReadRefusesWhatIsTooLarge(t *testing.T) {
	name := filepath.Join(t.TempDir(), "huge.sdf")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(maxSize + 1); err != nil { // a hole: nothing is written
		t.Fatal(err)
	}
	if _, err := Read(name); err == nil || !strings.Contains(err.Error(), "is larger than 64 MB") {
		t.Error(err)
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none.sdf")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
