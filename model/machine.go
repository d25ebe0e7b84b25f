package model

import "slices"

// machineDefaults are the machine of a file that does not describe it, and
// what is not said of one. The bands are those of nano-ros on Linux.
var machineDefaults = Machine{
	CPUs: 1, Platform: Linux, Preemption: FullPreemption,
	Order: RateMonotonic, MaxLevels: 8,
	Pool:     Band{10, 49},
	Reserved: []Reserve{{"transport", Band{70, 79}}, {"foreign", Band{99, 99}}},
}

// maxCPUs is more than any machine of a robot has.
const maxCPUs = 1024

var machineFields = []field[Machine]{
	whole("cpus", span{1, maxCPUs}, func(m *Machine) *int { return &m.CPUs }),
	choice("platform", func(m *Machine) *Platform { return &m.Platform }, Platforms()...),
	choice("preemption", func(m *Machine) *Preemption { return &m.Preemption }, FullPreemption, NoPreemption),
	choice("enforcement", func(m *Machine) *Enforcement { return &m.Enforcement }, ByKernel, ByExecutor),
	choice("order", func(m *Machine) *Order { return &m.Order }, RateMonotonic, DeadlineMonotonic, ChainAware),
	whole("max_levels", span{1, maxPriority}, func(m *Machine) *int { return &m.MaxLevels }),
	flag("strict", func(m *Machine) *bool { return &m.Strict }),
	{
		key:   "pool",
		read:  func(v value, m *Machine) { m.Pool = v.band() },
		write: func(m *Machine) string { return m.Pool.String() },
	},
	{key: "reserved", read: readReserved, write: writeReserved},
}

// bandNames are the bands that no level may have.
var bandNames = []string{"transport", "driver", "foreign"}

func readReserved(v value, m *Machine) {
	m.Reserved = nil
	for _, e := range v.entries("transport: 70..79") {
		if !slices.Contains(bandNames, e.key) {
			e.fail("is not known", "write "+nearest(e.key, bandNames))
			continue
		}
		m.Reserved = append(m.Reserved, Reserve{e.key, e.band()})
	}
}

func writeReserved(m *Machine) string {
	text := ""
	for _, r := range m.Reserved {
		if text != "" {
			text += ", "
		}
		text += r.Name + ": " + r.Band.String()
	}
	if text == "" {
		return ""
	}
	return "{" + text + "}"
}

func readMachine(v value, s *System) {
	m := &s.design().Machine
	m.Line = v.at.line
	readSection(v, "cpus: 2", machineFields, m)
}

// design returns the design, which is there as soon as the file says anything of it.
func (s *System) design() *Design {
	if s.Design == nil {
		s.Design = &Design{Machine: machineDefaults}
		s.Design.Machine.Reserved = slices.Clone(machineDefaults.Reserved)
	}
	return s.Design
}
