package ros

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTopics(t *testing.T) {
	for _, c := range []struct {
		dds  string
		kind TopicKind
		name string
	}{
		{"rt/chatter", Message, "/chatter"},
		{"rt/robot1/camera/image_raw", Message, "/robot1/camera/image_raw"},
		{"rq/add_two_intsRequest", Request, "/add_two_ints"},
		{"rr/add_two_intsReply", Reply, "/add_two_ints"},
		{"rq/fibonacci/_action/send_goalRequest", Request, "/fibonacci/_action/send_goal"},
		{"rq/talker/get_parametersRequest", Request, "/talker/get_parameters"},
		{"ros_discovery_info", NotROS, "ros_discovery_info"},
		{"Square", NotROS, "Square"},
		{"rt", NotROS, "rt"},
		{"rt/", NotROS, "rt/"},
		{"rtk/fix", NotROS, "rtk/fix"},
		{"rq/add_two_ints", NotROS, "rq/add_two_ints"},           // the suffix is missing
		{"rq/add_two_intsReply", NotROS, "rq/add_two_intsReply"}, // that of the other half
		{"rq/Request", NotROS, "rq/Request"},                     // nothing between prefix and suffix
		{"rr/RequestReply", Reply, "/Request"},
		{"", NotROS, ""},
	} {
		got := ParseTopic(c.dds)
		if want := (Topic{c.kind, c.name}); got != want {
			t.Errorf("%q is %v, want %v", c.dds, got, want)
		}
		if got.DDS() != c.dds {
			t.Errorf("%v comes back as %q, want %q", got, got.DDS(), c.dds)
		}
	}
}

func TestHiddenActionsAndServiceEvents(t *testing.T) {
	for _, c := range []struct {
		dds                   string
		hidden                bool
		action, part, service string
	}{
		{"rt/chatter", false, "", "", ""},
		{"rt/my_topic_", false, "", "", ""},
		{"rt/_secret", true, "", "", ""},
		{"rt/a/_b/c", true, "", "", ""},
		{"rt/fib/_action/feedback", true, "/fib", "feedback", ""},
		{"rt/ns/fib/_action/status", true, "/ns/fib", "status", ""},
		{"rq/fib/_action/cancel_goalRequest", true, "/fib", "cancel_goal", ""},
		{"rr/fib/_action/get_resultReply", true, "/fib", "get_result", ""},
		{"rt/fib/_action/get_result", true, "", "", ""},      // a service, not a topic
		{"rq/fib/_action/feedbackRequest", true, "", "", ""}, // a topic, not a service
		{"rt/fib/_action/other", true, "", "", ""},
		{"rt/_action/status", true, "", "", ""}, // of no action
		{"rt/add/_service_event", true, "", "", "/add"},
		{"rt/_service_event", true, "", "", ""},
		{"rq/add/_service_eventRequest", true, "", "", ""},
		{"fib/_action/status", false, "", "", ""}, // plain DDS
	} {
		topic := ParseTopic(c.dds)
		if topic.Hidden() != c.hidden {
			t.Errorf("%s hidden: %v", c.dds, topic.Hidden())
		}
		if action, part, ok := topic.Action(); action != c.action || part != c.part || ok != (c.action != "") {
			t.Errorf("%s: action %q, part %q, %v", c.dds, action, part, ok)
		}
		if service, ok := topic.ServiceEvents(); service != c.service || ok != (c.service != "") {
			t.Errorf("%s: events of service %q, %v", c.dds, service, ok)
		}
	}
}

// The rules are those of rmw_validate_full_topic_name, rmw_validate_namespace
// and rmw_validate_node_name.
func TestNames(t *testing.T) {
	long := strings.Repeat("x", 244)
	for _, c := range []struct {
		check   func(string) error
		name    string
		problem string // empty: it is a name
		at      int
	}{
		{CheckTopicName, "/chatter", "", 0},
		{CheckTopicName, "/a/B_2/_c", "", 0},

		{CheckTopicName, "/" + long + "yz", "", 0},
		{CheckTopicName, "/" + long + "xyz", "longer than 247 bytes", 247},
		{CheckTopicName, "", "does not begin with a slash", 0},
		{CheckTopicName, "chatter", "does not begin with a slash", 0},
		{CheckTopicName, "/", "a part is empty", 1},
		{CheckTopicName, "/a/", "a part is empty", 3},
		{CheckTopicName, "/a//b", "a part is empty", 3},
		{CheckTopicName, "/a/2b", "a digit comes first", 3},
		{CheckTopicName, "/a/b-c", "other than letters", 4},
		{CheckTopicName, "/über", "other than letters", 1},
		{CheckTopicName, "/a/~b", "other than letters", 3},
		{CheckNamespace, "/", "", 0},
		{CheckNamespace, "/robot1", "", 0},
		{CheckNamespace, "/" + long, "", 0},
		{CheckNamespace, "/" + long + "x", "longer than 245 bytes", 245},
		{CheckNamespace, "robot1", "does not begin with a slash", 0},
		{CheckNodeName, "lidar_driver", "", 0},
		{CheckNodeName, "", "it is empty", 0},
		{CheckNodeName, "2lidar", "a digit comes first", 0},
		{CheckNodeName, "/lidar", "other than letters", 0},
		{CheckNodeName, strings.Repeat("n", 256), "longer than 255 bytes", 255},
	} {
		err := c.check(c.name)
		if c.problem == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if e := (*NameError)(nil); !errors.As(err, &e) || !strings.Contains(e.Problem, c.problem) || e.At != c.at || e.Remedy == "" {
			t.Errorf("%q: got %v, want %q at byte %d", c.name, err, c.problem, c.at)
		}
	}
}

