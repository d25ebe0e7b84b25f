package ros

import (
	"fmt"
	"strings"
)

// DiscoveryTopic is the DDS topic on which participants tell which endpoints
// belong to which of their nodes. It is the one of ROS without a prefix.
const DiscoveryTopic = "ros_discovery_info"

// A TopicKind says what a DDS topic carries for ROS.
type TopicKind int

const (
	NotROS  TopicKind = iota // of plain DDS, or of ROS without its naming conventions
	Message                  // the messages of a topic
	Request                  // the requests to a service
	Reply                    // the replies of a service
)

// affixes are what ROS puts around a name for DDS, by kind.
var affixes = [...]struct{ prefix, suffix string }{
	Message: {"rt", ""},
	Request: {"rq", "Request"},
	Reply:   {"rr", "Reply"},
}

// A Topic is a DDS topic as ROS means it.
type Topic struct {
	Kind TopicKind
	Name string // with its leading slash; of NotROS the DDS name as it is
}

// ParseTopic tells what a DDS topic is to ROS. As in ROS the prefix decides,
// and for a service the suffix too; names that ROS would not allow pass.
func ParseTopic(dds string) Topic {
	for kind := Message; kind <= Reply; kind++ {
		a := affixes[kind]
		name, hasPrefix := strings.CutPrefix(dds, a.prefix)
		name, hasSuffix := strings.CutSuffix(name, a.suffix)
		if hasPrefix && hasSuffix && len(name) > 1 && name[0] == '/' {
			return Topic{kind, name}
		}
	}
	return Topic{NotROS, dds}
}

// DDS returns the name of the topic in DDS: rt/chatter, rq/add_two_intsRequest.
func (t Topic) DDS() string {
	if t.Kind == NotROS {
		return t.Name
	}
	a := affixes[t.Kind]
	return a.prefix + t.Name + a.suffix
}

// Hidden reports whether the command line tools of ROS leave the topic out
// unless asked: one part of its name begins with an underscore.
func (t Topic) Hidden() bool { return t.Kind != NotROS && strings.Contains(t.Name, "/_") }

// actionParts are the topics and services that make up an action.
var actionParts = map[string]bool{ // whether it is a service
	"feedback": false, "status": false, "send_goal": true, "cancel_goal": true, "get_result": true,
}

// Action returns the name of the action that the topic is part of, and which
// part: feedback, status, send_goal, cancel_goal or get_result.
func (t Topic) Action() (name, part string, ok bool) {
	name, part, ok = strings.Cut(t.Name, "/_action/")
	service, known := actionParts[part]
	if !ok || !known || name == "" || t.Kind == NotROS || service != (t.Kind != Message) {
		return "", "", false
	}
	return name, part, true
}

// ServiceEvents returns the name of the service whose introspection events the
// topic carries (Iron and later).
func (t Topic) ServiceEvents() (service string, ok bool) {
	service, ok = strings.CutSuffix(t.Name, "/_service_event")
	if !ok || t.Kind != Message || service == "" {
		return "", false
	}
	return service, true
}

// The longest names of ROS, in bytes: DDS has 255, of which ROS keeps 8 for
// prefixes and 2 more for the node below a namespace.
const (
	maxTopicName = 255 - 8
	maxNamespace = maxTopicName - 2
	maxNodeName  = 255
)

// A NameError says what in a name ROS does not allow.
type NameError struct {
	Name, Problem, Remedy string
	At                    int // the byte, from 0
}

func (e *NameError) Error() string {
	return fmt.Sprintf("%q is not a ROS name: %s at byte %d; %s", e.Name, e.Problem, e.At, e.Remedy)
}

// CheckTopicName checks the full name of a topic, service or action, such as
// /camera/image_raw. An error is a *NameError.
func CheckTopicName(name string) error { return checkPath(name, maxTopicName) }

// CheckNamespace checks a full namespace, such as /robot1; the root is "/". An
// error is a *NameError.
func CheckNamespace(name string) error {
	if name == "/" {
		return nil
	}
	return checkPath(name, maxNamespace)
}

// CheckNodeName checks the name of a node without its namespace. An error is a
// *NameError.
func CheckNodeName(name string) error {
	const remedy = "names of nodes are like lidar_driver"
	if name == "" {
		return &NameError{name, "it is empty", remedy, 0}
	}
	if at, problem := checkToken(name); problem != "" {
		return &NameError{name, problem, remedy, at}
	}
	return checkLength(name, maxNodeName)
}

func checkPath(name string, longest int) error {
	const remedy = "full names are like /camera/image_raw"
	if !strings.HasPrefix(name, "/") {
		return &NameError{name, "it does not begin with a slash", remedy, 0}
	}
	at := 1
	for token := range strings.SplitSeq(name[1:], "/") {
		if in, problem := checkToken(token); problem != "" {
			return &NameError{name, problem, remedy, at + in}
		}
		at += len(token) + 1
	}
	return checkLength(name, longest)
}

// checkToken returns the first problem of the part between two slashes.
func checkToken(token string) (at int, problem string) {
	if token == "" {
		return 0, "a part is empty"
	}
	if isDigit(token[0]) {
		return 0, "a digit comes first"
	}
	for i := range len(token) {
		if !isNameByte(token[i]) {
			return i, "there is something other than letters, digits and underscores"
		}
	}
	return 0, ""
}

func checkLength(name string, longest int) error {
	if len(name) > longest {
		return &NameError{name, fmt.Sprintf("it is longer than %d bytes", longest), "shorten it", longest}
	}
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNameByte(c byte) bool {
	return c == '_' || isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
