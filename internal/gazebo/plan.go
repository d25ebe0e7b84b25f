package gazebo

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"github.com/takt-rt/takt/timeline"
)

// Schema names the form of a plan as JSON, docs/gazebo-plan.schema.json.
const Schema = "takt.gazebo.plan/1"

// A Request is what a plan is asked for.
type Request struct {
	File        *File  // nil: no file is known, and the defaults are assumed
	World       string // only this one; "" for all of a file
	Wish        Wish
	Controllers []*big.Rat // wanted rates in hertz of simulated time
}

// A Plan says what the worlds of a file ask for and what must be set. A key
// that is absent is unknown; the keys carry their units.
type Plan struct {
	Schema string      `json:"schema"`
	File   string      `json:"file,omitempty"`
	Worlds []WorldPlan `json:"worlds"`
}

// A WorldPlan is the plan of one world.
type WorldPlan struct {
	Name        string             `json:"name,omitempty"`
	Line        int                `json:"line,omitempty"`
	Now         *Settings          `json:"now,omitempty"`    // absent without a file
	Wanted      *Wanted            `json:"wanted,omitempty"` // absent if nothing was wished for
	Controllers []ControllerPlan   `json:"controllers"`
	Findings    []timeline.Finding `json:"findings"`

	step, rtf *big.Rat // that the controllers will have
}

// Settings are what a world file asks for, as gz-sim reads it.
type Settings struct {
	Profiles      int        `json:"physics_profiles"`
	Profile       string     `json:"physics,omitempty"`
	Line          int        `json:"physics_line,omitempty"`
	StepS         float64    `json:"step_s"`
	StepGiven     bool       `json:"step_given"` // false: the default of the specification
	RTF           float64    `json:"real_time_factor"`
	RTFGiven      bool       `json:"real_time_factor_given"`
	WallPerStepS  *float64   `json:"wall_per_step_s,omitempty"`          // absent: as fast as possible
	UpdateRateHz  *float64   `json:"real_time_update_rate_hz,omitempty"` // only Gazebo Classic reads it
	ClassicBound  *float64   `json:"classic_rtf_bound,omitempty"`        // step x update rate
	Gravity       [3]float64 `json:"gravity_m_per_s2"`
	GravityGiven  bool       `json:"gravity_given"`
	PluginsListed bool       `json:"plugins_listed"`
	UserCommands  bool       `json:"user_commands"` // the plugin is listed

	step, rtf *big.Rat
	gravity   [3]*big.Rat
}

// Wanted is how to get what was wished for.
type Wanted struct {
	StepS         float64  `json:"step_s"`
	RTF           float64  `json:"real_time_factor"`
	WallPerStepS  *float64 `json:"wall_per_step_s,omitempty"`
	WorldFile     []string `json:"world_file"` // lines within <physics>
	ListServices  string   `json:"list_services"`
	SetPhysics    string   `json:"set_physics,omitempty"` // absent: a factor of 0 cannot be requested
	SetFortress   string   `json:"set_physics_fortress,omitempty"`
	ClassicRateHz *float64 `json:"classic_update_rate_hz,omitempty"`
	ClassicFile   []string `json:"classic_world_file,omitempty"`
}

// A ControllerPlan is what a controller of a wanted rate gets.
type ControllerPlan struct {
	RateHz      float64  `json:"rate_hz"`
	Steps       int64    `json:"steps"` // of the simulator, from one run to the next
	GatedHz     float64  `json:"gated_rate_hz"`
	GatedWallHz *float64 `json:"gated_rate_wall_hz,omitempty"` // at the target factor
	StepForS    *float64 `json:"step_for_rate_s,omitempty"`    // a step that gives the rate, if this one does not
	StepGivesHz *float64 `json:"step_for_rate_gives_hz,omitempty"`

	stepFor *big.Rat
}

// New makes a plan.
func New(r Request) (*Plan, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	p := &Plan{Schema: Schema, Worlds: []WorldPlan{}}
	if r.File == nil {
		p.Worlds = append(p.Worlds, r.plan(&World{Name: r.World, Gravity: defaultGravity}, nil))
		return p, nil
	}
	p.File = r.File.Name
	worlds := r.File.Worlds
	if r.World != "" {
		w, err := r.File.Select(r.World)
		if err != nil {
			return nil, err
		}
		worlds = []*World{w}
	}
	for _, w := range worlds {
		p.Worlds = append(p.Worlds, r.plan(w, w.settings()))
	}
	return p, nil
}

