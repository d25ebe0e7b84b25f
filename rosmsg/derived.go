package rosmsg

import (
	"fmt"
	"strings"
	"sync"
)

// Names of types that mean something to takt, in short form.
const (
	header      = "std_msgs/Header"
	timeType    = "builtin_interfaces/Time"
	tfMessage   = "tf2_msgs/TFMessage"
	markerArray = "visualization_msgs/MarkerArray"
)

// defineSections defines the type name from the members of a text's sections:
// one of a message, two of a service, three of an action.
func defineSections(s *Schema, name string, sections [][]member, line int) error {
	var parts []string
	base := serviceName(name)
	switch len(sections) {
	case 1:
		base, parts = name, []string{""}
	case 2:
		parts = []string{"_Request", "_Response"}
	case 3:
		base, parts = actionName(name), []string{"_Goal", "_Result", "_Feedback"}
	default:
		return &SchemaError{Line: line, Problem: fmt.Sprintf("the definition has %d lines of ---", len(sections)-1),
			Remedy: "a message has none, a service one, an action two"}
	}
	for i, part := range parts {
		s.define(base+part, sections[i])
	}
	return nil
}

// serviceName strips what ROS 2 appends to the name of a service to name its messages.
func serviceName(name string) string {
	for _, suffix := range []string{"_Event", "_Request", "_Response"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// actionName strips what ROS 2 appends to the name of an action to name its services and messages.
func actionName(name string) string {
	name = serviceName(name)
	for _, suffix := range []string{"_SendGoal", "_GetResult", "_FeedbackMessage"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// derived are the messages that ROS 2 makes of services and actions
// (https://design.ros2.org/articles/actions.html, REP 2012 for events): the
// type that must be there, the one made for it, and its text; $ stands for
// the name of the service or action.
var derived = []struct{ from, to, text string }{
	{"_Feedback", "_FeedbackMessage", "unique_identifier_msgs/UUID goal_id\n$_Feedback feedback"},
	{"_Goal", "_SendGoal_Request", "unique_identifier_msgs/UUID goal_id\n$_Goal goal"},
	{"_Goal", "_SendGoal_Response", "bool accepted\nbuiltin_interfaces/Time stamp"},
	{"_Result", "_GetResult_Request", "unique_identifier_msgs/UUID goal_id"},
	{"_Result", "_GetResult_Response", "int8 status\n$_Result result"},
	{"_SendGoal_Request", "_SendGoal_Event", eventText("$_SendGoal")},
	{"_GetResult_Request", "_GetResult_Event", eventText("$_GetResult")},
	{"_Request", "_Event", eventText("$")},
}

func eventText(service string) string {
	return fmt.Sprintf("service_msgs/ServiceEventInfo info\n%[1]s_Request[<=1] request\n%[1]s_Response[<=1] response", service)
}

// deriveMessages adds what ROS 2 makes of the service or action that the
// schema is of, if it is of one.
func (s *Schema) deriveMessages() {
	for _, base := range []string{actionName(s.Name), serviceName(s.Name)} {
		for _, d := range derived {
			if s.types[base+d.from] != nil && s.types[base+d.to] == nil {
				mustParseMsg(s, base+d.to, strings.ReplaceAll(d.text, "$", base))
			}
		}
	}
}

// standard are types that a text may leave out: their form is fixed.
var standard = sync.OnceValue(func() *Schema {
	s := &Schema{types: map[string]*message{}}
	mustParseMsg(s, timeType, "int32 sec\nuint32 nanosec")
	mustParseMsg(s, "builtin_interfaces/Duration", "int32 sec\nuint32 nanosec")
	mustParseMsg(s, header, "builtin_interfaces/Time stamp\nstring frame_id")
	mustParseMsg(s, "unique_identifier_msgs/UUID", "uint8[16] uuid")
	mustParseMsg(s, "service_msgs/ServiceEventInfo",
		"uint8 event_type\nbuiltin_interfaces/Time stamp\nchar[16] client_gid\nint64 sequence_number")
	return s
})

// mustParseMsg defines a type by a text of takt's own, in which only names of
// types checked before may be foreign.
func mustParseMsg(s *Schema, name, text string) {
	if err := parseMsgBlock(s, name, block{lines: strings.Split(text, "\n")}); err != nil {
		panic(err)
	}
}
