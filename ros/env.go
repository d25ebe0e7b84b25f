package ros

import (
	"fmt"
	"strconv"
	"strings"
)

// A DiscoveryRange says how far nodes look for each other.
type DiscoveryRange int

const (
	Subnet        DiscoveryRange = iota // whoever multicast reaches, and the static peers
	Localhost                           // this host, and the static peers
	Off                                 // nobody, not even on this host
	SystemDefault                       // whatever the middleware is configured for
)

var rangeNames = [...]string{"SUBNET", "LOCALHOST", "OFF", "SYSTEM_DEFAULT"}

func (r DiscoveryRange) String() string {
	if r < 0 || int(r) >= len(rangeNames) {
		return fmt.Sprintf("DiscoveryRange(%d)", int(r))
	}
	return rangeNames[r]
}

// An Environment is where the environment variables of ROS 2 tell nodes to look
// for each other. The zero Environment is that without any of them.
type Environment struct {
	Domain int // 0 to 232
	Range  DiscoveryRange
	Peers  []string // names or addresses of hosts to look on as well
	// Warnings tell what ROS takes otherwise than it seems meant. Each is an
	// *EnvError.
	Warnings []error
}

// An EnvError says what is wrong with the value of an environment variable.
type EnvError struct{ Variable, Value, Problem, Remedy string }

func (e *EnvError) Error() string {
	return fmt.Sprintf("%s=%.80q: %s; %s", e.Variable, e.Value, e.Problem, e.Remedy)
}

// ReadEnvironment reads the variables as rcl does from Iron on; getenv is
// os.Getenv or the like, and to have no value is to be empty. ROS_LOCALHOST_ONLY,
// of old, overrules ROS_AUTOMATIC_DISCOVERY_RANGE and ROS_STATIC_PEERS, of
// which Humble knows nothing.
//
// An *EnvError is returned where nodes refuse to start; what they only take in
// their own way is a warning.
func ReadEnvironment(getenv func(string) string) (Environment, error) {
	r := envReader{getenv: getenv}
	if err := r.readDomain(); err != nil {
		return Environment{}, err
	}
	if !r.readLocalhostOnly() {
		r.readRange()
		r.readPeers()
	}
	return r.env, nil
}

// The variables that ReadEnvironment reads.
const (
	domainVar        = "ROS_DOMAIN_ID"
	localhostOnlyVar = "ROS_LOCALHOST_ONLY"
	rangeVar         = "ROS_AUTOMATIC_DISCOVERY_RANGE"
	peersVar         = "ROS_STATIC_PEERS"
)

type envReader struct {
	getenv func(string) string
	env    Environment
}

func (r *envReader) warn(variable, problem, remedy string) {
	r.env.Warnings = append(r.env.Warnings, &EnvError{variable, r.getenv(variable), problem, remedy})
}

// readLocalhostOnly reports whether the old variable settles everything. Only
// "1" does: anything else is the same as nothing.
func (r *envReader) readLocalhostOnly() bool {
	switch r.getenv(localhostOnlyVar) {
	case "":
		return false
	case "1":
		r.env.Range = Localhost
		if r.getenv(rangeVar) != "" || r.getenv(peersVar) != "" {
			r.warn(localhostOnlyVar, "it overrules "+rangeVar+" and "+peersVar, "unset it for those to count")
		}
		return true
	case "0":
		r.warn(localhostOnlyVar, "it changes nothing", "unset it, and write "+rangeVar+" instead")
	default:
		r.warn(localhostOnlyVar, "ROS takes it for 0: it restricts nothing", "write 1, or "+rangeVar+"=LOCALHOST")
	}
	return false
}

func (r *envReader) readRange() {
	value := r.getenv(rangeVar)
	if value == "" {
		return
	}
	for i, name := range rangeNames {
		if value == name {
			r.env.Range = DiscoveryRange(i)
			return
		}
	}
	r.env.Range = Localhost
	r.warn(rangeVar, "ROS does not know it and assumes LOCALHOST", "write "+strings.Join(rangeNames[:], ", ")+", in capitals")
}

// maxPeer is the longest peer that rmw stores, in bytes.
const maxPeer = 255

func (r *envReader) readPeers() {
	value := r.getenv(peersVar)
	if value == "" {
		return
	}
	if r.env.Range == Off || r.env.Range == SystemDefault {
		r.warn(peersVar, fmt.Sprintf("with %s=%v ROS ignores it", rangeVar, r.env.Range), "write LOCALHOST or SUBNET there for peers to count")
		return
	}
	if strings.ContainsAny(value, ", \t") {
		r.warn(peersVar, "it contains a comma or a blank, which ROS takes for a part of a name", "separate peers by semicolons alone")
	}
	for peer := range strings.SplitSeq(value, ";") {
		switch {
		case peer == "":
		case len(peer) > maxPeer:
			r.warn(peersVar, fmt.Sprintf("ROS skips the peer %.20q..., which is longer than %d bytes", peer, maxPeer), "write its address")
		default:
			r.env.Peers = append(r.env.Peers, peer)
		}
	}
}

// maxDomain is the last domain whose ports, from 7400+250d on, are below 65536.
const maxDomain = 232

func (r *envReader) readDomain() error {
	value := r.getenv(domainVar)
	if value == "" {
		return nil
	}
	const remedy = "write a whole number of 0 to 101"
	number, rest, err := parseUnsigned(value)
	switch {
	case number == 0 && rest != "":
		return &EnvError{domainVar, value, "it is not a whole number", remedy}
	case err != nil || number > maxDomain:
		return &EnvError{domainVar, value, fmt.Sprintf("there are no ports for it: the last domain is %d", maxDomain), remedy}
	case rest != "":
		r.warn(domainVar, fmt.Sprintf("ROS reads %d and leaves out %q", number, rest), remedy)
	case isOctal(value, number):
		r.warn(domainVar, fmt.Sprintf("with a leading 0 it is octal: ROS reads %d", number), "leave the 0 out")
	}
	if 101 < number && number < 215 {
		// 7400+250d reaches into net.ipv4.ip_local_port_range, 32768 to 60999.
		r.warn(domainVar, "its ports are among those that Linux hands out to any program", "on Linux write 0 to 101, or 215 to 232")
	}
	r.env.Domain = int(number)
	return nil
}

// parseUnsigned reads a number as C's strtoul does in base 0: past white space
// and a sign, 0x is hexadecimal and 0 octal; it stops at what is no digit. A
// number below zero is out of range.
func parseUnsigned(text string) (number uint64, rest string, err error) {
	rest = strings.TrimLeft(text, " \t\n\v\f\r")
	negative := strings.HasPrefix(rest, "-")
	if negative || strings.HasPrefix(rest, "+") {
		rest = rest[1:]
	}
	base, digits := 10, "0123456789"
	switch {
	case len(rest) > 2 && strings.EqualFold(rest[:2], "0x") && strings.IndexByte(hexDigits, rest[2]) >= 0:
		base, digits, rest = 16, hexDigits, rest[2:]
	case strings.HasPrefix(rest, "0"):
		base, digits = 8, "01234567"
	}
	n := len(rest) - len(strings.TrimLeft(rest, digits))
	if n == 0 {
		return 0, text, nil
	}
	number, err = strconv.ParseUint(rest[:n], base, 64)
	if negative && number != 0 {
		err = strconv.ErrRange
	}
	return number, rest[n:], err
}

const hexDigits = "0123456789abcdefABCDEF"

// isOctal reports whether someone who reads text as decimal sees another number.
func isOctal(text string, number uint64) bool {
	decimal, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	return err == nil && decimal != number
}
