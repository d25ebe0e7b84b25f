package ros

import "fmt"

// infer takes the form of a participant from one of its endpoints, until a
// sample of its ros_discovery_info tells: only from Iron on they have type hashes.
func (g *Graph) infer(p *participant, e *Endpoint) {
	if e.hashed && p.info.Form == UnknownForm {
		p.info.Form = ShortForm
		g.version++
	}
}

// FormToPublish returns the form in which a new participant may write
// ros_discovery_info, or UnknownForm if it must not, and why. Given is what
// the user said, which counts whatever the graph shows.
//
// A form is returned only when at least one participant shows it and none
// shows the other or could be of the other: nodes that read the wrong form may
// crash. The answer can change with every participant that joins, so whoever
// writes asks again after each event of discovery, and removes its writer before
// it sends to a newcomer that makes the form unknown.
func (g *Graph) FormToPublish(given GidForm) (form GidForm, reason string) {
	if given != UnknownForm {
		return given, "it was given"
	}
	var seen [ShortForm + 1]*participant
	for _, p := range g.sorted() {
		if p.concerned() && seen[p.info.Form] == nil {
			seen[p.info.Form] = p
		}
	}
	unknown, long, short := seen[UnknownForm], seen[LongForm], seen[ShortForm]
	switch {
	case long != nil && short != nil:
		return UnknownForm, fmt.Sprintf("the graph is mixed: participant %v uses %v, %v %v; nodes of one form misread the other and may crash",
			long.info.Prefix, LongForm, short.info.Prefix, ShortForm)
	case unknown != nil:
		return UnknownForm, fmt.Sprintf("participant %v has shown neither form yet; the wrong one may crash its nodes", unknown.info.Prefix)
	case long != nil:
		return LongForm, fmt.Sprintf("participant %v uses %v, and no other is seen", long.info.Prefix, LongForm)
	case short != nil:
		return ShortForm, fmt.Sprintf("participant %v uses %v, and no other is seen", short.info.Prefix, ShortForm)
	}
	return UnknownForm, "no ROS participant has been seen yet"
}

// concerned reports whether a participant could be hurt by the wrong form: it
// is of ROS, or has an endpoint of ros_discovery_info. Another takt that only
// listens reads both.
func (p *participant) concerned() bool {
	concerned := p.info.ROS
	for _, e := range p.endpoints {
		if e.Topic.DDS() != DiscoveryTopic {
			continue
		}
		if e.ofTakt && !p.writes(DiscoveryTopic) {
			return false
		}
		concerned = true
	}
	return concerned
}

func (p *participant) writes(dds string) bool {
	for id, e := range p.endpoints {
		if id.IsWriter() && e.Topic.DDS() == dds {
			return true
		}
	}
	return false
}
