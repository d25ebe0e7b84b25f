package ros

import (
	"fmt"
	"strings"
)

// A NodeName is a node's name and its namespace, "/" at the root.
type NodeName struct{ Namespace, Name string }

// Full returns the full name, such as /robot1/driver.
func (n NodeName) Full() string { return joinNames(n.Namespace, n.Name) }

// Expand returns the full name that a node means by a topic's (rcl_expand_topic_name):
// /a is itself, a is in the node's namespace, and ~/a below its full name.
// {node}, {ns} and {namespace} stand for the node's name and namespace. An error
// is a *NameError.
func (n NodeName) Expand(name string) (string, error) {
	full, err := n.substitute(name)
	if err != nil {
		return "", err
	}
	switch below, private := strings.CutPrefix(full, "~"); {
	case private && below == "":
		full = n.Full()
	case private && below[0] == '/':
		full = n.Full() + below
	case private:
		return "", &NameError{name, "after ~ there is no slash", "write ~/" + below, 1}
	case !strings.HasPrefix(full, "/"):
		full = joinNames(n.Namespace, full)
	}
	if err := CheckTopicName(full); err != nil {
		return "", err
	}
	return full, nil
}

func (n NodeName) substitute(name string) (string, error) {
	full := strings.NewReplacer("{node}", n.Name, "{ns}", n.Namespace, "{namespace}", n.Namespace).Replace(name)
	if at := strings.IndexAny(full, "{}"); at >= 0 {
		return "", &NameError{name, "there is an unknown substitution", "ROS knows {node}, {ns} and {namespace}", strings.IndexAny(name, "{}")}
	}
	return full, nil
}

func joinNames(namespace, name string) string {
	if namespace == "/" {
		return "/" + name
	}
	return namespace + "/" + name
}

// A Remap is a rule such as scan:=/robot1/scan, which gives a topic another
// name.
type Remap struct{ From, To string }

// ParseRemap reads from:=to. Rules for one node alone, and those that rename a
// node (__node, __ns), are refused.
func ParseRemap(text string) (Remap, error) {
	from, to, ok := strings.Cut(text, ":=")
	switch {
	case !ok || from == "" || to == "":
		return Remap{}, fmt.Errorf("%.80q is not a remapping; write from:=to, such as scan:=/robot1/scan", text)
	case strings.HasPrefix(from, "__"):
		return Remap{}, fmt.Errorf("%.80q renames a node; only topics are remapped here", text)
	case strings.Contains(from, ":"):
		return Remap{}, fmt.Errorf("%.80q is a rule of one node or of another kind; write from:=to", text)
	}
	return Remap{from, to}, nil
}

// Resolve expands a name and gives it the one that the first rule for it says,
// as rcl does: the rule's names are expanded too, and no rule applies to the
// result of another.
func (n NodeName) Resolve(name string, rules []Remap) (string, error) {
	full, err := n.Expand(name)
	if err != nil {
		return "", err
	}
	for _, r := range rules {
		from, err := n.Expand(r.From)
		if err != nil {
			return "", fmt.Errorf("remapping %s:=%s: %w", r.From, r.To, err)
		}
		if from != full {
			continue
		}
		to, err := n.Expand(r.To)
		if err != nil {
			return "", fmt.Errorf("remapping %s:=%s: %w", r.From, r.To, err)
		}
		return to, nil
	}
	return full, nil
}
