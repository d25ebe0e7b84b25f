package ros

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// getenv makes a lookup of assignments such as "ROS_DOMAIN_ID=7".
func getenv(assignments ...string) func(string) string {
	return func(name string) string {
		for _, a := range assignments {
			if n, value, _ := strings.Cut(a, "="); n == name {
				return value
			}
		}
		return ""
	}
}

// wantRemarks checks errors by a part of each.
func wantRemarks(t *testing.T, what any, got []error, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%v: remarks %q, want %q", what, got, want)
		return
	}
	for i, err := range got {
		if e := (*EnvError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), want[i]) || e.Remedy == "" {
			t.Errorf("%v: remark %q, want %q", what, err, want[i])
		}
	}
}

// What rcl_get_default_domain_id makes of its variable by strtoul in base 0,
// and the limits of the ports.
func TestDomain(t *testing.T) {
	for _, c := range []struct {
		value   string
		domain  int
		warning string
	}{
		{"", 0, ""},
		{"0", 0, ""},
		{"42", 42, ""},
		{"101", 101, ""},
		{"102", 102, "ports are among those that Linux hands out"},
		{"214", 214, "ports are among those that Linux hands out"},
		{"215", 215, ""},
		{"232", 232, ""},
		{" +7", 7, ""},
		{"0x1F", 31, ""},
		{"007", 7, ""},
		{"010", 8, "octal: ROS reads 8"},
		{"09", 0, "ERROR not a whole number"}, // octal ends before the 9
		{"5 ", 5, `ROS reads 5 and leaves out " "`},
		{"5.9", 5, `ROS reads 5 and leaves out ".9"`},
		{"12abc", 12, `ROS reads 12 and leaves out "abc"`},
		{"abc", 0, "ERROR not a whole number"},
		{"0x", 0, "ERROR not a whole number"},
		{" ", 0, "ERROR not a whole number"},
		{"-", 0, "ERROR not a whole number"},
		{"-1", 0, "ERROR the last domain is 232"},
		{"-0", 0, ""},
		{"233", 0, "ERROR the last domain is 232"},
		{"99999999999999999999", 0, "ERROR the last domain is 232"},
	} {
		env, err := ReadEnvironment(getenv("ROS_DOMAIN_ID=" + c.value))
		if problem, isError := strings.CutPrefix(c.warning, "ERROR "); isError {
			if err == nil {
				t.Errorf("domain %q passes as %d", c.value, env.Domain)
				continue
			}
			wantRemarks(t, c.value, []error{err}, problem)
			continue
		}
		if err != nil || env.Domain != c.domain {
			t.Errorf("domain %q: %d, %v; want %d", c.value, env.Domain, err, c.domain)
		}
		if c.warning == "" {
			wantRemarks(t, c.value, env.Warnings)
		} else {
			wantRemarks(t, c.value, env.Warnings, c.warning)
		}
	}
}