func TestTypes(t *testing.T) {
	for _, c := range []struct{ ros, dds, of string }{
		{"std_msgs/msg/String", "std_msgs::msg::dds_::String_", ""},
		{"rmw_dds_common/msg/ParticipantEntitiesInfo", "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_", ""},
		{"std_srvs/srv/Trigger_Request", "std_srvs::srv::dds_::Trigger_Request_", "std_srvs/srv/Trigger"},
		{"std_srvs/srv/Trigger_Response", "std_srvs::srv::dds_::Trigger_Response_", "std_srvs/srv/Trigger"},
		{"std_srvs/srv/Trigger_Event", "std_srvs::srv::dds_::Trigger_Event_", "std_srvs/srv/Trigger"},
		{"action_msgs/srv/CancelGoal_Request", "action_msgs::srv::dds_::CancelGoal_Request_", "action_msgs/srv/CancelGoal"},
		{"demo/action/Fibonacci_SendGoal_Request", "demo::action::dds_::Fibonacci_SendGoal_Request_", "demo/action/Fibonacci"},
		{"demo/action/Fibonacci_FeedbackMessage", "demo::action::dds_::Fibonacci_FeedbackMessage_", "demo/action/Fibonacci"},
	} {
		if c.of == "" {
			c.of = c.ros
		}
		if dds, err := DDSType(c.ros); dds != c.dds || err != nil {
			t.Errorf("%s in DDS: %s, %v", c.ros, dds, err)
		}
		if ros, ok := ParseType(c.dds); ros != c.ros || !ok {
			t.Errorf("%s in ROS: %s, %v", c.dds, ros, ok)
		}
		if got := Interface(c.ros); got != c.of {
			t.Errorf("%s is part of %s, want %s", c.ros, got, c.of)
		}
	}
}

func TestWhatIsNoROSType(t *testing.T) {
	for _, dds := range []string{
		"", "ShapeType", "std_msgs::msg::String_", "std_msgs::msg::dds_::String", "dds_::String_",
		"std_msgs::msg::dds_::_", "::msg::dds_::String_", "a::b::c::dds_::String_", "std_msgs::msg::dds_::Str ing_",
	} {
		if ros, ok := ParseType(dds); ok {
			t.Errorf("%q passes for the ROS type %s", dds, ros)
		}
	}
	for _, ros := range []string{"", "String", "std_msgs/String", "std_msgs/msg/", "a/b/c/D", "std_msgs::msg::String"} {
		if dds, err := DDSType(ros); err == nil || !strings.Contains(err.Error(), "package/msg/Type") {
			t.Errorf("%q gives %q, %v", ros, dds, err)
		}
	}
}

func TestValidNamesComeBack(t *testing.T) {
	token := rapid.StringMatching(`[A-Za-z_][A-Za-z0-9_]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		name := "/" + strings.Join(rapid.SliceOfN(token, 1, 4).Draw(t, "tokens"), "/")
		kind := rapid.SampledFrom([]TopicKind{Message, Request, Reply}).Draw(t, "kind")
		if err := CheckTopicName(name); err != nil {
			t.Fatal(err)
		}
		if got := ParseTopic(Topic{kind, name}.DDS()); got != (Topic{kind, name}) {
			t.Fatalf("%v comes back as %v", Topic{kind, name}, got)
		}
	})
}

func FuzzParseTopic(f *testing.F) {
	for _, seed := range []string{"rt/chatter", "rq/aRequest", "rr/aReply", "rr/Reply", "rt//", DiscoveryTopic} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, dds string) {
		topic := ParseTopic(dds)
		if topic.DDS() != dds {
			t.Errorf("%q comes back as %q", dds, topic.DDS())
		}
		_, _, isAction := topic.Action()
		_, isEvents := topic.ServiceEvents()
		if (isAction || isEvents) && (topic.Kind == NotROS || !topic.Hidden()) {
			t.Errorf("%q: part of an action %v, of service introspection %v, and yet %v, hidden %v", dds, isAction, isEvents, topic.Kind, topic.Hidden())
		}
	})
}

func FuzzParseType(f *testing.F) {
	for _, seed := range []string{"std_msgs::msg::dds_::String_", "a::b::dds_::_", "::::dds_::_", "dds_::X_"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, dds string) {
		name, ok := ParseType(dds)
		if !ok {
			return
		}
		if back, err := DDSType(name); err != nil || back != dds {
			t.Errorf("%q is %q, which comes back as %q, %v", dds, name, back, err)
		}
	})
}
