package main

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/takt-rt/takt/internal/gazebo"
)

func newGazebo() *cobra.Command {
	c := &cobra.Command{
		Use:   "gazebo",
		Short: "A simulator's settings",
		Long:  "A simulator's settings: what makes Gazebo run at a wanted real time factor.",
	}
	c.AddCommand(newGazeboPlan())
	return c
}

// A gazeboPlan is the flags of takt gazebo plan.
type gazeboPlan struct {
	rtf         factors
	step        duration
	controllers rates
	world, out  string
	asJSON      bool
	force       bool
}

func newGazeboPlan() *cobra.Command {
	var p gazeboPlan
	c := &cobra.Command{
		Use:   "plan [FILE]",
		Short: "From a wanted real time factor to a simulator's settings",
		Long: `From a wanted real time factor to a simulator's settings: the lines of the
world file, the request to a running simulator, Gazebo Classic's update rate,
and to which rate the step gates a controller. Of an SDF world file it says
what it asks for now; -o writes an edited copy, the rest byte for byte.`,
		Example: `  takt gazebo plan --rtf 0.2
  takt gazebo plan world.sdf --controller 100Hz
  takt gazebo plan world.sdf --rtf 0.2 -o slow.sdf`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return p.run(c, args) },
	}
	f := c.Flags()
	f.Var(&p.rtf, "rtf", "the wanted real time `FACTOR`, such as 0.2")
	f.Var(&p.step, "step", "the wanted `STEP` of the simulator, such as 1ms; as the file has it, or 1ms, if not given")
	f.Var(&p.controllers, "controller", "a controller's wanted `RATE`, such as 100Hz; may be repeated")
	f.StringVar(&p.world, "world", "", "the `NAME` of the world, if the file holds several")
	f.StringVarP(&p.out, "output", "o", "", "write the edited world file to `FILE`; - for standard output, and no plan")
	f.BoolVar(&p.force, "force", false, "overwrite the output file if it exists")
	f.BoolVar(&p.asJSON, "json", false, "write JSON (docs/gazebo-plan.schema.json)")
	return c
}

func (p *gazeboPlan) run(c *cobra.Command, args []string) error {
	r, err := p.request(args)
	if err != nil {
		return err
	}
	plan, err := gazebo.New(r)
	if err != nil {
		return err
	}
	if p.out != "" {
		if err := p.write(c, r); err != nil || p.out == "-" {
			return err
		}
	}
	if p.asJSON {
		return plan.JSON(c.OutOrStdout())
	}
	return plan.Text(c.OutOrStdout())
}

func (p *gazeboPlan) request(args []string) (r gazebo.Request, err error) {
	r = gazebo.Request{World: p.world, Controllers: p.controllers}
	if p.step > 0 {
		r.Wish.Step = big.NewRat(int64(p.step), int64(time.Second))
	}
	wished := p.step > 0 || len(p.rtf) > 0
	switch {
	case len(p.rtf) > 1:
		return r, errors.New("--rtf takes one factor here, such as 0.2")
	case len(args) == 0 && !wished && len(p.controllers) == 0:
		return r, errors.New("nothing to plan: name a world file, or say --rtf, --step or --controller")
	case p.out != "" && (len(args) == 0 || !wished):
		return r, errors.New("-o writes an edited world file: name the file, and say --rtf or --step")
	case p.out == "-" && p.asJSON:
		return r, errors.New("-o - and --json both write to standard output; use -o FILE with --json")
	}
	if len(p.rtf) == 1 {
		r.Wish.RTF = p.rtf[0]
	}
	if len(args) == 1 {
		r.File, err = gazebo.Read(args[0])
	}
	return r, err
}

// write writes the edited copy.
func (p *gazeboPlan) write(c *cobra.Command, r gazebo.Request) error {
	w, err := r.File.Select(p.world)
	if err != nil {
		return err
	}
	data, changes := r.File.Edit(w, r.Wish)
	if p.out == "-" {
		_, err := c.OutOrStdout().Write(data)
		return err
	}
	if sameFile(r.File.Name, p.out) {
		return fmt.Errorf("-o %s is the world file itself, which stays as it is; name another file", p.out)
	}
	if err := create(p.out, data, p.force); err != nil {
		return err
	}
	texts := []string{"nothing to change"}
	for i, change := range changes {
		if i == 0 {
			texts = nil
		}
		texts = append(texts, fmt.Sprintf("line %d: %s", change.Line, change.Text))
	}
	fmt.Fprintf(c.ErrOrStderr(), "wrote %s; %s\n", p.out, strings.Join(texts, "; "))
	return nil
}

func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// rates are a flag such as 100Hz that may be repeated.
type rates []*big.Rat

func (r *rates) Type() string { return "rates" }

func (r *rates) String() string {
	var texts []string
	for _, hz := range *r {
		texts = append(texts, (&rate{hz}).String())
	}
	return strings.Join(texts, ",")
}

func (r *rates) Set(list string) error {
	for text := range strings.SplitSeq(list, ",") {
		var one rate
		if err := one.Set(text); err != nil {
			return err
		}
		*r = append(*r, one.hz)
	}
	return nil
}