func TestRangeAndPeers(t *testing.T) {
	const (
		old   = "ROS_LOCALHOST_ONLY="
		rng   = "ROS_AUTOMATIC_DISCOVERY_RANGE="
		peers = "ROS_STATIC_PEERS="
	)
	long := strings.Repeat("h", 256)
	for _, c := range []struct {
		set      []string
		rng      DiscoveryRange
		peers    []string
		warnings []string
	}{
		{nil, Subnet, nil, nil},
		{[]string{rng + "SUBNET"}, Subnet, nil, nil},
		{[]string{rng + "LOCALHOST"}, Localhost, nil, nil},
		{[]string{rng + "OFF"}, Off, nil, nil},
		{[]string{rng + "SYSTEM_DEFAULT"}, SystemDefault, nil, nil},
		{[]string{rng + "localhost"}, Localhost, nil, []string{`ROS_AUTOMATIC_DISCOVERY_RANGE="localhost": ROS does not know it and assumes LOCALHOST`}},
		{[]string{rng + "subnet"}, Localhost, nil, []string{"write SUBNET, LOCALHOST, OFF, SYSTEM_DEFAULT, in capitals"}},

		{[]string{peers + "192.168.0.1;robot.local"}, Subnet, []string{"192.168.0.1", "robot.local"}, nil},
		{[]string{peers + ";10.0.0.1;;10.0.0.2;", rng + "LOCALHOST"}, Localhost, []string{"10.0.0.1", "10.0.0.2"}, nil},
		{[]string{peers + "10.0.0.1,10.0.0.2"}, Subnet, []string{"10.0.0.1,10.0.0.2"}, []string{"separate peers by semicolons"}},
		{[]string{peers + "a;" + long + ";b"}, Subnet, []string{"a", "b"}, []string{"longer than 255 bytes"}},
		{[]string{peers + long[1:]}, Subnet, []string{long[1:]}, nil},
		{[]string{peers + "10.0.0.1", rng + "OFF"}, Off, nil, []string{"with ROS_AUTOMATIC_DISCOVERY_RANGE=OFF ROS ignores it"}},
		{[]string{peers + "10.0.0.1", rng + "SYSTEM_DEFAULT"}, SystemDefault, nil, []string{"SYSTEM_DEFAULT ROS ignores it"}},
		{[]string{peers + "10.0.0.1", rng + "on"}, Localhost, []string{"10.0.0.1"}, []string{"assumes LOCALHOST"}},

		{[]string{old + "1"}, Localhost, nil, nil},
		{[]string{old + "1", rng + "SUBNET", peers + "10.0.0.1"}, Localhost, nil, []string{"it overrules"}},
		{[]string{old + "1", rng + "OFF"}, Localhost, nil, []string{"it overrules"}},
		{[]string{old + "0"}, Subnet, nil, []string{`ROS_LOCALHOST_ONLY="0": it changes nothing`}},
		{[]string{old + "0", rng + "LOCALHOST", peers + "10.0.0.1"}, Localhost, []string{"10.0.0.1"}, []string{"it changes nothing"}},
		{[]string{old + "true"}, Subnet, nil, []string{"it restricts nothing"}},
	} {
		env, err := ReadEnvironment(getenv(c.set...))
		if err != nil || env.Range != c.rng || !slices.Equal(env.Peers, c.peers) {
			t.Errorf("%q: %v, peers %q, %v; want %v, peers %q", c.set, env.Range, env.Peers, err, c.rng, c.peers)
		}
		wantRemarks(t, c.set, env.Warnings, c.warnings...)
	}
}

func TestErrorNamesVariableValueAndRemedy(t *testing.T) {
	_, err := ReadEnvironment(getenv("ROS_DOMAIN_ID=robot"))
	if want := `ROS_DOMAIN_ID="robot": it is not a whole number; write a whole number of 0 to 101`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestOverrides(t *testing.T) {
	for _, c := range []struct {
		set  []string
		want []string
	}{
		{nil, nil},
		{[]string{"RMW_IMPLEMENTATION=rmw_cyclonedds_cpp", "FASTDDS_BUILTIN_TRANSPORTS=UDPv4"}, nil},
		{[]string{"RMW_IMPLEMENTATION=rmw_zenoh_cpp"}, []string{"nodes speak Zenoh"}},
		{[]string{"ROS_DISCOVERY_SERVER=10.0.0.1:11811"}, []string{`ROS_DISCOVERY_SERVER="10.0.0.1:11811": nodes find each other through a discovery server`}},
		{[]string{"ROS2_EASY_MODE=10.0.0.1"}, []string{"discovery server"}},
		{[]string{"FASTDDS_BUILTIN_TRANSPORTS=SHM"}, []string{"otherwise than over UDPv4"}},
		{[]string{"CYCLONEDDS_URI=file:///etc/cyclone.xml", "FASTRTPS_DEFAULT_PROFILES_FILE=a.xml", "FASTDDS_DEFAULT_PROFILES_FILE=b.xml"},
			[]string{"CYCLONEDDS_URI=", `FASTDDS_DEFAULT_PROFILES_FILE="b.xml"`, `FASTRTPS_DEFAULT_PROFILES_FILE="a.xml"`}},
	} {
		wantRemarks(t, c.set, Overrides(getenv(c.set...)), c.want...)
	}
}

func FuzzReadEnvironment(f *testing.F) {
	f.Add("010", "1", "off", "a;b")
	f.Add("-0x7fz", "0", "", ";;")
	f.Fuzz(func(t *testing.T, domain, old, rng, peers string) {
		env, err := ReadEnvironment(getenv("ROS_DOMAIN_ID="+domain, "ROS_LOCALHOST_ONLY="+old,
			"ROS_AUTOMATIC_DISCOVERY_RANGE="+rng, "ROS_STATIC_PEERS="+peers))
		if env.Domain < 0 || env.Domain > 232 {
			t.Errorf("domain %d, %v", env.Domain, err)
		}
		if old == "1" && err == nil && (env.Range != Localhost || env.Peers != nil) {
			t.Errorf("localhost only, and yet %v with peers %q", env.Range, env.Peers)
		}
		_ = env.Range.String()
	})
}
