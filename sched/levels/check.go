package levels

import (
	"errors"
	"fmt"
)

func check(groups []Group, o *Options) error {
	if len(groups) == 0 {
		return errors.New("no callback group; levels need at least one")
	}
	if o.Order < RateMonotonic || o.Order > ChainAware {
		return fmt.Errorf("unknown order %d; use one of the constants", o.Order)
	}
	if o.MaxLevels < 0 {
		return fmt.Errorf("at most %d levels; give 1 or more, or 0 for %d", o.MaxLevels, DefaultMaxLevels)
	}
	callbacks, err := checkGroups(groups)
	if err != nil {
		return err
	}
	if err := checkChains(o.Chains, callbacks); err != nil {
		return err
	}
	if err := checkPins(groups, o.Pins); err != nil {
		return err
	}
	return o.Plan.check(o.Pins)
}

// checkGroups returns the names of all callbacks.
func checkGroups(groups []Group) (callbacks map[string]bool, err error) {
	names, callbacks := map[string]bool{}, map[string]bool{}
	for _, g := range groups {
		if names[g.Name] {
			return nil, fmt.Errorf("two groups have the name %q; give each its own", g.Name)
		}
		names[g.Name] = true
		for _, c := range g.Callbacks {
			switch {
			case callbacks[c.Name]:
				return nil, fmt.Errorf("two callbacks have the name %q; give each its own", c.Name)
			case c.Period < 0 || c.Deadline < 0 || c.Cost < 0:
				return nil, fmt.Errorf("callback %q has a negative period, deadline or cost; give 0 where it is not known", c.Name)
			}
			callbacks[c.Name] = true
		}
	}
	return callbacks, nil
}

func checkChains(chains []Chain, callbacks map[string]bool) error {
	for _, ch := range chains {
		if ch.Period < 0 {
			return fmt.Errorf("the source %q of chain %q has a negative period; give 0 if it is not known", ch.Source, ch.Name)
		}
		seen := map[string]bool{}
		for _, c := range ch.Callbacks {
			switch {
			case !callbacks[c]:
				return fmt.Errorf("chain %q goes through %q, which no group has", ch.Name, c)
			case seen[c]:
				return fmt.Errorf("chain %q goes through %q twice; end it before it comes back", ch.Name, c)
			}
			seen[c] = true
		}
	}
	return nil
}

func checkPins(groups []Group, pins []Pin) error {
	known, names, holder := map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, g := range groups {
		known[g.Name] = true
	}
	for _, p := range pins {
		switch {
		case names[p.Name]:
			return fmt.Errorf("two levels have the name %q; give each its own", p.Name)
		case len(p.Groups) == 0:
			return fmt.Errorf("level %q has no groups; name those that it is for", p.Name)
		}
		names[p.Name] = true
		for _, g := range p.Groups {
			if !known[g] {
				return fmt.Errorf("level %q is for the group %q, which nobody declares", p.Name, g)
			}
			if other, taken := holder[g]; taken {
				return fmt.Errorf("the levels %q and %q are both for the group %q; leave it to one", other, p.Name, g)
			}
			holder[g] = p.Name
		}
	}
	return nil
}