func (r *Request) check() error {
	if x := r.Wish.RTF; x != nil && unpaced(x) {
		return fmt.Errorf("a real time factor of %s cannot be asked for: gz-sim takes less than 1e-9 for as fast as possible; use a larger one", decimal(x))
	}
	if x := r.Wish.Step; x != nil && (stepNS(x) < 1 || x.Cmp(longestStep) > 0) {
		return fmt.Errorf("a step of %s s cannot be used; use one from 1ns to 1h", decimal(x))
	}
	for _, c := range r.Controllers {
		if c.Cmp(lowestRate) < 0 || c.Cmp(highestRate) > 0 {
			return fmt.Errorf("a controller of %s Hz cannot be planned; use a rate from 0.001Hz to 1000000kHz", decimal(c))
		}
	}
	return nil
}

// plan plans one world; now is nil if no file says what it is.
func (r *Request) plan(w *World, now *Settings) WorldPlan {
	p := WorldPlan{Name: w.Name, Now: now, Controllers: []ControllerPlan{}, Findings: []timeline.Finding{}}
	p.step, p.rtf = or(r.Wish.Step, w.Physics().step()), or(r.Wish.RTF, w.Physics().rtf())
	if w.node != nil {
		p.Line = w.node.line()
		p.Findings = append(p.Findings, w.findings()...)
	} else if r.Wish != (Wish{}) {
		p.Findings = append(p.Findings, gravityAssumed(w.Name))
	}
	if r.Wish != (Wish{}) {
		p.Wanted = wanted(w, p.step, p.rtf)
	}
	for _, rate := range r.Controllers {
		p.Controllers = append(p.Controllers, controllerPlan(rate, p.step, p.rtf))
	}
	p.Findings = append(p.Findings, stepFindings(w.Name, p.step)...)
	p.Findings = append(p.Findings, pacing(w.Name, p.step, p.rtf)...)
	return p
}

func (w *World) settings() *Settings {
	p := w.Physics()
	s := &Settings{
		Profiles: len(w.Profiles), step: p.step(), rtf: p.rtf(), gravity: w.Gravity,
		StepS: float(p.step()), RTF: float(p.rtf()), WallPerStepS: wallPerStepS(p.step(), p.rtf()),
		GravityGiven: w.GravityGiven, PluginsListed: w.Plugins, UserCommands: w.UserCommands,
	}
	for i, g := range w.Gravity {
		s.Gravity[i] = float(g)
	}
	if p != nil {
		s.Profile, s.Line = p.Name, p.node.line()
		s.StepGiven, s.RTFGiven = p.Step != nil, p.RTF != nil
	}
	if c := w.ClassicPhysics(); c != nil && c.UpdateRate != nil {
		s.UpdateRateHz = floatOrNil(c.UpdateRate)
		s.ClassicBound = classicBound(c.step(), c.UpdateRate)
	}
	return s
}

func wanted(w *World, step, rtf *big.Rat) *Wanted {
	p := &Wanted{
		StepS: float(step), RTF: float(rtf), WallPerStepS: wallPerStepS(step, rtf),
		WorldFile:    []string{element("max_step_size", step), element("real_time_factor", rtf)},
		ListServices: listServices,
	}
	if unpaced(rtf) {
		return p
	}
	p.SetPhysics = setPhysics(w.Name, step, rtf, w.Gravity)
	p.SetFortress = fortress(p.SetPhysics)
	rate := updateRate(rtf, step)
	p.ClassicRateHz = floatOrNil(rate)
	p.ClassicFile = []string{element("max_step_size", step), element("real_time_update_rate", rate)}
	return p
}

func controllerPlan(rate, step, rtf *big.Rat) ControllerPlan {
	g := NewGate(step, rate)
	c := ControllerPlan{RateHz: float(rate), Steps: g.Steps, GatedHz: float(g.Rate)}
	if !unpaced(rtf) {
		c.GatedWallHz = floatOrNil(new(big.Rat).Mul(g.Rate, rtf))
	}
	if g.misses(rate) {
		c.stepFor = stepFor(step, rate)
		c.StepForS, c.StepGivesHz = floatOrNil(c.stepFor), floatOrNil(NewGate(c.stepFor, rate).Rate)
	}
	return c
}

// wallPerStepS is the wall time of a step at a target factor; nil if gz-sim
// does not wait.
func wallPerStepS(step, rtf *big.Rat) *float64 {
	if unpaced(rtf) {
		return nil
	}
	return floatOrNil(new(big.Rat).Quo(step, rtf))
}

// classicBound is the largest factor that Gazebo Classic reaches; nil if it
// does not wait.
func classicBound(step, rate *big.Rat) *float64 {
	if rate.Sign() == 0 {
		return nil
	}
	return floatOrNil(new(big.Rat).Mul(step, rate))
}

func floatOrNil(x *big.Rat) *float64 {
	if x == nil {
		return nil
	}
	f := float(x)
	return &f
}

// JSON writes the plan, indented.
func (p *Plan) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(p)
}
