package ros

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Outlook is what is known where nothing, or no data, was seen.
type Outlook struct {
	Environment  Environment   // that takt itself runs in
	Overrides    []error       // of Overrides
	Participants []Participant // without our own
	Endpoints    int           // of them, without those of ros_discovery_info
	Plain        []string      // topics of plain DDS that they write, if they have no others: read when named
	Samples      uint64        // received from them
	OtherDomains []int         // whose participants announced themselves on our ports
	Tags         []string      // of their domains, of announcements that we refused
	Container    bool          // takt runs in a container with a network of its own
}

// A Reason is why nothing may be seen, and what to do about it.
type Reason struct{ Problem, Remedy string }

func (r Reason) String() string { return r.Problem + "; " + r.Remedy }

// WhyNothing returns the reasons why nothing of a system is seen, those that
// were observed before those that are only possible.
func WhyNothing(o Outlook) []Reason {
	var all reasons
	all.tags(o)
	all.domains(o)
	all.participants(o)
	all.ownRange(o)
	all.overrides(o)
	if len(o.Participants) == 0 {
		all.nobody(o)
	}
	if len(o.Participants) > 0 && len(all) == 0 {
		all.add("participants are seen, but they have no topics with data", "start the nodes that publish, or name the topic")
	}
	return all
}

type reasons []Reason

func (r *reasons) add(problem, remedy string) { *r = append(*r, Reason{problem, remedy}) }

// offTag begins the domain tags of nodes on Cyclone DDS with the range OFF.
const offTag = "ros_discovery_off_"

func (r *reasons) tags(o Outlook) {
	var off int
	var tags []string
	for _, tag := range o.Tags {
		if strings.HasPrefix(tag, offTag) {
			off++
		} else {
			tags = append(tags, shown(tag))
		}
	}
	if off > 0 {
		r.add(fmt.Sprintf("nodes with %s=OFF are here (%d seen): they refuse everybody", rangeVar, off),
			"start them with "+rangeVar+"=LOCALHOST or SUBNET")
	}
	if len(tags) > 0 {
		slices.Sort(tags)
		r.add("participants with another domain tag are here: "+few(slices.Compact(tags)), "start them without a domain tag")
	}
}

func (r *reasons) domains(o Outlook) {
	var others []string
	for _, d := range slices.Compact(slices.Sorted(slices.Values(o.OtherDomains))) {
		if d != o.Environment.Domain {
			others = append(others, fmt.Sprint(d))
		}
	}
	if len(others) > 0 {
		r.add(fmt.Sprintf("participants of other domains are here (%s), and takt is in domain %d", few(others), o.Environment.Domain),
			"set "+domainVar+" to theirs")
	}
}

func (r *reasons) participants(o Outlook) {
	var clients, shm, others int
	for _, p := range o.Participants {
		switch {
		case p.Kind != "" && p.Kind != "SIMPLE":
			clients++
		case p.SHMOnly:
			shm++
		default:
			others++
		}
	}
	if clients > 0 {
		r.add(fmt.Sprintf("%d of %d participants use a discovery server of Fast DDS, which alone knows their topics", clients, len(o.Participants)),
			"unset ROS_DISCOVERY_SERVER for them to meet by multicast")
	}
	if shm > 0 {
		r.add(fmt.Sprintf("%d of %d participants send data through shared memory only", shm, len(o.Participants)),
			"start them with FASTDDS_BUILTIN_TRANSPORTS=DEFAULT or UDPv4")
	}
	switch {
	case others > 0 && o.Endpoints == 0:
		r.add(fmt.Sprintf("participants announce themselves (%d), but no topic: what they tell takt alone does not arrive", others),
			"let UDP through from them to this host (firewall, container, another network interface)")
	case len(o.Plain) > 0 && o.Samples == 0:
		r.add("topics of plain DDS are here, which are read when they are named: "+few(o.Plain), "name them, or a pattern")
	case others > 0 && o.Samples == 0:
		r.add(fmt.Sprintf("topics are announced (%d endpoints), but no data has arrived", o.Endpoints),
			"see whether anybody publishes, and let UDP through to this host")
	}
}

func (r *reasons) ownRange(o Outlook) {
	switch o.Environment.Range {
	case Off:
		r.add("takt itself runs with "+rangeVar+"=OFF", "set it to LOCALHOST or SUBNET")
	case Localhost:
		r.add("takt itself looks on this host alone, since "+rangeVar+"=LOCALHOST or "+localhostOnlyVar+"=1",
			"set "+rangeVar+"=SUBNET for nodes on other hosts")
	}
}

func (r *reasons) overrides(o Outlook) {
	for _, err := range o.Overrides {
		var e *EnvError
		if errors.As(err, &e) {
			r.add(fmt.Sprintf("%s=%.80q: %s", e.Variable, e.Value, e.Problem), e.Remedy)
		} else {
			r.add(err.Error(), "unset it")
		}
	}
}

func (r *reasons) nobody(o Outlook) {
	r.add(fmt.Sprintf("nobody answers in domain %d", o.Environment.Domain),
		"see that nodes run, and that they have the same "+domainVar)
	if o.Container {
		r.add("takt runs in a container with a network of its own", "start it with --network host, or in the network of the nodes")
	}
	if o.Environment.Range == Subnet && len(o.Environment.Peers) == 0 {
		r.add("multicast may not get through, as on many wireless networks and between containers",
			"name the hosts of the nodes in "+peersVar+", in the environment of takt and of the nodes")
	}
}
