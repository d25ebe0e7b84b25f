package trace

import (
	"fmt"

	"github.com/takt-rt/takt/internal/source/ctf/trace/tsdl"
)

// The slots that every event has; what is asked for comes behind.
const (
	slotID = iota
	slotPID
	slotTID
	slotProc
	slotWanted
)

// MaxFields is how many fields of one kind of event may be asked for.
const MaxFields = 16

// A Class is a kind of event.
type Class struct {
	Name  string
	Tag   int    // the caller's
	Count uint64 // how many came
	// Has says which of the fields that were asked for the kind has.
	Has []bool

	plan plan
}

// A streamKind is what the streams of one kind in a directory have in common.
type streamKind struct {
	meta    *tsdl.Stream
	packet  plan // the context of a packet
	header  plan // of an event
	classes map[uint64]*Class
	table   [256]*Class // those of small IDs, for speed
	err     error       // why none of its events can be read
}

// kind returns the streamKind of a stream ID.
func (d *Domain) kind(id uint64) (*streamKind, error) {
	meta := d.meta.Streams[id]
	if meta == nil {
		return nil, fmt.Errorf("it is of kind %d, which the metadata does not describe", id)
	}
	k := d.kinds[meta]
	if k == nil {
		k = &streamKind{meta: meta, classes: map[uint64]*Class{}}
		d.kinds[meta] = k
		k.err = k.plan(d)
	}
	return k, k.err
}

func (k *streamKind) plan(d *Domain) (err error) {
	if k.packet, err = d.packetPlan(k.meta.PacketContext, packetWishes); err != nil {
		return fmt.Errorf("packet.context: %w", err)
	}
	p := d.planner()
	p.header = true
	if k.header, err = p.top([]*tsdl.Struct{k.meta.EventHeader}, [][]wish{{{"id", slotID}}}); err != nil {
		return fmt.Errorf("event.header: %w", err)
	}
	return nil
}

func (d *Domain) planner() *planner {
	return &planner{big: d.meta.ByteOrder == tsdl.BigEndian, used: slotWanted + MaxFields}
}

func (d *Domain) packetPlan(of *tsdl.Struct, wishes []wish) (plan, error) {
	p := d.planner()
	p.used = packetSlots
	return p.top([]*tsdl.Struct{of}, [][]wish{wishes})
}

// class returns the class of an event ID, with its plan.
func (k *streamKind) class(id uint64, d *Domain, opt *Options) (*Class, error) {
	if id < uint64(len(k.table)) && k.table[id] != nil {
		return k.table[id], nil
	}
	if c := k.classes[id]; c != nil {
		return c, nil
	}
	e := k.meta.Events[id]
	if e == nil {
		return nil, fmt.Errorf("an event is of kind %d, which the metadata does not describe", id)
	}
	c := &Class{Name: e.Name}
	var fields []string
	if opt.Wants != nil {
		fields, c.Tag = opt.Wants(e.Name)
	}
	fields = fields[:min(len(fields), MaxFields)]
	wishes := make([]wish, len(fields))
	c.Has = make([]bool, len(fields))
	for i, name := range fields {
		wishes[i] = wish{name, int16(slotWanted + i)}
		c.Has[i] = e.Fields.Field(name) != nil
	}
	var err error
	c.plan, err = d.planner().top(
		[]*tsdl.Struct{k.meta.EventContext, e.Context, e.Fields},
		[][]wish{contextWishes(k.meta.EventContext), contextWishes(e.Context), wishes})
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", e.Name, err)
	}
	k.classes[id] = c
	if id < uint64(len(k.table)) {
		k.table[id] = c
	}
	return c, nil
}

// contextWishes asks for the process and thread as the process itself knows
// them, which is how user space names them, else as the kernel does.
func contextWishes(s *tsdl.Struct) []wish {
	w := []wish{{"procname", slotProc}, {"vpid", slotPID}, {"vtid", slotTID}}
	if s.Field("vpid") == nil {
		w[1].name = "pid"
	}
	if s.Field("vtid") == nil {
		w[2].name = "tid"
	}
	return w
}
