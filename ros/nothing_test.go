package ros

import (
	"strings"
	"testing"
)

func TestWhyNothing(t *testing.T) {
	simple := Participant{ROS: true, Kind: "SIMPLE"}
	for name, c := range map[string]struct {
		o    Outlook
		want []string // the beginning of each problem, in order
	}{
		"nobody": {Outlook{}, []string{"nobody answers in domain 0", "multicast may not get through"}},
		"nobody, peers are named": {Outlook{Environment: Environment{Domain: 7, Peers: []string{"robot"}}},
			[]string{"nobody answers in domain 7"}},
		"nobody, on this host alone": {Outlook{Environment: Environment{Range: Localhost}},
			[]string{"takt itself looks on this host alone", "nobody answers"}},
		"off itself":     {Outlook{Environment: Environment{Range: Off}}, []string{"takt itself runs with ROS_AUTOMATIC_DISCOVERY_RANGE=OFF", "nobody"}},
		"in a container": {Outlook{Container: true}, []string{"nobody", "takt runs in a container", "multicast"}},
		"another domain": {Outlook{OtherDomains: []int{5, 3, 5, 0}}, []string{"participants of other domains are here (3, 5), and takt is in domain 0", "nobody", "multicast"}},
		"off":            {Outlook{Tags: []string{"ros_discovery_off_17", "ros_discovery_off_18", "lab"}}, []string{"nodes with ROS_AUTOMATIC_DISCOVERY_RANGE=OFF are here (2 seen)", "participants with another domain tag are here: lab", "nobody", "multicast"}},
		"a discovery server": {Outlook{Participants: []Participant{{Kind: "CLIENT"}, {Kind: "SUPER_CLIENT"}}},
			[]string{"2 of 2 participants use a discovery server"}},
		"shared memory": {Outlook{Participants: []Participant{{Kind: "SIMPLE", SHMOnly: true}, simple}, Endpoints: 3, Samples: 9},
			[]string{"1 of 2 participants send data through shared memory only"}},
		"no answers": {Outlook{Participants: []Participant{simple}}, []string{"participants announce themselves (1), but no topic"}},
		"no data":    {Outlook{Participants: []Participant{simple}, Endpoints: 4}, []string{"topics are announced (4 endpoints), but no data"}},
		"plain DDS": {Outlook{Participants: []Participant{simple}, Endpoints: 4, Plain: []string{"Circle", "Square"}},
			[]string{"topics of plain DDS are here, which are read when they are named: Circle, Square"}},
		"all is well": {Outlook{Participants: []Participant{simple}, Endpoints: 4, Samples: 1},
			[]string{"participants are seen, but they have no topics with data"}},
		"Zenoh": {Outlook{Overrides: Overrides(func(v string) string {
			return map[string]string{"RMW_IMPLEMENTATION": "rmw_zenoh_cpp"}[v]
		})}, []string{`RMW_IMPLEMENTATION="rmw_zenoh_cpp": nodes speak Zenoh`, "nobody", "multicast"}},
	} {
		got := WhyNothing(c.o)
		ok := len(got) == len(c.want)
		for i := 0; ok && i < len(got); i++ {
			ok = strings.HasPrefix(got[i].Problem, c.want[i]) && got[i].Remedy != ""
		}
		if !ok {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}
