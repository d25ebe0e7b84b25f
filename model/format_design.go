package model

// writeDesign writes how a system is built, but for its topics, which are
// written with their contracts.
func writeDesign(p *printer, d *Design) {
	writeOne(p, "machine", machineFields, &d.Machine, &machineDefaults)
	if d.Simulation != nil {
		writeOne(p, "simulation", simulationFields, d.Simulation, &simulationDefaults)
	}
	executors.write(p, "", "", "executors", d.Executors, func(path, indent string, e *Executor) {
		levelSections.write(p, path, indent, "levels", e.Levels, nil)
	})
	contexts.write(p, "", "", "contexts", d.Contexts, nil)
	nodes.write(p, "", "", "nodes", d.Nodes, func(path, indent string, n *Node) {
		groups.write(p, path, indent, "groups", n.Groups, nil)
		callbackSections.write(p, path, indent, "callbacks", draftsOf(n.Callbacks), func(path, indent string, c *draft) {
			writeExecution(p, join(path, "execution"), indent, &c.Execution)
		})
	})
	sensors.write(p, "", "", "sensors", d.Sensors, nil)
	locks.write(p, "", "", "locks", d.Locks, nil)
	chains.write(p, "", "", "chains", d.Chains, nil)
}

// draftsOf is the inverse of readCallbacks.
func draftsOf(callbacks []Callback) []draft {
	var all []draft
	for _, c := range callbacks {
		d := draft{Callback: c}
		if c.Kind != TriggerCallback && len(c.Inputs) == 1 {
			d.history = c.Inputs[0]
		}
		all = append(all, d)
	}
	return all
}

// writeExecution writes execution times that differ from run to run; of what
// Parse fills in by itself it writes nothing.
func writeExecution(p *printer, path, indent string, e *Execution) {
	if e.short() != "" {
		return
	}
	byItself := Execution{Pattern: e.Pattern, Distribution: e.Distribution}
	byItself.fill(false, false)
	omitted := Execution{Typical: -1, Worst: -1} // neither
	if e.Typical == byItself.Typical && e.Worst == byItself.Worst {
		omitted = byItself
	}
	p.printf("%sexecution:\n", indent)
	writeFields(p, path, indent+"  ", executionFields, e, &Execution{Typical: omitted.Typical, Worst: omitted.Worst})
}
