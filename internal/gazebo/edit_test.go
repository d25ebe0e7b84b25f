package gazebo

import (
	"bytes"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// checkEdit edits every world of a file and wants of the result: it says what
// was wished for, it says the same of all the rest, and without what was
// inserted, with what was replaced, it is the file again.
func checkEdit(t interface {
	Helper()
	Fatalf(string, ...any)
}, f *File, wish Wish) {
	t.Helper()
	for i, w := range f.Worlds {
		edited, changes := f.Edit(w, wish)
		again, err := Parse(f.Name, edited)
		if err != nil {
			t.Fatalf("the edited file: %v\n%s", err, edited)
		}
		for j, v := range again.Worlds {
			rtf, step := f.Worlds[j].Physics().rtf(), f.Worlds[j].Physics().step()
			if i == j {
				rtf, step = or(wish.RTF, rtf), or(wish.Step, step)
			}
			if v.Physics().rtf().Cmp(rtf) != 0 || v.Physics().step().Cmp(step) != 0 {
				t.Fatalf("world %s: factor %s, step %s; want %s, %s\n%s", v.Name, decimal(v.Physics().rtf()), decimal(v.Physics().step()), decimal(rtf), decimal(step), edited)
			}
			if v.Name != f.Worlds[j].Name || v.Gravity[2].Cmp(f.Worlds[j].Gravity[2]) != 0 || v.Plugins != f.Worlds[j].Plugins {
				t.Fatalf("world %s has changed otherwise\n%s", v.Name, edited)
			}
		}
		if back := undo(f.data, edited, changes); !bytes.Equal(back, f.data) {
			t.Fatalf("undone, the file is\n%s\nand was\n%s", back, f.data)
		}
	}
}

// undo takes the edits out again, which stand in order.
func undo(data, edited []byte, changes []Change) []byte {
	var out []byte
	from, shift := 0, 0
	for _, c := range changes {
		out = append(out, edited[from:c.start+shift]...)
		out = append(out, data[c.start:c.end]...)
		from = c.start + shift + len(c.new)
		shift += len(c.new) - (c.end - c.start)
	}
	return append(out, edited[from:]...)
}

func wish(t testing.TB, rtf, step string) (w Wish) {
	if rtf != "" {
		w.RTF = rat(t, rtf)
	}
	if step != "" {
		w.Step = rat(t, step)
	}
	return w
}

func TestEditAllWorlds(t *testing.T) {
	for _, c := range contents {
		f := readWorlds(t, c.file)
		for _, wish := range []Wish{wish(t, "0.2", ""), wish(t, "", "0.002"), wish(t, "0.25", "0.005"), {}} {
			checkEdit(t, f, wish)
		}
	}
}

// The diff is the lines of physics, and nothing else: as diff shows it.
func TestEditedLines(t *testing.T) {
	for _, c := range []struct {
		file, world, rtf, step string
		want                   []string
	}{
		{"conveyor.sdf", "default", "0.2", "", []string{
			"-            <real_time_factor>1.0</real_time_factor>",
			"+            <real_time_factor>0.2</real_time_factor>"}},
		{"conveyor.sdf", "default", "1", "0.004", nil}, // 1.0 is 1, and stays as it is written
		{"tracked_vehicle_simple.sdf", "default", "0.2", "0.001", []string{
			"-            <max_step_size>0.004</max_step_size>",
			"-            <real_time_factor>1.0</real_time_factor>",
			"+            <max_step_size>0.001</max_step_size>",
			"+            <real_time_factor>0.2</real_time_factor>"}},
		{"event_trigger.sdf", "default", "0.2", "0.001", []string{
			"-      <real_time_factor>0</real_time_factor>",
			"+      <max_step_size>0.001</max_step_size>",
			"+      <real_time_factor>0.2</real_time_factor>"}},
		{"multiple_worlds.sdf", "world_three", "0.2", "", []string{
			"-      <real_time_factor>0.5</real_time_factor>",
			"+      <real_time_factor>0.2</real_time_factor>"}},
		{"save_world.sdf", "save_world", "0.2", "", []string{ // gz-sim reads the first profile
			"-      <real_time_factor>0</real_time_factor>",
			"+      <real_time_factor>0.2</real_time_factor>"}},
		{"drive_to_pose_controller.sdf", "drive_to_pose_controller", "0.2", "", []string{ // 0.2 / 10 ms = 20 Hz
			"-      <real_time_factor>1</real_time_factor>",
			"-      <real_time_update_rate>100</real_time_update_rate>",
			"+      <real_time_factor>0.2</real_time_factor>",
			"+      <real_time_update_rate>20</real_time_update_rate>"}},
		{"shapes.sdf", "shapes", "0.2", "", []string{
			`+    <physics name="default_physics" type="ode">`,
			"+      <max_step_size>0.001</max_step_size>",
			"+      <real_time_factor>0.2</real_time_factor>",
			"+    </physics>"}},
		{"physics_options.sdf", "physics_options", "", "0.002", []string{
			"+      <max_step_size>0.002</max_step_size>"}},
	} {
		f := readWorlds(t, c.file)
		w, err := f.Select(c.world)
		if err != nil {
			t.Fatal(err)
		}
		edited, _ := f.Edit(w, wish(t, c.rtf, c.step))
		if got := diff(string(f.data), string(edited)); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", c.file, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// diff returns the lines that differ between what both texts begin and end with.
func diff(a, b string) []string {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	var list []string
	for _, l := range x {
		list = append(list, "-"+strings.TrimSuffix(l, "\n"))
	}
	for _, l := range y {
		list = append(list, "+"+strings.TrimSuffix(l, "\n"))
	}
	return list
}

// The forms in which a file can lack what is to be set, each with the result.
func TestInserted(t *testing.T) {
	for _, c := range []struct{ name, text, rtf, step, want string }{
		{"an empty element", "<physics><real_time_factor/></physics>", "0.2", "", "<physics><real_time_factor>0.2</real_time_factor></physics>"},
		{"an element without text", "<physics><real_time_factor> </real_time_factor></physics>", "0.2", "", "<physics><real_time_factor>0.2 </real_time_factor></physics>"},
		{"text beside a comment", "<physics><real_time_factor> 1 <!-- one --></real_time_factor></physics>", "0.2", "", "<physics><real_time_factor> 0.2 <!-- one --></real_time_factor></physics>"},
		{"no child", "<physics/>", "0.2", "0.004", "<physics><max_step_size>0.004</max_step_size><real_time_factor>0.2</real_time_factor></physics>"},
		{"no child, two tags", "<physics></physics>", "0.2", "", "<physics><real_time_factor>0.2</real_time_factor></physics>"},
		{"no child, a line of its own", "\n  <physics a='b' />", "0.2", "", "\n  <physics a='b' >\n    <real_time_factor>0.2</real_time_factor>\n  </physics>"},
		{"tabs", "\n\t<physics>\n\t</physics>", "0.2", "", "\n\t<physics>\n\t\t<real_time_factor>0.2</real_time_factor>\n\t</physics>"},
		{"CRLF", "\r\n <physics>\r\n   <dart/>\r\n </physics>", "0.2", "0.004", "\r\n <physics>\r\n   <max_step_size>0.004</max_step_size>\r\n   <real_time_factor>0.2</real_time_factor>\r\n   <dart/>\r\n </physics>"},
		{"both profiles", "<physics><real_time_factor>1</real_time_factor></physics><physics default='1'><real_time_factor>3</real_time_factor></physics>", "0.2", "",
			"<physics><real_time_factor>0.2</real_time_factor></physics><physics default='1'><real_time_factor>0.2</real_time_factor></physics>"},
		{"a world without anything", "", "0.2", "", `<physics name="default_physics" type="ode"><max_step_size>0.001</max_step_size><real_time_factor>0.2</real_time_factor></physics>`},
	} {
		f := parseText(t, "<sdf><world name='w'>"+c.text+"</world></sdf>")
		w := wish(t, c.rtf, c.step)
		checkEdit(t, f, w)
		edited, _ := f.Edit(f.Worlds[0], w)
		if want := "<sdf><world name='w'>" + c.want + "</world></sdf>"; string(edited) != want {
			t.Errorf("%s:\n%q\nwant\n%q", c.name, edited, want)
		}
	}
}

func TestInsertedIntoAnEmptyWorld(t *testing.T) {
	f := parseText(t, "<?xml version='1.0'?>\r\n<sdf>\r\n\t<world name='w'/>\r\n</sdf>\r\n")
	edited, _ := f.Edit(f.Worlds[0], wish(t, "0.2", ""))
	want := strings.ReplaceAll(`<?xml version='1.0'?>
<sdf>
	<world name='w'>
		<physics name="default_physics" type="ode">
			<max_step_size>0.001</max_step_size>
			<real_time_factor>0.2</real_time_factor>
		</physics>
	</world>
</sdf>
`, "\n", "\r\n")
	if string(edited) != want {
		t.Errorf("%q\nwant\n%q", edited, want)
	}
}

// Files of all forms, made of pieces.
func TestEditAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
		nl := pick("nl", "", "\n", "\r\n", "\n\t", "\n    ")
		child := func() string {
			return pick("child", "", "<max_step_size>0.004</max_step_size>", "<max_step_size/>", "<real_time_factor> 2 </real_time_factor>",
				"<real_time_factor></real_time_factor>", "<real_time_update_rate>1000</real_time_update_rate>", "<!-- \n <a> -->", "<dart><max_step_size>1</max_step_size></dart>") + nl
		}
		physics := func() string {
			return pick("physics", "", "<physics/>"+nl, "<physics default='true'>"+nl+child()+child()+child()+"</physics>"+nl, "<gravity>0 0 -1</gravity>"+nl, "<plugin/>")
		}
		text := pick("bom", "", "\xef\xbb\xbf") + "<sdf>" + nl + "<world name='a'>" + nl + physics() + physics() + "</world><world name='b'>" + physics() + physics() + "</world>" + nl + "</sdf>" + nl
		f, err := Parse("x.sdf", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		var w Wish
		if rapid.Bool().Draw(t, "rtf?") {
			w.RTF = big.NewRat(rapid.Int64Range(1, 5000).Draw(t, "rtf"), 1000)
		}
		if rapid.Bool().Draw(t, "step?") {
			w.Step = big.NewRat(rapid.Int64Range(1, 50_000).Draw(t, "step"), 1_000_000)
		}
		checkEdit(t, f, w)
	})
}

func TestChangesAreTold(t *testing.T) {
	f := readWorlds(t, "conveyor.sdf")
	_, changes := f.Edit(f.Worlds[0], wish(t, "0.2", "0.001"))
	if got, want := fmt.Sprint(changes[0].Line, changes[0].Text, changes[1].Line, changes[1].Text), "13max_step_size 0.004 -> 0.00114real_time_factor 1.0 -> 0.2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
