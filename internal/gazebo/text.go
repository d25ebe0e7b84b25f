package gazebo

import (
	"bytes"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/takt-rt/takt/internal/quantity"
	"github.com/takt-rt/takt/timeline"
)

// width is what prose is wrapped at, in columns.
const width = 100

// A page is a plan being written for a person.
type page struct{ out bytes.Buffer }

// Text writes the plan for a person, world by world.
func (p *Plan) Text(w io.Writer) error {
	var t page
	for i := range p.Worlds {
		if i > 0 {
			t.line("")
		}
		t.world(p.File, &p.Worlds[i])
	}
	_, err := w.Write(t.out.Bytes())
	return err
}

func (t *page) world(file string, p *WorldPlan) {
	switch {
	case file != "":
		t.line("%s (%s:%d)", p.Name, file, p.Line)
	case p.Name != "":
		t.line("%s (no file named: the defaults of SDFormat hold)", p.Name)
	default:
		t.line("any world (no file named: the defaults of SDFormat hold, NAME is the world's)")
	}
	if p.Now != nil {
		t.item("  now      ", p.Now.words())
		t.item("  gravity  ", p.Now.gravityWords())
	}
	if p.Wanted != nil {
		t.item("  wanted   ", paceWords(p.step, p.rtf))
		t.wanted(p.Wanted)
	}
	if len(p.Controllers) > 0 {
		t.controllers(p)
	}
	if len(p.Findings) > 0 {
		t.line("")
		for _, f := range p.Findings {
			t.finding(f)
		}
	}
}

// words says what the file asks for, and what of it is only the default.
func (s *Settings) words() string {
	text := paceWords(s.step, s.rtf)
	switch {
	case s.Profiles == 0:
		text += "; no <physics>, so both are defaults"
	case !s.StepGiven && !s.RTFGiven:
		text += "; both are defaults"
	case !s.StepGiven:
		text += "; the step is the default"
	case !s.RTFGiven:
		text += "; the factor is the default"
	}
	if s.UpdateRateHz != nil {
		text += fmt.Sprintf("; update rate %s for Gazebo Classic", quantity.Hertz(*s.UpdateRateHz))
	}
	if s.ClassicBound != nil {
		text += fmt.Sprintf(": a factor of at most %g", *s.ClassicBound)
	}
	return text
}

func (s *Settings) gravityWords() string {
	text := fmt.Sprintf("%s %s %s m/s²", decimal(s.gravity[0]), decimal(s.gravity[1]), decimal(s.gravity[2]))
	if !s.GravityGiven {
		text += ", the default"
	}
	return text
}

func paceWords(step, rtf *big.Rat) string {
	if unpaced(rtf) {
		return fmt.Sprintf("steps of %s, target factor %s: as fast as possible", seconds(step), decimal(rtf))
	}
	return fmt.Sprintf("steps of %s, target factor %s: one step every %s of wall time", seconds(step), decimal(rtf), quantity.Seconds(float(new(big.Rat).Quo(step, rtf))))
}

// seconds writes a chosen duration of x seconds with as many decimals as it has: 1 ms, 16.6667 ms.
func seconds(x *big.Rat) string {
	units := []struct {
		name string
		per  int64
	}{{"s", 1}, {"ms", 1000}, {"µs", 1_000_000}, {"ns", 1_000_000_000}}
	for _, u := range units {
		v := new(big.Rat).Mul(x, big.NewRat(u.per, 1))
		if v.Cmp(big.NewRat(1, 1)) >= 0 {
			return decimal(v) + " " + u.name
		}
	}
	return decimal(x) + " s"
}

func (t *page) wanted(w *Wanted) {
	t.line("")
	t.line("  In the world file, inside <physics>:")
	for _, l := range w.WorldFile {
		t.line("    %s", l)
	}
	if w.SetPhysics == "" {
		return
	}
	t.line("")
	t.line("  To a running gz-sim, if the list has the service:")
	t.line("    %s", w.ListServices)
	t.command(w.SetPhysics)
	t.item("    ", "Step, factor and gravity go together: without gravity, gz-sim 8.11 to 8.13 and 10.1 to 10.4 set it to zero; without the factor, the wall time of a step stays as it was. Ignition Fortress: ign, ignition.msgs.Physics, ignition.msgs.Boolean.")
	t.line("")
	t.line("  For Gazebo Classic, inside <physics> (its bound is step times update rate):")
	for _, l := range w.ClassicFile {
		t.line("    %s", l)
	}
}

// command prints a request over several lines, as a shell reads it.
func (t *page) command(c string) {
	c = strings.Replace(c, " --reqtype", " \\\n  --reqtype", 1)
	c = strings.Replace(c, " --req '", " \\\n  --req '", 1)
	for l := range strings.SplitSeq(c, "\n") {
		t.line("    %s", l)
	}
}

func (t *page) controllers(p *WorldPlan) {
	t.line("")
	t.line("  A controller that runs once its period has passed (gz_ros2_control), in steps of %s:", seconds(p.step))
	for _, c := range p.Controllers {
		text := fmt.Sprintf("gets %s of simulated time", quantity.Hertz(c.GatedHz))
		if c.GatedWallHz != nil && p.rtf.Cmp(defaultRTF) != 0 {
			text += fmt.Sprintf(" (%s on the wall)", quantity.Hertz(*c.GatedWallHz))
		}
		text += fmt.Sprintf(", every %s", everyStep(c.Steps))
		if c.stepFor != nil {
			text += fmt.Sprintf("; a step of %s gives %s", seconds(c.stepFor), quantity.Hertz(*c.StepGivesHz))
		}
		t.item(fmt.Sprintf("    %-10s ", quantity.Hertz(c.RateHz)), text)
	}
}

func everyStep(n int64) string {
	if n == 1 {
		return "step"
	}
	return fmt.Sprintf("%d steps", n)
}

var marks = map[timeline.Severity]string{timeline.Error: "✗ ", timeline.Warning: "! ", timeline.Info: "i "}

func (t *page) finding(f timeline.Finding) {
	t.item("  "+marks[f.Severity], f.Text)
	if f.Remedy != "" {
		t.item("    → ", f.Remedy)
	}
}

// line prints one line. Control characters, which names in a file may hold,
// do not reach the terminal.
func (t *page) line(format string, args ...any) {
	t.out.WriteString(strings.TrimRight(strings.Map(harmless, fmt.Sprintf(format, args...)), " ") + "\n")
}

func harmless(r rune) rune {
	if !unicode.IsPrint(r) {
		return utf8.RuneError
	}
	return r
}

// figure is a number with its unit, between which no line is broken.
var figure = regexp.MustCompile(`([0-9]) (s|ms|µs|ns|Hz|m/s²)\b`)

const glue = "\u00a0"

// item prints prose behind a label, wrapped between words and indented by the
// width of the label.
func (t *page) item(label, prose string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(label))
	line := label
	for word := range strings.SplitSeq(figure.ReplaceAllString(prose, "$1"+glue+"$2"), " ") {
		word = strings.ReplaceAll(word, glue, " ")
		switch {
		case line == label || line == indent:
			line += word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			t.line("%s", line)
			line = indent + word
		}
	}
	t.line("%s", line)
}
